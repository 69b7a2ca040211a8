// After a failed payment, customers retype as little as possible: which fields stay filled in, at which URL, and that card
// data is kept only in those fields.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import {
  brandShown,
  challengedCard,
  declinedCard,
  fillCard,
  goodCard,
  hasStatus,
  keptCard,
  paidOnce,
  payButton,
  payByCard,
  press,
  seesDecline,
  seesHeading,
  seesReceipt,
} from './browsing-customer.ts';

const lostCard = '4000000000009987';
const wrongCvcCard = '4000000000000127';

/** Everything that a page can store in the browser, as one text. */
async function storedInBrowser(page: Page): Promise<string> {
  const inPage = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie, document.referrer])',
  );
  return `${inPage} ${JSON.stringify(await page.context().cookies())}`;
}

describe('a form that is shown again', { concurrency: 4 }, () => {
  // Two declines in a session are followed by a wait.
  const started = checkoutForSuite(sqlite, { settings: { PAYDESK_DECLINES_PER_SESSION: '8' } });

  it('keeps the number and expiry in the page after a decline, so that only the CVC is typed again', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page, requests }) => {
      await payByCard(page, session.url, wrongCvcCard);
      await seesDecline(page, 'Your security code is incorrect', keptCard(wrongCvcCard));
      await page.locator('#cvc:focus').waitFor();
      assert.equal(await brandShown(page), 'Visa');
      assert.equal(page.url(), session.url);
      // The address contains random digits: the port, and those of the session's id.
      const { host } = new URL(page.url());
      const stored = await storedInBrowser(page);
      const kept = stored.replaceAll(host, '').replaceAll(String(session.id), '');
      for (const trace of ['4000', '0127', '12 / 34', '123', 'Ann'])
        assert.ok(!kept.includes(trace), `${trace} ${kept}`);
      // Sent again with a new token.
      await page.fill('#number', goodCard);
      await page.fill('#cvc', '123');
      await page.keyboard.press('Enter');
      await seesReceipt(page);
      assert.equal(requests.filter((request) => request.startsWith('POST')).length, 2);
      await paidOnce(started(), session);
    });
  });

  it('clears a number that cannot work, and focuses its field', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, lostCard);
      await seesDecline(page, 'Your card was declined');
      await page.locator('#number:focus').waitFor();
      assert.equal(await brandShown(page), null);
    });
  });

  it('keeps them if the amount has changed, and charges the new amount', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      must(200, await merchant.test.patch(`/checkout-sessions/${session.id}`, { amount: 2500 }));
      await payButton(page).click();
      await seesDecline(page, 'The amount is now €25.00', keptCard(goodCard));
      assert.equal(await payButton(page).innerText(), 'Pay €25.00');
      await page.getByText('€25.00').first().waitFor();
      await page.fill('#cvc', '123');
      await payButton(page).dblclick();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('keeps them if the customer has to wait', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, declinedCard);
      // Each wait is twice as long as the one before: sooner or later even a slow machine is back before it is over.
      const declined = 'Your card was declined';
      const wait = 'Please wait a moment';
      for (let title = declined; title !== wait; ) {
        const heading = page.getByRole('alert').getByRole('heading', { name: new RegExp(`^(${declined}|${wait})$`) });
        title = await heading.innerText();
        await seesDecline(page, title, keptCard(declinedCard));
        await page.fill('#cvc', '123');
        if (title === wait) break;
        // Shown again with the next response.
        await heading.evaluate((shown) => shown.remove());
        await payButton(page).click();
        await page.locator('form[aria-busy=true]').waitFor({ state: 'detached' });
      }
      assert.equal(page.url(), session.url);
    });
  });

  it('keeps a method other than card', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession({ payment_method_types: ['card', 'ideal', 'eps'] });
    await visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await page.getByLabel('EPS', { exact: true }).check();
      must(200, await merchant.test.patch(`/checkout-sessions/${session.id}`, { amount: 2500 }));
      await payButton(page).click();
      await seesHeading(page, 'The amount is now €25.00');
      assert.equal(await page.isChecked('#by-eps'), true);
      await page.reload();
      assert.equal(await page.isChecked('#by-eps'), true);
      assert.equal(await page.getByRole('alert').count(), 0);
    });
  });

  it('shows the error page for a failure of the server, and charges the card only once', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({ expectedStatus: 503 }, async ({ page }) => {
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      let sent = 0;
      await page.route('**/pay', (route) => {
        sent += 1;
        return sent <= 2
          ? route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Something went wrong on our side</h1>' })
          : route.continue();
      });
      await payButton(page).click();
      await seesHeading(page, 'Something went wrong on our side');
      await payByCard(page, session.url, goodCard);
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  for (const javaScript of [true, false]) {
    const how = javaScript ? '' : ', without script';

    it(`has the URL of the session, which can be opened again${how}`, async () => {
      const { merchant, visit } = started();
      const session = await merchant.newSession();
      await visit({ javaScript }, async ({ page }) => {
        await payByCard(page, session.url, declinedCard);
        await seesDecline(page, 'Your card was declined', javaScript ? keptCard(declinedCard) : undefined);
        assert.equal(page.url(), session.url);
        await page.reload();
        await seesDecline(page, 'Your card was declined');
        await page.goto(`${session.url}/pay`);
        assert.equal(page.url(), session.url);
        await seesDecline(page, 'Your card was declined');
      });
    });

    for (const [button, title] of [
      ['Fail authentication', 'Your bank could not verify your identity'],
      ['Cancel and choose another method', 'You cancelled the payment'],
    ] as const) {
      it(`keeps the name after "${button}"${how}`, async () => {
        const { merchant, visit } = started();
        const session = await merchant.newSession({ payment_method_types: ['ideal', 'card'] });
        await visit({ javaScript }, async ({ page }) => {
          await page.goto(String(session.url));
          await page.getByLabel('Card', { exact: true }).check();
          await fillCard(page, { number: challengedCard });
          await payButton(page).click();
          await press(page, button);
          await seesDecline(page, title);
          assert.equal(await page.isChecked('#by-card'), true);
          assert.equal(page.url(), session.url);
          await page.reload();
          await seesDecline(page, title);
          await page.getByLabel('iDEAL', { exact: true }).check();
          await payButton(page).click();
          await press(page, 'Authorise payment');
          await seesReceipt(page);
          await paidOnce(started(), session);
          assert.deepEqual(await page.context().cookies(), [], 'no cookies are kept after the payment');
        });
      });
    }

    it(`is shown when the customer returns from the bank to choose another method${how}`, async () => {
      const { merchant, visit } = started();
      const session = await merchant.newSession({ payment_method_types: ['card', 'ideal'] });
      await visit({ javaScript }, async ({ page }) => {
        await page.goto(String(session.url));
        await page.getByLabel('iDEAL', { exact: true }).check();
        await payButton(page).click();
        await press(page, 'Cancel and choose another method');
        await seesHeading(page, 'You cancelled the payment');
        await hasStatus(started(), session, 'requires_payment_method');
        assert.equal(await page.isChecked('#by-ideal'), true);
        await page.getByLabel('Card', { exact: true }).check();
        await fillCard(page, { number: goodCard });
        await payButton(page).click();
        await seesReceipt(page);
        await paidOnce(started(), session);
      });
    });
  }

  it('shows the reason and the selected method without script', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession({ payment_method_types: ['ideal', 'card'] });
    await visit({ javaScript: false }, async ({ page }) => {
      await page.goto(String(session.url));
      await page.getByLabel('Card', { exact: true }).check();
      await fillCard(page, { number: goodCard });
      must(200, await merchant.test.patch(`/checkout-sessions/${session.id}`, { amount: 2500 }));
      await payButton(page).click();
      await seesDecline(page, 'The amount is now €25.00');
      assert.equal(await page.isChecked('#by-card'), true);
      await fillCard(page, { number: goodCard });
      await payButton(page).dblclick();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });
});

describe('a form that is shown again after too many declines', () => {
  const started = checkoutForSuite(sqlite, { settings: { PAYDESK_DECLINES_PER_SESSION: '1' } });

  it('looks like the page that the server shows, with a greyed card and the reason below it', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession({ payment_method_types: ['card', 'ideal'] });
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, declinedCard);
      await seesDecline(page, 'Your card was declined', keptCard(declinedCard));
      await page.fill('#cvc', '123');
      const shownAgain = page.waitForResponse(/problem=too_many_declines/);
      await payButton(page).click();
      const url = (await shownAgain).url();
      const reason = page.locator('#why-card small');
      await reason.waitFor();
      const look = () =>
        page.evaluate(`['label[for=by-card]', '#why-card', '#why-card small'].map((selector) => {
          const element = document.querySelector(selector);
          const { color, cursor, gridColumn, marginTop, marginLeft } = getComputedStyle(element);
          return { color, cursor, gridColumn, marginTop, marginLeft };
        })`);
      const inPlace = await look();
      await page.goto(url);
      await reason.waitFor();
      assert.deepEqual(inPlace, await look());
      const colorOf = (selector: string) =>
        page.locator(selector).evaluate((element) => getComputedStyle(element).color);
      const lines = await reason.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
      });
      assert.ok(lines <= 3, `the reason has ${lines} lines`);
      assert.notEqual(await colorOf('label[for=by-card]'), await colorOf('label[for=by-ideal]'));
    });
  });
});
