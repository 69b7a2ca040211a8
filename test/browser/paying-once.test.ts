// Double clicks, several tabs and changed orders: nobody pays twice, and nobody pays an amount they did not see.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import {
  fillCard,
  goodCard,
  hasStatus,
  intentOf,
  paidOnce,
  payButton,
  payByCard,
  seesHeading,
  seesReceipt,
} from './browsing-customer.ts';

describe('paying once', { concurrency: 4 }, () => {
  const started = checkoutForSuite(sqlite);

  it('charges once for a double click, and shows that the button is busy', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page, requests }) => {
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      // The page is gone too soon to be inspected from here, so it records what it shows.
      await page.evaluate(`{
        const form = document.querySelector('form');
        const button = form.querySelector('button');
        new MutationObserver(() => {
          const shown = [button.disabled, button.innerText, form.ariaBusy, document.querySelector('#said').textContent];
          sessionStorage.setItem('busy', shown.join(' '));
        }).observe(form, { subtree: true, childList: true, attributes: true });
      }`);
      await payButton(page).dblclick();
      await seesReceipt(page);
      assert.equal(await page.evaluate("sessionStorage.getItem('busy')"), 'true Processing… true Processing…');
      assert.equal(requests.filter((request) => request.startsWith('POST')).length, 1);
      await paidOnce(started(), session);
    });
  });

  it('charges once for a double click without script', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({ javaScript: false }, async ({ page }) => {
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      await payButton(page).dblclick();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('shows the receipt and not the form when the customer goes back after paying', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, goodCard);
      await seesReceipt(page);
      await page.goBack();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('charges once for two tabs of a session, and shows the receipt in both', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ context, page }) => {
      const tabs = [page, await context.newPage()];
      for (const tab of tabs) {
        await tab.goto(String(session.url));
        await fillCard(tab, { number: goodCard });
      }
      await Promise.all(tabs.map((tab) => payButton(tab).click()));
      await Promise.all(tabs.map(seesReceipt));
      await paidOnce(started(), session);
    });
  });

  it('shows an amount that changed while the page was open before charging anything', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      must(200, await merchant.test.patch(`/checkout-sessions/${session.id}`, { amount: 2500 }));
      await payButton(page).click();
      await seesHeading(page, 'The amount is now €25.00');
      assert.equal(await payButton(page).innerText(), 'Pay €25.00');
      const intent = await hasStatus(started(), session, 'requires_payment_method');
      assert.equal(intent.amount_captured, 0);
      await fillCard(page, { number: goodCard });
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(started(), session);
      await page.getByText('€25.00').first().waitFor();
    });
  });

  it('counts down the last five minutes, and says when the page has expired', async (test) => {
    const { merchant, visit, clock, shopUrl } = await started().withOwnPaydesk(test);
    const session = await merchant.newSession({ cancel_url: `${shopUrl}/cart` });
    await visit({ expectedStatus: 410 }, async ({ page }) => {
      await page.clock.install();
      await page.goto(String(session.url));
      assert.equal(await page.locator('#timer').isVisible(), false);
      clock.skip(26 * 60_000);
      await page.reload();
      await page.clock.runFor(1_000);
      assert.match(await page.locator('#timer').innerText(), /^Time left to pay [0-3]:\d\d$/);
      clock.skip(4 * 60_000);
      await page.clock.runFor(4 * 60_000 + 2_000);
      await seesHeading(page, 'This payment page has expired');
      await page.getByRole('link', { name: `Return to ${merchant.merchant.name}` }).click();
      await page.waitForURL(`${shopUrl}/cart`);
    });
  });

  it('keeps the form and what was typed if the shop has extended the session in the meantime', async (test) => {
    const { merchant, visit, clock } = await started().withOwnPaydesk(test);
    const session = await merchant.newSession({ expires_in: 300 });
    await visit({ expectedStatus: 410 }, async ({ page, requests }) => {
      await page.clock.install();
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      must(200, await merchant.test.patch(`/checkout-sessions/${session.id}`, { expires_in: 1_200 }));
      clock.skip(302_000);
      await page.clock.runFor(302_000);
      await page.locator('#timer').waitFor({ state: 'hidden' });
      assert.ok(requests.some((request) => request === `GET ${session.url}/status`));
      assert.equal(await page.inputValue('#number'), '4242 4242 4242 4242');
      assert.equal(await page.inputValue('#cvc'), '123');
      clock.skip(900_000);
      await page.clock.runFor(902_000);
      await seesHeading(page, 'This payment page has expired');
    });
  });

  it('charges nothing for a form that is sent after the session has expired', async (test) => {
    const checkout = await started().withOwnPaydesk(test);
    const { merchant, visit, clock } = checkout;
    const session = await merchant.newSession();
    await visit({ expectedStatus: 410 }, async ({ page }) => {
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      clock.skip(31 * 60_000);
      await payButton(page).click();
      await seesHeading(page, 'This payment page has expired');
      const { status } = must(200, await merchant.test.get(`/checkout-sessions/${session.id}`));
      assert.equal(status, 'expired');
      const intent = await intentOf(checkout, session);
      assert.deepEqual([intent.amount_captured, intent.last_payment_error], [0, null]);
    });
  });
});
