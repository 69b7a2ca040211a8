// How customers leave the checkout: by way of a page of ours to wherever the shop is and leads, and not by a link of ours
// while a payment is under way.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must } from '../support/api-client.ts';
import { checkoutForSuite, startShop } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { axe, faultsOf } from './axe.ts';
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

describe('leaving the checkout', { concurrency: 4 }, () => {
  const started = checkoutForSuite(sqlite);

  for (const javaScript of [true, false]) {
    const how = javaScript ? '' : ', without script';

    it(`reaches a shop that redirects to yet another origin${how}`, async (test) => {
      const { merchant, visit, shopUrl } = started();
      const apex = await startShop(test, shopUrl);
      const session = await merchant.newSession({ return_url: `${apex}/thanks?of={CHECKOUT_SESSION_ID}` });
      await visit({ javaScript, sites: [apex] }, async ({ page }) => {
        await payByCard(page, session.url, goodCard);
        await page.waitForURL(`${shopUrl}/thanks?of=${session.id}`);
        await paidOnce(started(), session);
      });
    });

    it(`reaches it through a challenge and through a bank, too${how}`, async (test) => {
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

    it(`goes where return_url leads in the end, also when it changed while the page was open${how}`, async (test) => {
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

    it(`"back" from the shop leads to the shop or to before the checkout, never to a form or into a loop${how}`, async () => {
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

    it(`a payment that settles while the customer waits leads on to the shop${how}`, async (test) => {
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

    it(`works under another name of a developer's machine, with a challenge${how}`, async () => {
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

  it('a failed challenge brings the form back, and another card pays from there', async () => {
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

  it('"Cancel" cannot be followed while a payment is under way, by mouse or keyboard', async (test) => {
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
      // A page that is being left cannot be asked from here: it writes down what happens to it.
      await page.evaluate(`for (const happening of ['click', 'focusin']) addEventListener(happening, ({ target }) =>
        sessionStorage.setItem(happening, (sessionStorage.getItem(happening) ?? '') + target.outerHTML.slice(0, 60)));`);
      await page.keyboard.press('Enter');
      await proxy.held;
      await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
      for (let tabs = 0; tabs < 20; tabs += 1) await page.keyboard.press('Tab');
      proxy.letGo();
      await seesReceipt(page);
      const seen = async (what: string) => String(await page.evaluate(`sessionStorage.getItem('${what}')`));
      assert.match(await seen('click'), /<a role="link" aria-disabled="true"/);
      assert.match(await seen('focusin'), /<input/);
      assert.doesNotMatch(await seen('focusin'), /<a /);
      assert.ok(!requests.some((request) => request.includes(shopUrl)), requests.join('\n'));
      await paidOnce(started(), session);
    });
  });

  it('the page stays as it is while a payment may be under way, though its time is over', async (test) => {
    const { merchant, visit, shopUrl } = await started().withOwnPaydesk(test);
    const session = await merchant.newSession({ expires_in: 300, cancel_url: `${shopUrl}/cart` });
    await visit({ expectedStatus: 503 }, async ({ page, requests }) => {
      await page.clock.install();
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      // No answer leads away from the page, and what became of the payment cannot be asked.
      await page.route('**/pay', (route) => route.fulfill({ status: 204 }));
      await page.route('**/status', (route) => route.fulfill({ status: 503 }));
      await payButton(page).click();
      await page.locator('form[aria-busy=true]').waitFor();
      await page.clock.runFor(310_000);
      assert.equal(await payButton(page).isDisabled(), true);
      assert.equal(await page.getByRole('link', { name: 'Cancel' }).getAttribute('aria-disabled'), 'true');
      assert.equal(requests.filter((request) => request === `GET ${session.url}`).length, 1, 'it was not loaded again');
      await page.evaluate(axe);
      for (const theme of ['light', 'dark'] as const) assert.deepEqual(await faultsOf(page, theme), []);
    });
  });

  it('a form whose answer is lost goes on to the outcome when the payment went through', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ return_url: `${shopUrl}/thanks` });
    await visit({}, async ({ page }) => {
      await page.clock.install();
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      // The request arrives, and its answer does not.
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

  it('a form that never arrived can be sent again, after the server said that nothing was paid', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ cancel_url: `${shopUrl}/cart` });
    await visit({}, async ({ page, requests }) => {
      await page.clock.install();
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard });
      await page.route('**/pay', (route) => route.fulfill({ status: 204 }), { times: 1 });
      await payButton(page).click();
      await page.locator('form[aria-busy=true]').waitFor();
      await page.clock.runFor(30_000);
      await page.locator('form[aria-busy=false]').waitFor();
      await until('the server was asked', () => requests.some((request) => request.endsWith('/status')));
      assert.equal(await page.getByRole('link', { name: 'Cancel' }).getAttribute('href'), `${shopUrl}/cart`);
      assert.equal(await page.inputValue('#number'), '4242 4242 4242 4242');
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });
});
