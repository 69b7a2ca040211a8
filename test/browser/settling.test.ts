// Payments that settle later: what the customer sees in the meantime and at the end. Each test has its own Paydesk,
// because it skips time.

import { describe, it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { shortAcquirerTimeout } from '../support/paydesk.ts';
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

const delayedMethods: readonly (readonly [type: string, currency: string, name: string])[] = [
  ['sepa_debit', 'EUR', 'SEPA Direct Debit'],
  ['oxxo', 'MXN', 'OXXO'],
];

describe('payments that settle later, in a browser', { concurrency: 4 }, () => {
  const started = checkoutForSuite(sqlite);

  it('shows that a slow payment is processing, and continues to the receipt automatically', async (test) => {
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

  it('shows that the payment is processing until a silent acquirer approves it', async (test) => {
    const checkout = await started().withOwnPaydesk(test, shortAcquirerTimeout);
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

  it('shows the form again when a silent acquirer declines later', async (test) => {
    const checkout = await started().withOwnPaydesk(test, shortAcquirerTimeout);
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

  for (const [type, currency, name] of delayedMethods) {
    it(`tells a customer who pays with ${type} that the money is on its way, and settles later`, async (test) => {
      const checkout = await started().withOwnPaydesk(test);
      const { merchant, visit, clock } = checkout;
      const session = await merchant.newSession({ currency, payment_method_types: [type] });
      await visit({}, async ({ page }) => {
        await page.goto(String(session.url));
        await payButton(page).click();
        await seesHeading(page, type === 'oxxo' ? 'OXXO test voucher' : `${name} test bank`);
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

  for (const [type, currency] of delayedMethods) {
    it(`shows a customer who returns that their payment with ${type} has failed`, async (test) => {
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

  it('says that a debit has failed before it links back to the return URL of the shop', async (test) => {
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

  it('reloads the processing page until the receipt is ready, without script', async (test) => {
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

  it('polls a silent acquirer until it responds, without script', async (test) => {
    const checkout = await started().withOwnPaydesk(test, shortAcquirerTimeout);
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
