// Stripe's card fields in our page: how they look and report mistakes, and what the page does without them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { fieldsOf } from '../support/api-client.ts';
import { sqlite } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { axe, violationsOn } from './axe.ts';
import { goodCard, intentOf, paidOnce, payButton, press, seesHeading, seesReceipt } from './browsing-customer.ts';
import { cardFrame, payInStripesFields, providerCheckoutForSuite, typeCard } from './real-providers.ts';

const notLoaded = 'The card fields could not be loaded. Try again';

async function callsOf(page: Page): Promise<readonly unknown[]> {
  return (await page.evaluate('globalThis.stripeCalls')) as unknown[];
}

/** Everything that moved without the customer having done anything. */
const watchShifts = `globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]);
  }).observe({ type: 'layout-shift', buffered: true });`;

/** A script that has nothing but a card element with two events. */
const commonCalls = `globalThis.Stripe = () => ({
  elements: () => ({
    create(type) {
      if (type !== 'card') throw new Error('there is only a card element');
      const handlers = { change: [], ready: [] };
      return {
        input: document.createElement('input'),
        on(name, handler) { handlers[name].push(handler); },
        mount(selector) { document.querySelector(selector).append(this.input); },
      };
    },
  }),
  createPaymentMethod: async ({ card }) => ({ paymentMethod: { id: card.input.value } }),
})`;

describe("Stripe's card fields", { concurrency: 3 }, () => {
  const started = providerCheckoutForSuite(sqlite);

  it('get the publishable key, the language and the amount, and the form gets a token', async () => {
    const { merchant, visit } = await started();
    const session = await merchant.newSession({ locale: 'de', capture_method: 'manual' });
    await visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await cardFrame(page).getByLabel('Card number').waitFor();
      await page.getByLabel('Name auf der Karte').fill('  Ann Example ');
      await typeCard(page, goodCard);
      const posted = page.waitForRequest((request) => request.method() === 'POST');
      const opened = JSON.stringify(await callsOf(page));
      assert.match(opened, /\["Stripe","pk_test_simulated","de"\]/);
      assert.match(opened, /"mode":"payment","amount":1250,"currency":"eur","captureMethod":"manual"/);
      await payButton(page).click();
      const form = new URLSearchParams((await posted).postData() ?? '');
      assert.deepEqual(
        [form.get('card_token'), form.get('method'), form.get('amount')],
        ['pm_card_visa', 'card', '1250'],
      );
      assert.match(form.get('attempt') ?? '', /^op_/);
      assert.ok(!form.toString().includes(goodCard));
      await page.getByRole('heading', { name: 'Zahlung autorisiert' }).waitFor();
    });
  });

  it("report a mistake beside the fields, in the page's language, and nothing is sent", async () => {
    const { merchant, visit } = await started();
    const session = await merchant.newSession({ locale: 'de' });
    await visit({}, async ({ page, requests }) => {
      await page.goto(String(session.url));
      await page.evaluate(axe);
      await cardFrame(page).getByLabel('Card number').fill('4242');
      await payButton(page).click();
      const message = 'Die Kartennummer ist unvollständig.';
      await page.locator('#provider-card-error', { hasText: message }).waitFor();
      assert.equal(await page.getAttribute('#provider-card', 'aria-describedby'), 'provider-card-error');
      await page.locator('#said', { hasText: message }).waitFor({ state: 'attached' });
      await until(
        'the card has focus',
        async () => (await page.evaluate('document.activeElement.tagName')) === 'IFRAME',
      );
      assert.equal(await payButton(page).isEnabled(), true);
      assert.ok(!requests.some((request) => request.startsWith('POST')));
      for (const scheme of ['light', 'dark'] as const) assert.deepEqual(await violationsOn(page, scheme), []);
      await typeCard(page, goodCard);
      await page.locator('#provider-card-error:empty').waitFor({ state: 'attached' });
    });
  });

  it('keep the button busy while Stripe makes the token', async () => {
    const checkout = await started();
    const { merchant, visit } = checkout;
    const session = await merchant.newSession();
    await visit({}, async ({ page, requests }) => {
      await page.addInitScript('globalThis.tokenGate = new Promise((open) => (globalThis.openGate = open))');
      await payInStripesFields(page, session.url, goodCard);
      await page.locator('form[aria-busy=true]').waitFor();
      assert.equal(await payButton(page).isDisabled(), true);
      assert.equal(await payButton(page).textContent(), 'Processing…');
      assert.ok(!requests.some((request) => request.startsWith('POST')));
      await page.evaluate('openGate()');
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });

  it('show a failure that is not about the card in our own words, and can be tried again', async () => {
    const checkout = await started();
    const { merchant, visit } = checkout;
    const session = await merchant.newSession();
    await visit({ expectedMessages: /Stripe refused the card fields: Invalid API Key/ }, async ({ page }) => {
      const error = { type: 'invalid_request_error', message: 'Invalid API Key provided: pk_test' };
      await page.addInitScript(`globalThis.tokenError = ${JSON.stringify(error)}`);
      await payInStripesFields(page, session.url, goodCard);
      await page
        .locator('#provider-card-error', { hasText: 'Something went wrong while contacting your bank.' })
        .waitFor();
      await page.evaluate('globalThis.tokenError = undefined');
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });

  it('work without wallets, which are shown only if the browser has one', async () => {
    const checkout = await started();
    const { merchant, visit } = checkout;
    for (const setting of ['noExpressCheckout', 'walletsInStandIn', 'nothing']) {
      const session = await merchant.newSession();
      await visit({}, async ({ page }) => {
        const said: string[] = [];
        page.on('console', (message) => said.push(...(message.text().match(/^Wallets.*/) ?? [])));
        await page.addInitScript(`globalThis.${setting} = true`);
        await payInStripesFields(page, session.url, setting === 'walletsInStandIn' ? '42' : '4000000000000002');
        if (setting === 'walletsInStandIn') {
          await page.locator('#wallets.ready iframe').waitFor();
          return;
        }
        await seesHeading(page, 'Your card was declined');
        assert.equal(await page.locator('#wallets').isVisible(), false);
        await typeCard(page, goodCard);
        await payButton(page).click();
        await seesReceipt(page);
        await paidOnce(checkout, session);
        const none = setting === 'noExpressCheckout' ? ['Wallets are not offered: unknown element'] : [];
        assert.deepEqual(said, none, 'said once, although the fields were mounted twice');
      });
    }
  });

  it('and wallets wait for what the merchant wants to know about the customer', async () => {
    const checkout = await started();
    const session = await checkout.merchant.newSession({ collect: ['email'] });
    await checkout.visit({}, async ({ page, requests }) => {
      await page.addInitScript('globalThis.walletsInStandIn = true');
      await payInStripesFields(page, session.url, goodCard);
      const missing = page.locator('#email-error', { hasText: 'Enter your email address.' });
      await missing.waitFor();
      await page.fill('#email', 'a');
      await page.fill('#email', '');
      await page.locator('#email-error:empty').waitFor({ state: 'attached' });
      const wallet = page.frameLocator('#wallets iframe').getByRole('button', { name: 'Pay with a wallet' });
      await wallet.click();
      await missing.waitFor();
      assert.ok(!requests.some((request) => request.startsWith('POST')));
      await page.fill('#email', 'ada@example.com');
      await wallet.click();
      await seesReceipt(page);
      await paidOnce(checkout, session);
      assert.equal(fieldsOf((await intentOf(checkout, session)).customer_details).email, 'ada@example.com');
    });
  });

  for (const [width, scheme] of [
    [320, 'light'],
    [360, 'dark'],
    [1280, 'light'],
  ] as const) {
    it(`fit into a page of ${width} pixels and move nothing when they appear (${scheme})`, async () => {
      const { merchant, visit } = await started();
      const session = await merchant.newSession();
      await visit({ colorScheme: scheme }, async ({ page }) => {
        await page.setViewportSize({ width, height: 800 });
        await page.addInitScript(watchShifts);
        await page.addInitScript('globalThis.walletsInStandIn = true');
        // Before any script has run: the browser may paint that.
        const withoutScripts = async (route: Route) => {
          const response = await route.fetch();
          const body = (await response.text()).replace(/<script[^>]*>[\s\S]*?<\/script>/g, '');
          await route.fulfill({ response, body });
        };
        await page.route(String(session.url), withoutScripts, { times: 1 });
        await page.goto(String(session.url));
        const before = await Promise.all([payButton(page).boundingBox(), page.locator('#provider-card').boundingBox()]);
        await page.goto(String(session.url));
        await cardFrame(page).getByLabel('Card number').waitFor();
        await page.locator('#wallets.ready iframe').waitFor();
        const after = await Promise.all([payButton(page).boundingBox(), page.locator('#provider-card').boundingBox()]);
        assert.deepEqual(after, before);
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        const shifts = (await page.evaluate('shifts')) as [number, ...string[]][];
        assert.deepEqual(
          shifts.filter(([, ...moved]) => moved.some((html) => !html.includes('footer'))),
          [],
        );
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
        const { height } = (await page.locator('#provider-card').boundingBox()) ?? {};
        const name = await page.getByLabel('Name on card').boundingBox();
        assert.equal(height, name?.height, 'as high as our own field');
        await page.evaluate(axe);
        assert.deepEqual(await violationsOn(page, scheme), []);
      });
    });
  }

  it('follow the theme when it changes', async () => {
    const { merchant, visit } = await started();
    const session = await merchant.newSession();
    await visit({ colorScheme: 'light' }, async ({ page }) => {
      await page.goto(String(session.url));
      await cardFrame(page).getByLabel('Card number').waitFor();
      const frame = page.frames().find((one) => one.url().endsWith('/card'));
      const color = () => frame?.evaluate('getComputedStyle(document.body).color');
      await until('the text is dark', async () => (await color()) === 'rgb(23, 32, 44)');
      await page.emulateMedia({ colorScheme: 'dark' });
      await until('the text is light', async () => (await color()) === 'rgb(233, 237, 242)');
    });
  });

  it('can be filled in and paid by keyboard alone', async () => {
    const checkout = await started();
    const { merchant, visit } = checkout;
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await cardFrame(page).getByLabel('Card number').waitFor();
      await page.getByLabel('Card', { exact: true }).focus();
      for (const text of [goodCard, '1234', '123', 'Ann Example']) {
        await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });

  for (const [what, break_] of [
    ['does not exist', (page: Page, url: string) => page.route(url, (route) => route.fulfill({ status: 404 }))],
    ['cannot be reached', (page: Page, url: string) => page.route(url, (route) => route.abort('connectionrefused'))],
    ['is something else', (page: Page, url: string) => page.route(url, (route) => route.fulfill({ body: '0' }))],
    ['never arrives', (page: Page, url: string) => page.route(url, () => {})],
  ] as const) {
    it(`are replaced by the reason and by another method if Stripe's script ${what}`, async () => {
      const checkout = await started();
      const { merchant, visit, standIn } = checkout;
      const session = await merchant.newSession({ payment_method_types: ['card', 'ideal'] });
      await visit({ expectedMessages: /Failed to load resource|could not be loaded/ }, async ({ page }) => {
        await break_(page, standIn.scriptUrl);
        await page.goto(String(session.url), { waitUntil: 'domcontentloaded' });
        await page.locator('#not-loaded', { hasText: notLoaded }).waitFor();
        assert.equal(await page.getByLabel('Card', { exact: true }).isDisabled(), true);
        assert.equal(await page.getByLabel('iDEAL', { exact: true }).isChecked(), true);
        assert.equal(await page.locator('#provider-card').isVisible(), false);
        await page.evaluate(axe);
        assert.deepEqual(await violationsOn(page, 'light'), []);
        await payButton(page).click();
        await press(page, 'paid');
        await seesReceipt(page);
        await paidOnce(checkout, session);
      });
    });
  }

  it('are replaced by the reason if Stripe reports that they could not be loaded', async () => {
    const { merchant, visit, standIn } = await started();
    const session = await merchant.newSession({ payment_method_types: ['card', 'ideal'] });
    await visit({ expectedMessages: /could not be loaded: no frame/ }, async ({ page }) => {
      const report = `parent.postMessage({ name: 'loaderror', event: { error: { message: 'no frame' } } }, '*')`;
      const body = `<script>${report}</script>`;
      await page.route(`${standIn.origin}/card`, (route) => route.fulfill({ contentType: 'text/html', body }));
      await page.goto(String(session.url));
      await page.locator('#not-loaded', { hasText: notLoaded }).waitFor();
      assert.equal(await page.getByLabel('iDEAL', { exact: true }).isChecked(), true);
    });
  });

  it('need only the common calls of the script', async () => {
    const checkout = await started();
    const { merchant, visit, standIn } = checkout;
    const session = await merchant.newSession({ payment_method_types: ['card'] });
    await visit({}, async ({ page }) => {
      await page.route(standIn.scriptUrl, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: commonCalls }),
      );
      await page.goto(String(session.url));
      await page.locator('#provider-card input').fill('pm_card_visa');
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });

  it('are back after the page is reloaded, also if there is no other method', async () => {
    const checkout = await started();
    const { merchant, visit, standIn } = checkout;
    const session = await merchant.newSession({ payment_method_types: ['card'] });
    await visit({ expectedStatus: 404, expectedMessages: /could not be loaded/ }, async ({ page }) => {
      await page.route(standIn.scriptUrl, (route) => route.fulfill({ status: 404 }), { times: 1 });
      await page.goto(String(session.url));
      await page.locator('#not-loaded', { hasText: notLoaded }).waitFor();
      assert.equal(await payButton(page).isDisabled(), true);
      await page.getByRole('link', { name: 'Try again' }).click();
      await typeCard(page, goodCard);
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });

  it('are used as soon as they arrive, even after the page has given up', async () => {
    const checkout = await started();
    const { merchant, visit, standIn } = checkout;
    const session = await merchant.newSession({ payment_method_types: ['card'] });
    await visit({ expectedMessages: /could not be loaded/ }, async ({ page }) => {
      const { promise: shown, resolve } = Promise.withResolvers<void>();
      await page.route(standIn.scriptUrl, async (route) => {
        await shown;
        await route.continue();
      });
      await page.goto(String(session.url), { waitUntil: 'domcontentloaded' });
      await page.locator('#not-loaded', { hasText: notLoaded }).waitFor();
      resolve();
      await typeCard(page, goodCard);
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });

  it('are shown as unavailable without JavaScript, with the reason, and other methods work', async () => {
    const checkout = await started();
    const { merchant, visit } = checkout;
    const reason = 'To pay by card, please turn on JavaScript in your browser and reload this page.';
    const only = await merchant.newSession({ payment_method_types: ['card'] });
    const session = await merchant.newSession({ payment_method_types: ['card', 'ideal'] });
    await visit({ javaScript: false }, async ({ page }) => {
      await page.goto(String(only.url));
      await page.getByText(reason).waitFor();
      assert.equal(await payButton(page).isDisabled(), true);
      await page.goto(String(session.url));
      await page.getByText(reason).waitFor();
      assert.equal(await page.getByLabel('Card', { exact: true }).isDisabled(), true);
      assert.equal(await page.getByLabel('iDEAL', { exact: true }).isChecked(), true);
      await payButton(page).click();
      await press(page, 'paid');
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });
});

describe('A provider that does not answer', () => {
  const started = providerCheckoutForSuite(sqlite);

  it('is reported at once, and another method is chosen; the card can be tried again', async () => {
    const checkout = await started();
    const { merchant, visit, stripe } = checkout;
    const session = await merchant.newSession({ payment_method_types: ['card', 'ideal'] });
    await visit({}, async ({ page }) => {
      stripe.faults.inject('payment_intents.create', '503_before', 100);
      await payInStripesFields(page, session.url, goodCard);
      await seesHeading(page, 'This payment method is not available at the moment');
      assert.equal(await page.getByLabel('iDEAL', { exact: true }).isChecked(), true);
      await page.locator('[role=alert]:focus').waitFor();
      stripe.faults.clear();
      await page.getByLabel('Card', { exact: true }).check();
      await typeCard(page, goodCard);
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });
});
