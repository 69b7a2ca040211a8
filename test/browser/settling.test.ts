// Payments whose outcome comes later: what the customer sees meanwhile, and at the end. Each with a Paydesk of its own,
// because they skip time.

import { describe, it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import {
  declinedWith,
  hasStatus,
  paidOnce,
  payButton,
  payByCard,
  press,
  seesDecline,
  seesHeading,
  seesReceipt,
  slowCard,
} from './browsing-customer.ts';

const later: readonly (readonly [type: string, currency: string, name: string])[] = [
  ['sepa_debit', 'EUR', 'SEPA Direct Debit'],
  ['oxxo', 'MXN', 'OXXO'],
];

describe('payments that settle later, in a browser', { concurrency: 4 }, () => {
  const started = checkoutForSuite(sqlite);

  it('a payment that takes its time shows that, and goes on to the receipt by itself', async (test) => {
    const checkout = await started().withOwnPaydesk(test);
    const { merchant, visit, clock } = checkout;
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, slowCard);
      await seesHeading(page, 'Processing your payment');
      clock.skip(5_000);
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });

  it('an acquirer that does not answer keeps the customer informed until it says approved', async (test) => {
    const checkout = await started().withOwnPaydesk(test);
    const { merchant, visit, clock } = checkout;
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, '4000000000000093');
      await seesHeading(page, 'Processing your payment');
      clock.skip(1_000);
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });

  it('an acquirer that does not answer and then says declined brings the form back', async (test) => {
    const checkout = await started().withOwnPaydesk(test);
    const { merchant, visit, clock } = checkout;
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, '4000000000000010');
      await seesHeading(page, 'Processing your payment');
      clock.skip(1_000);
      await seesDecline(page, 'Your card was declined');
      await declinedWith(checkout, session, 'generic_decline');
    });
  });

  for (const [type, currency, name] of later) {
    it(`${type} tells the customer that the money is on its way, and settles later`, async (test) => {
      const checkout = await started().withOwnPaydesk(test);
      const { merchant, visit, clock } = checkout;
      const session = await merchant.newSession({ currency, payment_method_types: [type] });
      await visit({}, async ({ page }) => {
        await page.goto(String(session.url));
        await payButton(page).click();
        await seesHeading(page, `${name} test bank`);
        await press(page, 'Authorise payment');
        await seesHeading(page, 'Payment on its way');
        await hasStatus(checkout, session, 'processing');
        clock.skip(5_000);
        await paidOnce(checkout, session);
        await page.reload();
        await seesReceipt(page);
      });
    });
  }

  for (const [type, currency] of later) {
    it(`${type} that fails later is not paid, and says so to a customer who looks again`, async (test) => {
      const checkout = await started().withOwnPaydesk(test);
      const { merchant, visit, clock, shopUrl } = checkout;
      const cancelUrl = `${shopUrl}/cart`;
      const session = await merchant.newSession({ currency, payment_method_types: [type], cancel_url: cancelUrl });
      await visit({}, async ({ page }) => {
        await page.goto(String(session.url));
        await payButton(page).click();
        await press(page, 'Authorise, then fail later');
        await seesHeading(page, 'Payment on its way');
        await hasStatus(checkout, session, 'processing');
        clock.skip(5_000);
        await declinedWith(checkout, session, 'bank_declined');
        await page.reload();
        await seesHeading(page, 'Payment failed');
        await page.getByRole('link', { name: `Return to ${merchant.merchant.name}` }).click();
        await page.waitForURL(cancelUrl);
      });
    });
  }

  it('a debit that failed says so before it leads back to a shop that thanks whoever returns', async (test) => {
    const checkout = await started().withOwnPaydesk(test);
    const { merchant, visit, clock, shopUrl } = checkout;
    const session = await merchant.newSession({
      payment_method_types: ['sepa_debit'],
      return_url: `${shopUrl}/thanks`,
    });
    await visit({ javaScript: false }, async ({ page }) => {
      await page.goto(String(session.url));
      await payButton(page).click();
      await press(page, 'Authorise, then fail later');
      await page.waitForURL(`${shopUrl}/thanks`);
      await hasStatus(checkout, session, 'processing');
      clock.skip(5_000);
      await declinedWith(checkout, session, 'bank_declined');
      await page.goto(String(session.url));
      await seesHeading(page, 'Payment failed');
      await page.getByRole('link', { name: `Return to ${merchant.merchant.name}` }).click();
      await page.waitForURL(`${shopUrl}/thanks`);
    });
  });

  it('without script, the processing page reloads itself until the receipt is there', async (test) => {
    const checkout = await started().withOwnPaydesk(test);
    const { merchant, visit, clock } = checkout;
    const session = await merchant.newSession();
    await visit({ javaScript: false, viewport: 'phone' }, async ({ page }) => {
      await payByCard(page, session.url, slowCard);
      await seesHeading(page, 'Processing your payment');
      await page.getByRole('link', { name: 'Check again' }).waitFor();
      clock.skip(5_000);
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });

  it('without script, an acquirer that does not answer is asked again until it does', async (test) => {
    const checkout = await started().withOwnPaydesk(test);
    const { merchant, visit, clock } = checkout;
    const session = await merchant.newSession();
    await visit({ javaScript: false }, async ({ page }) => {
      await payByCard(page, session.url, '4000000000000093');
      await seesHeading(page, 'Processing your payment');
      await page.getByRole('link', { name: 'Check again' }).click();
      await seesHeading(page, 'Processing your payment');
      clock.skip(1_000);
      await seesReceipt(page);
      await paidOnce(checkout, session);
    });
  });
});
