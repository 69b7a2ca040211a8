// What changes while the form is shown, over the API or in another window: the page finds out by itself, on its own and
// embedded.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { type Fields, must } from '../support/api-client.ts';
import { type Checkout, checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { challengedCard, declinedCard, goodCard, paidOnce } from './browsing-customer.ts';
import {
  calledBack,
  embeddingShopForSuite,
  fillCardIn,
  frameAt,
  payIn,
  seenBy,
  seesHeadingIn,
} from './embedding-shop.ts';

describe('A form that is shown while its session changes', { concurrency: 3 }, () => {
  const started = checkoutForSuite(sqlite);
  const { atShop, embeds } = embeddingShopForSuite();
  const expiredTitle = 'This payment page has expired';

  type Opened = (page: Page, checkout: Checkout, session: Fields) => Promise<FrameLocator>;
  const places: Readonly<Record<string, { readonly terms: Fields; readonly opened: Opened }>> = {
    hosted: {
      terms: { payment_method_types: ['card'] },
      async opened(page, _checkout, session) {
        await page.goto(String(session.url));
        return page.locator(':root') as unknown as FrameLocator;
      },
    },
    embedded: {
      terms: { payment_method_types: ['card'], ui_mode: 'embedded' },
      async opened(page, checkout, session) {
        await page.goto(embeds(checkout, [session]));
        await calledBack(page, 'loaded0');
        return frameAt(page);
      },
    },
  };

  const statusRequests = (requests: readonly string[], session: Fields): number =>
    requests.filter((request) => request.includes(String(session.id)) && request.endsWith('/status')).length;

  /** Lets time pass in the page until it asks the next time. */
  async function letAsk(page: Page): Promise<void> {
    const asked = page.waitForResponse(/\/status$/);
    await page.clock.runFor(16_000);
    await (await asked).finished();
  }

  for (const [place, { terms, opened }] of Object.entries(places)) {
    describe(place, () => {
      it('shows that the session was expired over the API', async () => {
        const { merchant, visit } = started();
        const session = await merchant.newSession(terms);
        await visit(atShop({ expectedStatus: 410 }), async ({ page }) => {
          await page.clock.install();
          const shown = await opened(page, started(), session);
          await fillCardIn(shown, goodCard);
          must(200, await merchant.test.post(`/checkout-sessions/${session.id}/expire`));
          await page.clock.runFor(16_000);
          await seesHeadingIn(shown, expiredTitle);
          if (place === 'embedded') assert.deepEqual(await calledBack(page, 'expired0'), { session: session.id });
        });
      });

      it('shows that the payment was canceled', async () => {
        const { merchant, visit } = started();
        const session = await merchant.newSession(terms);
        await visit(atShop({ expectedStatus: 410 }), async ({ page }) => {
          await page.clock.install();
          const shown = await opened(page, started(), session);
          must(200, await merchant.test.post(`/payment-intents/${session.payment_intent}/cancel`));
          await page.clock.runFor(16_000);
          await seesHeadingIn(shown, 'Payment cancelled');
          if (place === 'embedded') assert.deepEqual(await calledBack(page, 'expired0'), { session: session.id });
        });
      });

      it('shows the receipt of a payment that was made in another window, but leaves a form alone whose payment is being confirmed there', async () => {
        const { merchant, visit } = started();
        const session = await merchant.newSession(terms);
        await visit(atShop(), async ({ page, context }) => {
          await page.clock.install();
          const shown = await opened(page, started(), session);
          await fillCardIn(shown, goodCard);
          const other = await context.newPage();
          const inOther = await opened(other, started(), session);
          await payIn(inOther, challengedCard);
          const bank = place === 'embedded' ? inOther.frameLocator('dialog iframe') : inOther;
          await seesHeadingIn(bank, 'Confirm your identity');
          await letAsk(page);
          await letAsk(page);
          assert.equal(await shown.locator('#cvc').inputValue(), '123');
          await bank.getByRole('button', { name: 'Complete authentication' }).click();
          await seesHeadingIn(inOther, 'Payment successful');
          await page.clock.runFor(16_000);
          await seesHeadingIn(shown, 'Payment successful');
          if (place === 'embedded') await calledBack(page, 'complete0');
          await paidOnce(started(), session);
        });
      });

      it('shows a new amount, and keeps what was typed and the focus', async () => {
        const { merchant, visit } = started();
        const session = await merchant.newSession(terms);
        await visit(atShop(), async ({ page }) => {
          await page.clock.install();
          const shown = await opened(page, started(), session);
          await fillCardIn(shown, goodCard);
          must(200, await merchant.test.patch(`/checkout-sessions/${session.id}`, { amount: 9_900 }));
          await page.clock.runFor(16_000);
          await seesHeadingIn(shown, 'The amount is now €99.00');
          assert.equal(await shown.locator('#number').inputValue(), '4242 4242 4242 4242');
          assert.equal(await shown.locator('#name').inputValue(), 'Ann Example');
          await until('the focus is where it was', () =>
            shown.locator('#name').evaluate((field) => field === document.activeElement),
          );
          await shown.locator('#cvc').fill('123');
          await shown.getByRole('button', { name: 'Pay €99.00' }).click();
          await seesHeadingIn(shown, 'Payment successful');
          await paidOnce(started(), { ...session, amount: 9_900 });
        });
      });

      it('asks every 15 seconds, one request at a time, and keeps what was typed', async () => {
        const { merchant, visit } = started();
        const session = await merchant.newSession(terms);
        await visit(atShop({ expectedMessages: /ERR_CONNECTION_FAILED/ }), async ({ page, requests }) => {
          // Paused: otherwise time also passes by itself, and the more, the slower the machine is.
          const now = Date.now();
          await page.clock.install({ time: now });
          await page.clock.pauseAt(now + 1_000);
          const shown = await opened(page, started(), session);
          await fillCardIn(shown, goodCard);
          const { promise: released, resolve: release } = Promise.withResolvers<void>();
          await letAsk(page);
          const soon = statusRequests(requests, session);
          await page.clock.runFor(10_000);
          assert.equal(statusRequests(requests, session), soon);
          await page.route(
            '**/status',
            async (route) => {
              await released;
              await route.abort('connectionfailed');
            },
            { times: 1 },
          );
          const asking = page.waitForRequest(/\/status$/);
          await page.clock.runFor(16_000);
          await asking;
          const before = statusRequests(requests, session);
          await page.clock.runFor(20_000);
          assert.equal(statusRequests(requests, session), before, 'the last request has no response yet');
          const failed = page.waitForEvent('requestfailed');
          release();
          await failed;
          await letAsk(page);
          assert.equal(await shown.locator('#cvc').inputValue(), '123');
          await page.clock.resume();
          await shown.locator('form button.primary').click();
          await seesHeadingIn(shown, 'Payment successful');
        });
      });

      it('asks nothing while nobody sees it, and at once when somebody does', async () => {
        const { merchant, visit } = started();
        const session = await merchant.newSession(terms);
        await visit(atShop({ expectedStatus: 410 }), async ({ page, context, requests }) => {
          await context.addInitScript(
            `Object.defineProperty(Document.prototype, 'hidden', { get: () => globalThis.name === 'hidden' })`,
          );
          await page.clock.install();
          const shown = await opened(page, started(), session);
          const setHidden = async (hidden: boolean): Promise<void> => {
            for (const frame of page.frames()) await frame.evaluate(`globalThis.name = '${hidden ? 'hidden' : ''}'`);
          };
          await setHidden(true);
          const before = statusRequests(requests, session);
          await page.clock.runFor(120_000);
          assert.equal(statusRequests(requests, session), before);
          must(200, await merchant.test.post(`/checkout-sessions/${session.id}/expire`));
          await setHidden(false);
          await page.clock.runFor(1_500);
          await seesHeadingIn(shown, expiredTitle);
        });
      });

      it('never interrupts a payment that is being sent', async () => {
        const { merchant, visit } = started();
        const session = await merchant.newSession(terms);
        await visit(atShop(), async ({ page }) => {
          await page.clock.install();
          const shown = await opened(page, started(), session);
          const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
          await page.route('**/status', async (route) => {
            await answered;
            await route.fulfill({ json: { done: true, payable: false, ended: true, seconds_left: 0, amount: 1 } });
          });
          await fillCardIn(shown, declinedCard);
          const asking = page.waitForRequest(/\/status$/);
          await page.clock.runFor(16_000);
          await asking;
          const { promise: held, resolve: release } = Promise.withResolvers<void>();
          await page.route('**/pay', async (route) => {
            await held;
            await route.continue();
          });
          await shown.locator('form button.primary').click();
          await shown.locator('form[aria-busy=true]').waitFor();
          const read = page.waitForResponse(/\/status$/);
          answer();
          await (await read).finished();
          release();
          await shown.getByRole('alert').getByRole('heading', { name: 'Your card was declined' }).waitFor();
          assert.equal(await shown.locator('#name').inputValue(), 'Ann Example');
          if (place === 'embedded')
            assert.deepEqual(
              (await seenBy(page)).calls.map(([name]) => name),
              ['loaded0'],
            );
        });
      });
    });
  }
});
