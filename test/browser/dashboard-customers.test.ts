// What customers entered on the checkout page, in the dashboard: merchants who write no code have no other place to see it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newMail } from '../../src/domain/mail-message.ts';
import { entriesOf, must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { mustCommit } from '../support/committing.ts';
import { cardFields, customerAt, formOf } from '../support/customer.ts';
import { sqlite } from '../support/engines.ts';
import { aMoment } from '../support/records.ts';
import { overflowing, rowsOf, visitAs } from './dashboard-staff.ts';

describe('Customers in the dashboard', () => {
  const started = checkoutForSuite(sqlite);

  it('are shown with what they entered on the page of a payment link, and the messages that they got', async () => {
    const { merchant, paydesk } = started();
    const collect = ['email', 'phone', 'shipping_address'];
    const link = must(201, await merchant.test.post('/payment-links', { amount: 500, currency: 'EUR', collect }));
    const customer = customerAt(paydesk.url);
    const start = formOf(await customer.get(`/pay/${link.id}`));
    const form = formOf(await customer.follow(await customer.post(start.action, start.fields)));
    await customer.post(form.action, {
      ...{ ...form.fields, ...cardFields('4242424242424242'), email: 'ada@example.org', phone: '+33 612345678' },
      ...{ full_name: 'Ada Lovelace', shipping_line1: '12 Rue Cler', shipping_city: 'Paris' },
      ...{ shipping_postal_code: '75007', shipping_country: 'FR' },
    });
    const [session = {}] = entriesOf(await merchant.test.get(`/checkout-sessions?payment_link=${link.id}`));
    const about = { paymentIntentId: String(session.payment_intent), locale: 'en' };
    const mailMessages = [
      newMail(merchant.scope, { ...about, kind: 'receipt', refundId: null }, aMoment(Date.now())),
      newMail(
        merchant.scope,
        { ...about, kind: 'refund_notice', refundId: aMoment().newId('re') },
        aMoment(Date.now()),
      ),
    ];
    await mustCommit(paydesk.store, { mailMessages });

    await visitAs(started(), merchant, { role: 'support', viewport: 'phone' }, async ({ page, open }) => {
      for (const path of [`/payments/${session.payment_intent}`, `/checkout-sessions/${session.id}`]) {
        await open(path);
        for (const [name, value] of [
          ['Customer', 'ada@example.org'],
          ['Name', 'Ada Lovelace'],
          ['Phone', '+33612345678'],
          ['Shipping address', '12 Rue Cler, 75007 Paris, FR'],
        ] as const)
          await page.locator('.details-row', { hasText: name }).getByText(value, { exact: true }).waitFor();
        assert.deepEqual(await overflowing(page), []);
      }
      await open(`/payments/${session.payment_intent}`);
      for (const what of ['Receipt', 'Refund notice'])
        await page.getByText(`${what} e-mailed to the customer`, { exact: true }).waitFor();
    });
    await visitAs(started(), merchant, {}, async ({ page, open }) => {
      for (const [path, label] of [
        ['/payments', 'Payments'],
        ['/checkout-sessions', 'Checkout sessions'],
      ] as const) {
        await open(path);
        await rowsOf(page, label).getByRole('cell', { name: 'ada@example.org' }).waitFor();
      }
    });
  });
});
