// The receipt on paper.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { goodCard, payByCard, press, seesReceipt } from './browsing-customer.ts';

const items = ['Beans', 'Filters', 'Grinder', 'Kettle'].map((name) => ({ name, quantity: 1, unit_amount: 100 }));

describe('A printed receipt', { concurrency: 2 }, () => {
  const started = checkoutForSuite(sqlite);

  async function withReceipt(javaScript: boolean, work: (page: Page) => Promise<void>): Promise<void> {
    const { merchant, visit } = started();
    const session = await merchant.newSession({ amount: 400, line_items: items });
    await visit({ javaScript, colorScheme: 'dark' }, async ({ page }) => {
      await payByCard(page, session.url, goodCard);
      await seesReceipt(page);
      await work(page);
    });
  }

  it('opens the print dialog of the browser from a button, with the collapsed items', () =>
    withReceipt(true, async (page) => {
      await page.evaluate(`globalThis.printed = []; globalThis.print = () => {
        dispatchEvent(new Event('beforeprint'));
        printed.push(document.querySelectorAll('details[open]').length);
      }`);
      await press(page, 'Print');
      assert.deepEqual(await page.evaluate('printed'), [1]);
    }));

  it('has no button without JavaScript', () =>
    withReceipt(false, async (page) => {
      assert.equal(await page.getByRole('button').count(), 0);
    }));

  for (const javaScript of [true, false]) {
    it(`is dark on white, complete, and without buttons, ${javaScript ? 'with' : 'without'} JavaScript`, () =>
      withReceipt(javaScript, async (page) => {
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        assert.equal(await page.locator('button:visible, a:visible, footer:visible').count(), 0);
        for (const text of ['Shop of Tests', '€4.00', 'Visa •••• 4242', 'Kettle', 'Test mode'])
          assert.ok(await page.getByText(text).first().isVisible(), text);
        // The height of the list shows that no item is hidden behind a scroll bar.
        assert.deepEqual(
          await page.evaluate(`{
            const { scrollHeight, clientHeight } = document.querySelector('ul');
            const colours = [getComputedStyle(document.querySelector('h1')).color, getComputedStyle(document.body).backgroundColor];
            [scrollHeight > 100, scrollHeight === clientHeight, ...colours];
          }`),
          [true, true, 'rgb(0, 0, 0)', 'rgb(255, 255, 255)'],
        );
        const paper = await page.pdf({ format: 'A4' });
        assert.equal(paper.toString('latin1').match(/\/Type \/Page\b/g)?.length, 1, 'one page');
      }));
  }
});
