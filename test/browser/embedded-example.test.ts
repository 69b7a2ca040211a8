// The example that embeds the checkout, as `npm run demo:embedded` starts it: a customer buys something in its page.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { launchBrowser, visit } from '../support/browser.ts';
import { type Program, startProgram } from '../support/child-process.ts';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { declinedCard, goodCard, press, seesHeading } from './browsing-customer.ts';
import { payButtonIn, payIn } from './embedding-shop.ts';

describe('The example of the embedded checkout', () => {
  let shopUrl: string;
  let paydeskUrl: string;
  let program: Program;
  let browser: Browser;
  const cleanUps: (() => Promise<void>)[] = [];
  const suite = cleanUpInReverse({ after: (work) => cleanUps.push(work) });

  before(async () => {
    browser = await launchBrowser(suite);
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-embedded-'));
    suite.after(() => rm(folder, { recursive: true, force: true }));
    const [port, shopPort] = [await freePort(), await freePort()];
    program = startProgram(new URL('../../examples/embedded/demo.ts', import.meta.url), null, {
      DEMO_FOLDER: folder,
      PORT: String(port),
      SHOP_PORT: String(shopPort),
      PAYDESK_METRICS_ADDRESS: 'off',
    });
    suite.after(async () => {
      process.kill(program.pid, 'SIGTERM');
      assert.equal(await program.ended(), 0);
    });
    [shopUrl, paydeskUrl] = [`http://localhost:${shopPort}`, `http://localhost:${port}`];
    await until('the demo prints its link', () =>
      program.lines.some((line) => line.includes(`Buy something:  ${shopUrl}`)),
    );
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  const shopping = (work: (page: Page, frame: FrameLocator) => Promise<void>, javaScript = true): Promise<void> =>
    visit(browser, [shopUrl, paydeskUrl], { javaScript }, async ({ page }) => {
      await page.goto(shopUrl);
      await press(page, 'Buy coffee');
      await work(page, page.frameLocator('#checkout iframe'));
    });

  it('sells coffee by card without leaving the page, after a declined one', () =>
    shopping(async (page, frame) => {
      await frame.locator('#by-card').check();
      await payIn(frame, declinedCard);
      await frame.getByRole('alert').getByRole('heading', { name: 'Your card was declined' }).waitFor();
      await payIn(frame, goodCard);
      await seesHeading(page, 'Thank you, your order is paid');
      const orderId = new URL(page.url()).pathname.split('/').at(-1);
      assert.ok(program.lines.includes(`order ${orderId} is paid`));
    }));

  it('sells coffee by iDEAL, through the bank and back to the page of the order', () =>
    shopping(async (page, frame) => {
      await frame.getByLabel('iDEAL', { exact: true }).check();
      await payButtonIn(frame).click();
      await press(page, 'Decline payment');
      await page.waitForURL(`${shopUrl}/orders/**`);
      await frame.getByRole('heading', { name: 'The payment was not authorised' }).waitFor();
      await frame.getByLabel('iDEAL', { exact: true }).check();
      await payButtonIn(frame).click();
      await press(page, 'Authorise payment');
      await seesHeading(page, 'Thank you, your order is paid');
    }));

  it('says that a direct debit is on its way, and by itself when it is paid', () =>
    shopping(async (page, frame) => {
      await frame.getByLabel('SEPA Direct Debit', { exact: true }).check();
      await payButtonIn(frame).click();
      await press(page, 'Authorise payment');
      await seesHeading(page, 'Thank you, your payment is on its way');
      await seesHeading(page, 'Thank you, your order is paid');
    }));

  it('says that it needs JavaScript', () =>
    shopping(
      async (page) => page.locator('noscript p', { hasText: 'Please turn on JavaScript to pay.' }).waitFor(),
      false,
    ));
});
