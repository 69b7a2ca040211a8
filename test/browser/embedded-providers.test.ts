// The embedded checkout of a merchant with accounts at providers: Stripe's card fields in the frame, and Mollie's page
// instead of the shop's.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertRefused, type Fields } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { declinedCard, goodCard, paidOnce, press, seesHeading, seesReceipt } from './browsing-customer.ts';
import { calledBack, embeddingShopForSuite, frameAt, payButtonIn, seesHeadingIn } from './embedding-shop.ts';
import { providerCheckoutForSuite } from './real-providers.ts';

describeOnEachEngine('The embedded checkout with accounts at providers', (engine) => {
  const started = providerCheckoutForSuite(engine);
  const { shop, atShop, embeds } = embeddingShopForSuite();
  const opens = async (page: Page, session: Fields): Promise<void> => {
    await page.goto(embeds(await started(), [session]));
    await calledBack(page, 'loaded0');
  };
  async function payAtStripe(page: Page, number: string): Promise<void> {
    const fields = frameAt(page).frameLocator('#provider-card iframe');
    await fields.getByLabel('Card number').fill(number);
    await fields.getByLabel('Expiry').fill('12 / 34');
    await fields.getByLabel('CVC').fill('123');
    await frameAt(page).getByLabel('Name on card').fill('Ann Example');
    await payButtonIn(frameAt(page)).click();
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
      await payAtStripe(page, '4000000000003220');
      await press(page, 'Complete authentication');
      await seesReceipt(page);
      await paidOnce(checkout, session);
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
