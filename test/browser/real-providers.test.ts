// Payments in a browser at simulated providers: by card in Stripe's own fields, with 3DS by redirect, and at Mollie. What
// happened always comes from the provider's API.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldsOf, must } from '../support/api-client.ts';
import { engines } from '../support/engines.ts';
import {
  challengedCard,
  declinedCard,
  declinedWith,
  goodCard,
  hasStatus,
  intentOf,
  paidOnce,
  payButton,
  press,
  seesHeading,
  seesReceipt,
} from './browsing-customer.ts';
import { payInStripesFields, providerCheckoutForSuite, typeCard } from './real-providers.ts';

for (const engine of engines) {
  describe(`paying at real providers (${engine.name})`, { concurrency: 3 }, () => {
    const started = providerCheckoutForSuite(engine);

    it("charges a card that was typed into Stripe's fields, once, although the button is clicked twice", async () => {
      const checkout = await started();
      const { merchant, visit, paydesk, stripe } = checkout;
      const session = await merchant.newSession({ payment_method_types: ['card'] });
      await visit({}, async ({ page, requests }) => {
        await page.goto(String(session.url));
        await typeCard(page, goodCard);
        await page.getByLabel('Name on card').fill('Ann Example');
        await payButton(page).dblclick();
        await seesReceipt(page);
        await paidOnce(checkout, session);
        assert.equal(requests.filter((request) => request.startsWith('POST ') && request.endsWith('/pay')).length, 1);
      });
      const intent = await intentOf(checkout, session);
      const { provider, reference } = fieldsOf(intent.acquirer);
      assert.equal(provider, 'stripe');
      assert.equal(stripe.books.intents.get(String(reference))?.status, 'succeeded');
      assert.deepEqual(fieldsOf(fieldsOf(intent.payment_method).card).last4, '4242');
      assert.ok(!JSON.stringify(paydesk.logLines()).includes(goodCard), 'the number is nowhere in our log');
    });

    it('shows a decline, and takes another card afterwards', async () => {
      const checkout = await started();
      const { merchant, visit } = checkout;
      const session = await merchant.newSession();
      await visit({}, async ({ page }) => {
        await payInStripesFields(page, session.url, declinedCard);
        await seesHeading(page, 'Your card was declined');
        await declinedWith(checkout, session, 'generic_decline');
        assert.equal(await page.getByLabel('Name on card').inputValue(), 'Ann Example');
        assert.equal(await page.getByLabel('Card', { exact: true }).isChecked(), true);
        await typeCard(page, goodCard);
        await payButton(page).click();
        await seesReceipt(page);
        await paidOnce(checkout, session);
      });
    });

    it('redirects to the bank for 3DS, and is paid when the customer returns', async () => {
      const checkout = await started();
      const { merchant, visit, shopUrl } = checkout;
      const session = await merchant.newSession({ return_url: `${shopUrl}/thanks` });
      await visit({}, async ({ page }) => {
        await payInStripesFields(page, session.url, challengedCard);
        await hasStatus(checkout, session, 'requires_action');
        await press(page, 'Complete authentication');
        await page.waitForURL(`${shopUrl}/thanks`);
        await paidOnce(checkout, session);
      });
    });

    it('shows the form again after failed 3DS, whatever the parameters of the return say', async () => {
      const checkout = await started();
      const { merchant, visit } = checkout;
      const session = await merchant.newSession();
      await visit({}, async ({ page }) => {
        await payInStripesFields(page, session.url, challengedCard);
        await page.getByRole('button', { name: 'Complete authentication' }).waitFor();
        const challenge = page.url();
        await page.goto(`${session.url}/return?redirect_status=succeeded&payment_intent=pi_other`);
        await seesHeading(page, 'Waiting for confirmation');
        await hasStatus(checkout, session, 'requires_action');
        await page.getByRole('link', { name: 'Continue paying' }).click();
        await page.waitForURL(challenge);
        await press(page, 'Fail authentication');
        await seesHeading(page, 'Your bank could not verify your identity');
        await declinedWith(checkout, session, 'authentication_failed');
        await typeCard(page, goodCard);
        await payButton(page).click();
        await seesReceipt(page);
        await paidOnce(checkout, session);
      });
    });

    it('leaves an abandoned challenge unpaid, and ends it at Stripe when the session is expired', async () => {
      const checkout = await started();
      const { merchant, visit, stripe } = checkout;
      const session = await merchant.newSession();
      await visit({}, async ({ page }) => {
        await payInStripesFields(page, session.url, challengedCard);
        await page.getByRole('button', { name: 'Complete authentication' }).waitFor();
      });
      const { acquirer } = await hasStatus(checkout, session, 'requires_action');
      must(200, await merchant.test.post(`/checkout-sessions/${session.id}/expire`, {}));
      await hasStatus(checkout, session, 'expired');
      assert.equal(stripe.books.intents.get(String(fieldsOf(acquirer).reference))?.status, 'canceled');
    });

    it('authorises a manual capture, which the merchant captures later', async () => {
      const checkout = await started();
      const { merchant, visit, stripe } = checkout;
      const session = await merchant.newSession({ capture_method: 'manual' });
      await visit({}, async ({ page }) => {
        await payInStripesFields(page, session.url, goodCard);
        await seesHeading(page, 'Payment authorised');
      });
      const { acquirer } = await hasStatus(checkout, session, 'requires_capture');
      const held = stripe.books.intents.get(String(fieldsOf(acquirer).reference));
      assert.equal(held?.status, 'requires_capture');
      must(200, await merchant.test.post(`/payment-intents/${session.payment_intent}/capture`, {}));
      assert.equal(held?.status, 'succeeded');
    });

    for (const captureMethod of ['automatic', 'manual']) {
      it(`pays with a wallet where the browser has one, with ${captureMethod} capture`, async () => {
        const checkout = await started();
        const { merchant, visit, stripe } = checkout;
        const session = await merchant.newSession({ capture_method: captureMethod });
        await visit({}, async ({ page }) => {
          await page.addInitScript('globalThis.walletsInStandIn = true');
          await page.goto(String(session.url));
          // A wallet pays whatever else is chosen. iDEAL cannot be captured later.
          if (captureMethod === 'automatic') await page.getByLabel('iDEAL', { exact: true }).check();
          await page.frameLocator('#wallets iframe').getByRole('button').click();
          await seesHeading(page, captureMethod === 'manual' ? 'Payment authorised' : 'Payment successful');
        });
        const status = captureMethod === 'manual' ? 'requires_capture' : 'succeeded';
        const intent = await hasStatus(checkout, session, status);
        assert.equal(fieldsOf(fieldsOf(intent.payment_method).card).last4, '4242');
        assert.equal(stripe.books.intents.get(String(fieldsOf(intent.acquirer).reference))?.status, status);
      });
    }

    it('sends the customer to Mollie for iDEAL, beside cards at Stripe, and back', async () => {
      const checkout = await started();
      const { merchant, visit, mollie } = checkout;
      const session = await merchant.newSession({ payment_method_types: ['card', 'ideal'] });
      await visit({}, async ({ page }) => {
        await page.goto(String(session.url));
        await page.getByLabel('iDEAL', { exact: true }).check();
        await payButton(page).click();
        await page.waitForURL(`${mollie.url}/checkout/*`);
        await press(page, 'paid');
        await seesReceipt(page);
        await paidOnce(checkout, session);
      });
      assert.equal(fieldsOf((await intentOf(checkout, session)).acquirer).provider, 'mollie');
    });

    it('lets a customer who returns from Mollie too early wait for the outcome, or continue there', async () => {
      const checkout = await started();
      const { merchant, visit, mollie } = checkout;
      const session = await merchant.newSession({ payment_method_types: ['ideal'] });
      await visit({}, async ({ page }) => {
        await page.goto(String(session.url));
        await payButton(page).click();
        await page.waitForURL(`${mollie.url}/checkout/*`);
        const bank = page.url();
        await page.goto(`${session.url}/return`);
        await seesHeading(page, 'Waiting for confirmation');
        await page.getByRole('link', { name: 'Continue paying' }).click();
        await page.waitForURL(bank);

        await page.goto(`${session.url}/return`);
        await seesHeading(page, 'Waiting for confirmation');
        await mollie.choose(bank, 'paid');
        await seesReceipt(page);
        await paidOnce(checkout, session);
      });
    });
  });
}
