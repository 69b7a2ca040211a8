// How customers leave the checkout: through one of our pages to the shop, wherever it redirects, and not through a link
// while a payment is in progress.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { must } from '../support/api-client.ts';
import { checkoutForSuite, startShop } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { axe, violationsOn } from './axe.ts';
import {
  challengedCard,
  fillCard,
  goodCard,
  paidOnce,
  payButton,
  payByCard,
  press,
  seesDecline,
  seesHeading,
  seesReceipt,
  slowCard,
} from './browsing-customer.ts';
import { startHoldingProxy } from './holding-proxy.ts';

/** From then on, time passes in the page only as the test lets it. */
async function fillCardAndStopClock(page: Page, session: { readonly url?: unknown }): Promise<void> {
  const openedAt = Date.now();
  await page.clock.install({ time: openedAt });
  await page.goto(String(session.url));
  await fillCard(page, { number: goodCard });
  await page.clock.pauseAt(openedAt + 600_000);
}

describe('leaving the checkout', { concurrency: 4 }, () => {
  const started = checkoutForSuite(sqlite);

  for (const javaScript of [true, false]) {
    const how = javaScript ? '' : ', without script';

    it(`reaches a shop that redirects to another origin${how}`, async (test) => {
      const { merchant, visit, shopUrl } = started();
      const apex = await startShop(test, shopUrl);
      const session = await merchant.newSession({ return_url: `${apex}/thanks?of={CHECKOUT_SESSION_ID}` });
      await visit({ javaScript, sites: [apex] }, async ({ page }) => {
        await payByCard(page, session.url, goodCard);
        await page.waitForURL(`${shopUrl}/thanks?of=${session.id}`);
        await paidOnce(started(), session);
      });
    });

    it(`reaches it through a challenge and through a bank page${how}`, async (test) => {
      const { merchant, visit, shopUrl } = started();
      const apex = await startShop(test, shopUrl);
      const session = await merchant.newSession({ return_url: `${apex}/thanks` });
      const atBank = await merchant.newSession({ return_url: `${apex}/paid`, payment_method_types: ['ideal'] });
      await visit({ javaScript, sites: [apex] }, async ({ page }) => {
        await payByCard(page, session.url, challengedCard);
        await press(page, 'Complete authentication');
        await page.waitForURL(`${shopUrl}/thanks`);
        await page.goto(String(atBank.url));
        await payButton(page).click();
        await press(page, 'Authorise payment');
        await page.waitForURL(`${shopUrl}/paid`);
      });
      await paidOnce(started(), session);
      await paidOnce(started(), atBank);
    });

    it(`uses the current return_url, even if it changed while the page was open${how}`, async (test) => {
      const { merchant, visit, shopUrl } = started();
      const other = await startShop(test);
      const session = await merchant.newSession({ return_url: `${shopUrl}/thanks` });
      await visit({ javaScript, sites: [other] }, async ({ page }) => {
        await page.goto(String(session.url));
        await fillCard(page, { number: goodCard });
        must(200, await merchant.test.patch(`/checkout-sessions/${session.id}`, { return_url: `${other}/moved` }));
        await payButton(page).click();
        await page.waitForURL(`${other}/moved`);
        await paidOnce(started(), session);
      });
    });

    it(`never leads back to a form or into a loop with the back button${how}`, async () => {
      const { merchant, visit, shopUrl } = started();
      const session = await merchant.newSession({ return_url: `${shopUrl}/thanks` });
      await visit({ javaScript }, async ({ page, requests }) => {
        await page.goto(`${shopUrl}/cart`);
        await payByCard(page, session.url, goodCard);
        await page.waitForURL(`${shopUrl}/thanks`);
        await page.goBack();
        await page.waitForURL(`${shopUrl}/thanks`);
        assert.equal(await page.locator('form').count(), 0);
        await page.goBack();
        await page.waitForURL(`${shopUrl}/cart`);
        assert.equal(requests.filter((request) => request.startsWith('POST')).length, 1);
        await paidOnce(started(), session);
      });
    });

    it(`redirects to the shop when a payment settles while the customer waits${how}`, async (test) => {
      const checkout = await started().withOwnPaydesk(test);
      const { merchant, visit, clock, shopUrl } = checkout;
      const apex = await startShop(test, shopUrl);
      const session = await merchant.newSession({ return_url: `${apex}/thanks` });
      await visit({ javaScript, sites: [apex] }, async ({ page }) => {
        await payByCard(page, session.url, slowCard);
        await seesHeading(page, 'Processing your payment');
        clock.skip(5_000);
        await page.waitForURL(`${shopUrl}/thanks`);
        await paidOnce(checkout, session);
      });
    });

    it(`works on localhost instead of 127.0.0.1, with a challenge${how}`, async () => {
      const { merchant, paydesk, visit } = started();
      const session = await merchant.newSession();
      const local = paydesk.url.replace('127.0.0.1', 'localhost');
      await visit({ javaScript, sites: [local] }, async ({ page, requests }) => {
        await payByCard(page, `${local}/checkout/${session.id}`, challengedCard);
        await press(page, 'Complete authentication');
        await seesReceipt(page);
        assert.ok(
          requests.every((request) => request.includes(` ${local}/`)),
          requests.join('\n'),
        );
        await paidOnce(started(), session);
      });
    });
  }

  it('shows the form again after a failed challenge, and accepts another card', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ return_url: `${shopUrl}/thanks` });
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, challengedCard);
      await press(page, 'Fail authentication');
      await seesDecline(page, 'Your bank could not verify your identity');
      await fillCard(page, { number: goodCard });
      await payButton(page).click();
      await page.waitForURL(`${shopUrl}/thanks`);
      await paidOnce(started(), session);
    });
  });

  it('disables "Cancel" for mouse and keyboard while a payment is in progress', async (test) => {
    const { merchant, paydesk, visit, shopUrl } = started();
    const session = await merchant.newSession({ cancel_url: `${shopUrl}/cart` });
    const proxy = await startHoldingProxy(test, paydesk.url, /\/pay$/);
    await visit({ sites: [proxy.url] }, async ({ page, requests }) => {
      await page.goto(`${proxy.url}/checkout/${session.id}`);
      await fillCard(page, { number: goodCard });
      const cancel = page.getByRole('link', { name: 'Cancel' });
      await cancel.scrollIntoViewIfNeeded();
      const place = await cancel.boundingBox();
      assert.ok(place !== null);
      // A page that is being left cannot be inspected from here, so it records its events.
      await page.evaluate(`for (const type of ['click', 'focusin']) addEventListener(type, ({ target }) =>
        sessionStorage.setItem(type, (sessionStorage.getItem(type) ?? '') + target.outerHTML.slice(0, 60)));`);
      await page.keyboard.press('Enter');
      await proxy.held;
      await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
      for (let tabs = 0; tabs < 20; tabs += 1) await page.keyboard.press('Tab');
      proxy.release();
      await seesReceipt(page);
      const seen = async (what: string) => String(await page.evaluate(`sessionStorage.getItem('${what}')`));
      assert.match(await seen('click'), /<a role="link" aria-disabled="true"/);
      assert.match(await seen('focusin'), /<input/);
      assert.doesNotMatch(await seen('focusin'), /<a /);
      assert.ok(!requests.some((request) => request.includes(shopUrl)), requests.join('\n'));
      await paidOnce(started(), session);
    });
  });

  it('does not reload an expired page while a payment may be in progress', async (test) => {
    const { merchant, visit, shopUrl } = await started().withOwnPaydesk(test);
    const session = await merchant.newSession({ expires_in: 300, cancel_url: `${shopUrl}/cart` });
    await visit({ expectedStatus: 503 }, async ({ page, requests }) => {
      await page.clock.install();
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      // No response leaves the page, and the status of the payment is unavailable.
      await page.route('**/pay', (route) => route.fulfill({ status: 204 }));
      await page.route('**/status', (route) => route.fulfill({ status: 503 }));
      await payButton(page).click();
      await page.locator('form[aria-busy=true]').waitFor();
      await page.clock.runFor(310_000);
      assert.equal(await payButton(page).isDisabled(), true);
      assert.equal(await page.getByRole('link', { name: 'Cancel' }).getAttribute('aria-disabled'), 'true');
      assert.equal(
        requests.filter((request) => request === `GET ${session.url}`).length,
        1,
        'the page is not reloaded',
      );
      await page.evaluate(axe);
      for (const theme of ['light', 'dark'] as const) assert.deepEqual(await violationsOn(page, theme), []);
    });
  });

  it('says that the connection failed, and lets the customer pay again once nothing was charged', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ cancel_url: `${shopUrl}/cart` });
    await visit({ expectedMessages: /ERR_(?:CONNECTION_FAILED|INTERNET_DISCONNECTED)/ }, async ({ page }) => {
      await page.clock.install();
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      await page.route('**/pay', (route) => route.abort('connectionfailed'), { times: 1 });
      await page.route('**/status', (route) => route.abort('internetdisconnected'));
      await payButton(page).click();
      const alert = page.getByRole('alert');
      await alert.getByText('We are checking whether your payment went through.').waitFor();
      await page.clock.runFor(60_000);
      assert.match(await alert.innerText(), /^The connection failed\s+We are checking/);
      assert.equal(await payButton(page).isDisabled(), true);
      await page.evaluate(axe);
      for (const theme of ['light', 'dark'] as const) assert.deepEqual(await violationsOn(page, theme), []);
      await page.unroute('**/status');
      await until('the form can be sent again', async () => {
        await page.clock.runFor(1_000);
        return !(await payButton(page).isDisabled());
      });
      assert.match(await alert.innerText(), /You have not been charged/);
      await page.locator('[role=alert]:focus').waitFor();
      assert.equal(await page.inputValue('#cvc'), '123');
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('does not say that nothing was charged while a request may still be on its way', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ return_url: `${shopUrl}/thanks` });
    await visit({ expectedMessages: /ERR_CONNECTION_RESET/ }, async ({ page }) => {
      await fillCardAndStopClock(page, session);
      const { promise: lost, resolve: isLost } = Promise.withResolvers<Request>();
      await page.route('**/pay', async (route) => {
        await route.abort('connectionreset');
        isLost(route.request());
      });
      await payButton(page).click();
      const request = await lost;
      const alert = page.getByRole('alert').filter({ hasText: 'We are checking' });
      await alert.waitFor();
      const asked = page.waitForResponse(/\/status$/);
      await page.clock.runFor(1_000);
      assert.equal((await (await asked).json()).payable, true);
      // The page has read the response before it gets this one.
      await page.evaluate("fetch(location.pathname + '/status').then((response) => response.text())");
      assert.equal(await alert.count(), 1);
      assert.equal(await payButton(page).isDisabled(), true);
      // It arrives after all.
      const headers = await request.allHeaders();
      await page.request.post(request.url(), { headers, data: request.postDataBuffer(), maxRedirects: 0 });
      await paidOnce(started(), session);
      await until('the shop is open', async () => {
        await page.clock.runFor(1_000);
        return page.url() === `${shopUrl}/thanks`;
      });
    });
  });

  it('says that nothing was charged only once a request that was received would have been recorded', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({ expectedMessages: /ERR_CONNECTION_RESET/ }, async ({ page }) => {
      await fillCardAndStopClock(page, session);
      await page.route('**/pay', (route) => route.abort('connectionreset'));
      await payButton(page).click();
      const alert = page.getByRole('alert');
      await alert.getByText('We are checking').waitFor();
      let waitedMs = 0;
      await until('the page says that nothing was charged', async () => {
        await page.clock.runFor(1_000);
        waitedMs += 1_000;
        return alert.getByText('You have not been charged').isVisible();
      });
      assert.ok(waitedMs > 52_000, `after ${waitedMs} ms`);
      assert.equal(await payButton(page).isDisabled(), false);
    });
  });

  it('continues to the outcome if the response to the form is lost but the payment succeeded', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ return_url: `${shopUrl}/thanks` });
    await visit({}, async ({ page }) => {
      await page.clock.install();
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      // The request arrives, but the response does not.
      await page.route('**/pay', async (route) => {
        await route.fetch({ maxRedirects: 0 });
        await route.fulfill({ status: 204 });
      });
      await payButton(page).click();
      await paidOnce(started(), session);
      await page.locator('form[aria-busy=true]').waitFor();
      await page.clock.runFor(30_000);
      await page.waitForURL(`${shopUrl}/thanks`);
    });
  });

  it('allows sending a lost form again once the server reports that nothing was paid', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ cancel_url: `${shopUrl}/cart` });
    await visit({}, async ({ page, requests }) => {
      await fillCardAndStopClock(page, session);
      await page.route('**/pay', (route) => route.fulfill({ status: 204 }), { times: 1 });
      await payButton(page).click();
      await page.locator('form[aria-busy=true]').waitFor();
      await page.clock.runFor(30_000);
      await until('the page says that it is checking', async () => {
        await page.clock.runFor(100);
        return page.getByRole('alert').getByText('We are checking whether your payment went through.').isVisible();
      });
      await until('the form can be sent again', async () => {
        await page.clock.runFor(1_000);
        return !(await payButton(page).isDisabled());
      });
      assert.ok(requests.some((request) => request.endsWith('/status')));
      assert.match(await page.getByRole('alert').innerText(), /You have not been charged/);
      assert.equal(await page.getByRole('link', { name: 'Cancel' }).getAttribute('href'), `${shopUrl}/cart`);
      assert.equal(await page.inputValue('#number'), '4242 4242 4242 4242');
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });
});
