// The embedded checkout of a merchant with accounts at providers: Stripe's card fields in the frame, and Mollie's page
// instead of the shop's.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRefused, type Fields } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { until } from '../support/until.ts';
import {
  challengedCard,
  declinedCard,
  declinedWith,
  goodCard,
  paidOnce,
  press,
  seesHeading,
  seesReceipt,
} from './browsing-customer.ts';
import {
  calledBack,
  embeddingShopForSuite,
  frameAt,
  messagesAreSafe,
  payButtonIn,
  seenBy,
  seesHeadingIn,
} from './embedding-shop.ts';
import { providerCheckoutForSuite } from './real-providers.ts';

async function payAtStripe(page: Page, number: string): Promise<void> {
  const fields = frameAt(page).frameLocator('#provider-card iframe');
  await fields.getByLabel('Card number').fill(number);
  await fields.getByLabel('Expiry').fill('12 / 34');
  await fields.getByLabel('CVC').fill('123');
  await frameAt(page).getByLabel('Name on card').fill('Ann Example');
  await payButtonIn(frameAt(page)).click();
}

describeOnEachEngine('The embedded checkout with accounts at providers', (engine) => {
  const started = providerCheckoutForSuite(engine);
  const { shop, atShop, embeds } = embeddingShopForSuite();
  const opens = async (page: Page, session: Fields): Promise<void> => {
    await page.goto(embeds(await started(), [session]));
    await calledBack(page, 'loaded0');
  };
  /** With time standing still, and wallets that wait for `openGate`. */
  async function opensWithGate(page: Page, session: Fields): Promise<void> {
    const gate = 'globalThis.walletGate = new Promise((open) => (globalThis.openWalletGate = open));';
    await page.addInitScript(gate);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const script = `globalThis.heights = () => ['#checkout0 iframe', '#below'].map((one) => Math.round(
        one === '#below' ? document.querySelector(one).offsetTop : document.querySelector(one).getBoundingClientRect().height));
      Paydesk.createEmbeddedCheckout({
        clientSecret: ${JSON.stringify(session.client_secret)},
        onLoaded() { globalThis.heightsWhenLoaded = heights(); seen.calls.push(['loaded0', null]); },
      }).mount('#checkout0');`;
    await page.goto(embeds(await started(), [session], { script }));
    await frameAt(page).frameLocator('#provider-card iframe').getByLabel('Card number').waitFor();
  }
  const inFrame = (page: Page, code: string): Promise<unknown> => frameAt(page).locator('body').evaluate(code);
  const newGate = (page: Page) =>
    inFrame(page, 'void (globalThis.walletGate = new Promise((open) => (globalThis.openWalletGate = open)))');
  const openGate = (page: Page) => inFrame(page, 'void globalThis.openWalletGate()');
  const heightIn = async (page: Page): Promise<number> =>
    Number(await inFrame(page, 'Math.round(document.documentElement.getBoundingClientRect().height)'));
  const walletsReady = (page: Page) =>
    inFrame(page, "globalThis.stripeCalls.filter((call) => call === 'walletsReady').length");
  async function shownHeights(page: Page): Promise<unknown[]> {
    return (await page.evaluate('heights()')) as unknown[];
  }
  async function untilLoaded(page: Page): Promise<void> {
    await until('it is loaded', async () => {
      await page.clock.runFor(50);
      return (await seenBy(page)).calls.some(([name]) => name === 'loaded0');
    });
  }

  it("takes a card in Stripe's fields, after a declined one", async () => {
    const checkout = await started();
    const session = await checkout.merchant.newSession({ ui_mode: 'embedded', payment_method_types: ['card'] });
    await checkout.visit(atShop(), async ({ page }) => {
      await opens(page, session);
      await payAtStripe(page, declinedCard);
      await frameAt(page).getByRole('alert').getByRole('heading', { name: 'Your card was declined' }).waitFor();
      await payAtStripe(page, goodCard);
      await seesHeadingIn(frameAt(page), 'Payment successful');
      assert.deepEqual(await calledBack(page, 'complete0'), { session: session.id, outcome: 'paid' });
      await paidOnce(checkout, session);
    });
  });

  it('sends the whole page to a bank that the policy of the frame does not allow in it, and takes the payment', async () => {
    const checkout = await started();
    const session = await checkout.merchant.newSession({ ui_mode: 'embedded', payment_method_types: ['card'] });
    await checkout.visit(atShop(), async ({ page }) => {
      await opens(page, session);
      await payAtStripe(page, challengedCard);
      await press(page, 'Complete authentication');
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });

  /** `before`: the height of the page in the frame while it waits for the wallets. */
  async function withWaitingWallets(work: (page: Page, before: number) => Promise<void>): Promise<void> {
    const { merchant, visit } = await started();
    const session = await merchant.newSession({ ui_mode: 'embedded', payment_method_types: ['card'] });
    await visit(atShop(), async ({ page }) => {
      await page.addInitScript('globalThis.walletsInStandIn = true');
      await opensWithGate(page, session);
      await work(page, await heightIn(page));
    });
  }

  it('is loaded once it is known whether there are wallets, and moves nothing afterwards, not even after a decline', async () => {
    await withWaitingWallets(async (page, before) => {
      await openGate(page);
      await untilLoaded(page);
      await frameAt(page).frameLocator('#wallets iframe').getByRole('button', { name: 'Pay with a wallet' }).waitFor();
      const [frameHeight, below] = await shownHeights(page);
      assert.ok(Number(await heightIn(page)) > before, 'there are wallets');
      assert.deepEqual(await page.evaluate('heightsWhenLoaded'), [frameHeight, below]);

      await newGate(page);
      await payAtStripe(page, declinedCard);
      await frameAt(page).getByRole('alert').getByRole('heading', { name: 'Your card was declined' }).waitFor();
      const declined = await heightIn(page);
      await openGate(page);
      await until('the wallets are there again', async () => (await walletsReady(page)) === 2);
      assert.equal(await heightIn(page), declined);
    });
  });

  it('does not wait for wallets for ever, and leaves out those that are too late', async () => {
    await withWaitingWallets(async (page, before) => {
      await page.clock.runFor(4_000);
      await untilLoaded(page);
      await openGate(page);
      await until('the wallets are there', async () => (await walletsReady(page)) === 1);
      assert.equal(await heightIn(page), before);
      assert.equal(await frameAt(page).locator('#wallets').isVisible(), false);
    });
  });

  it('sends the whole page to Mollie, and comes back to the return URL', async () => {
    const checkout = await started();
    const back = `${shop().url}/thanks`;
    const fields = { ui_mode: 'embedded', payment_method_types: ['card', 'ideal'], return_url: back };
    const session = await checkout.merchant.newSession(fields);
    await checkout.visit(atShop({ expectedStatus: 404 }), async ({ page }) => {
      await opens(page, session);
      await frameAt(page).getByLabel('iDEAL', { exact: true }).check();
      await payButtonIn(frameAt(page)).click();
      await press(page, 'paid');
      await page.waitForURL(back);
      await seesHeading(page, 'Thanks');
      await paidOnce(checkout, session);
      await opens(page, session);
      await calledBack(page, 'complete0');
    });
  });

  it("needs a return URL if cards are entered on the provider's page", async () => {
    const checkout = await started();
    const merchant = await checkout.newMerchant({ mollie: ['card'] });
    const body = { amount: 1250, currency: 'EUR', ui_mode: 'embedded', payment_method_types: ['card'] };
    assertRefused(await merchant.test.post('/checkout-sessions', body), {
      status: 400,
      code: 'parameter_missing',
      param: 'return_url',
    });
  });
});

describeOnEachEngine('3-D Secure at Stripe in the embedded checkout', (engine) => {
  const started = providerCheckoutForSuite(engine, { challenges: 'framable' });
  const { atShop, embeds } = embeddingShopForSuite();

  it('opens in a dialog of the frame, can be closed and opened again, and the payment is taken', async () => {
    const checkout = await started();
    const session = await checkout.merchant.newSession({ ui_mode: 'embedded', payment_method_types: ['card'] });
    await checkout.visit(atShop(), async ({ page }) => {
      const url = embeds(checkout, [session]);
      await page.goto(url);
      await payAtStripe(page, challengedCard);
      const dialog = frameAt(page).locator('dialog');
      const bank = frameAt(page).frameLocator('dialog iframe');
      await bank.getByRole('button', { name: 'Complete authentication' }).waitFor();
      assert.equal(await dialog.evaluate((element) => element.matches(':modal')), true);
      await frameAt(page).getByRole('button', { name: 'Close' }).click();
      await frameAt(page).getByRole('link', { name: 'Continue' }).click();
      await bank.getByRole('button', { name: 'Complete authentication' }).click();
      await seesHeadingIn(frameAt(page), 'Payment successful');
      assert.equal(await dialog.count(), 0);
      assert.deepEqual(await calledBack(page, 'complete0'), { session: session.id, outcome: 'paid' });
      assert.equal(page.url(), url, 'the customer stays on the page of the shop');
      await messagesAreSafe(page, checkout.paydesk.url, [session]);
      await paidOnce(checkout, session);
    });
  });

  it('shows the outcome when the customer has confirmed elsewhere, such as in an app, and closes the dialog', async () => {
    const checkout = await started();
    const session = await checkout.merchant.newSession({ ui_mode: 'embedded', payment_method_types: ['card'] });
    await checkout.visit(atShop(), async ({ page }) => {
      // Otherwise the form would find out after half a minute.
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.goto(embeds(checkout, [session]));
      await payAtStripe(page, challengedCard);
      const bank = frameAt(page).frameLocator('dialog iframe');
      await bank.getByRole('button', { name: 'Complete authentication' }).waitFor();
      const challenge = page.frames().find((frame) => frame.url().includes('/challenges/'));
      await fetch(`${challenge?.url()}/pass`, { method: 'POST', redirect: 'manual' });
      await frameAt(page).getByRole('button', { name: 'Close' }).click();
      await seesHeadingIn(frameAt(page), 'Payment successful');
      await paidOnce(checkout, session);
    });
  });

  it('shows the form again when it fails, and takes another card', async () => {
    const checkout = await started();
    const session = await checkout.merchant.newSession({ ui_mode: 'embedded', payment_method_types: ['card'] });
    await checkout.visit(atShop(), async ({ page }) => {
      await page.goto(embeds(checkout, [session]));
      await payAtStripe(page, challengedCard);
      const bank = frameAt(page).frameLocator('dialog iframe');
      await bank.getByRole('button', { name: 'Fail authentication' }).click();
      await seesHeadingIn(frameAt(page), 'Your bank could not verify your identity');
      await declinedWith(checkout, session, 'authentication_failed');
      await payAtStripe(page, goodCard);
      await seesHeadingIn(frameAt(page), 'Payment successful');
      await paidOnce(checkout, session);
    });
  });
});

describeOnEachEngine("Too many declines in Stripe's fields in the embedded checkout", (engine) => {
  const started = providerCheckoutForSuite(engine, { settings: { PAYDESK_DECLINES_PER_SESSION: '1' } });
  const { atShop, embeds } = embeddingShopForSuite();

  async function blocksTheCard(methods: readonly string[], work: (page: Page) => Promise<void>) {
    const checkout = await started();
    const fields = { ui_mode: 'embedded', payment_method_types: methods, return_url: 'https://shop.example/thanks' };
    const session = await checkout.merchant.newSession(fields);
    await checkout.visit(atShop(), async ({ page }) => {
      await page.goto(embeds(checkout, [session]));
      await payAtStripe(page, declinedCard);
      await seesHeadingIn(frameAt(page), 'Your card was declined');
      await payAtStripe(page, goodCard);
      await work(page);
    });
  }

  it('are explained, and another method can be chosen', () =>
    blocksTheCard(['card', 'ideal'], async (page) => {
      const frame = frameAt(page);
      const alert = frame.getByRole('alert');
      await alert.getByRole('heading', { name: 'No more attempts by card are possible' }).waitFor();
      await until('the reason has the focus', () => alert.evaluate((shown) => shown === document.activeElement));
      assert.equal(await frame.locator('#provider-card').count(), 0);
      assert.equal(await frame.getByLabel('Card', { exact: true }).isDisabled(), true);
      assert.equal(await frame.getByLabel('iDEAL', { exact: true }).isChecked(), true);
      await payButtonIn(frame).click();
      await page.getByRole('button', { name: 'paid' }).waitFor();
    }));

  it('are explained if there is no other method', () =>
    blocksTheCard(['card'], async (page) => {
      const alert = frameAt(page).getByRole('alert');
      await alert.getByRole('heading', { name: 'No more attempts are possible' }).waitFor();
      await until('the reason has the focus', () => alert.evaluate((shown) => shown === document.activeElement));
      assert.equal(await frameAt(page).locator('form').count(), 0);
    }));
});
