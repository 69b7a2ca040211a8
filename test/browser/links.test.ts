// Paying a payment link in a browser, with and without JavaScript: the page itself has none.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { entriesOf, type Fields, must } from '../support/api-client.ts';
import { type Checkout, checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { fillCard, goodCard, payButton, press, seesHeading, seesReceipt } from './browsing-customer.ts';

async function newLink({ merchant }: Checkout, fields: Fields = {}): Promise<Fields> {
  return must(201, await merchant.test.post('/payment-links', { amount: 1250, currency: 'EUR', ...fields }));
}

const sessionsOf = async ({ merchant }: Checkout, link: Fields): Promise<Fields[]> =>
  entriesOf(await merchant.test.get(`/checkout-sessions?payment_link=${link.id}`));

describeOnEachEngine('a payment link in a browser', (engine) => {
  const started = checkoutForSuite(engine);

  for (const javaScript of [true, false]) {
    it(`is paid from its page to the receipt, ${javaScript ? 'with' : 'without'} JavaScript`, async () => {
      const link = await newLink(started(), { description: 'Yoga class', max_uses: 1 });
      await started().visit({ javaScript, viewport: 'phone' }, async ({ page }) => {
        await page.goto(String(link.url));
        await page.getByText('Yoga class').waitFor();
        await page.getByText('€12.50').waitFor();
        await press(page, 'Continue to payment');
        await page.waitForURL(/\/checkout\/cs_/);
        await fillCard(page, { number: goodCard });
        await payButton(page).click();
        await seesReceipt(page);
      });
      const paid = must(200, await started().merchant.test.get(`/payment-links/${link.id}`));
      assert.deepEqual([paid.status, paid.times_completed], ['completed', 1]);
      await started().visit({ expectedStatus: 410 }, async ({ page }) => {
        await page.goto(String(link.url));
        await seesHeading(page, 'This link has already been paid');
      });
    });
  }

  it('asks for the amount again, with the reason beside the field, and takes it with the keyboard alone', async () => {
    const link = await newLink(started(), { amount: undefined, type: 'open', minimum_amount: 500 });
    await started().visit({ language: 'de-DE' }, async ({ page }) => {
      await page.goto(String(link.url));
      await page.getByLabel('Betrag (EUR)').focus();
      await page.keyboard.type('1,234');
      await page.keyboard.press('Enter');
      const error = page.locator('#amount-error');
      await error.filter({ hasText: 'Meinen Sie' }).waitFor();
      await page.locator('#amount:focus').waitFor();
      assert.equal(await page.inputValue('#amount'), '1,234');
      assert.equal(await page.getAttribute('#amount', 'aria-invalid'), 'true');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('4,99');
      await page.keyboard.press('Enter');
      await error.filter({ hasText: 'Der kleinste Betrag ist 5,00' }).waitFor();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('1.234,50 €');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/checkout\/cs_/);
      await page.getByText('1.234,50 €').first().waitFor();
    });
    const sessions = await sessionsOf(started(), link);
    assert.deepEqual(
      sessions.map(({ amount }) => amount),
      [123_450],
    );
  });

  it('tells a customer who is too late, and focuses the reason although the form is gone', async () => {
    const link = await newLink(started(), { max_uses: 1 });
    await started().visit({}, async ({ page, context }) => {
      const tabs = [page, await context.newPage()];
      for (const tab of tabs) {
        await context.clearCookies();
        await tab.goto(String(link.url));
        await press(tab, 'Continue to payment');
        await fillCard(tab, { number: goodCard });
      }
      const [late, faster] = tabs as [Page, Page];
      await payButton(faster).click();
      await seesReceipt(faster);
      await late.bringToFront();
      await payButton(late).click();
      const reason = late.getByRole('alert').filter({ hasText: 'Someone else was faster' });
      await until('the reason has the focus', () => reason.evaluate((shown) => shown === document.activeElement));
      assert.equal(await payButton(late).count(), 0);
    });
  });

  it('creates one session for a visitor who double-clicks, goes back, reloads and continues again', async () => {
    const link = await newLink(started());
    await started().visit({}, async ({ page }) => {
      await page.goto(String(link.url));
      await page.getByRole('button', { name: 'Continue to payment' }).dblclick();
      // The second click may end the navigation of the first, and start one to the same page.
      await until('the page of the session is open', () => /\/checkout\/cs_/.test(page.url()));
      await page.waitForLoadState('networkidle');
      const first = page.url();
      await page.goBack();
      await press(page, 'Continue to payment');
      await page.waitForURL(/\/checkout\/cs_/);
      assert.equal(page.url(), first);
      await page.goto(String(link.url));
      await page.reload();
      await press(page, 'Continue to payment');
      await page.waitForURL(/\/checkout\/cs_/);
      assert.equal(page.url(), first);
    });
    assert.equal((await sessionsOf(started(), link)).length, 1);
  });
});
