// Receipts and refund notices: who gets them, when, and what they say, as they arrive at a real SMTP server.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eraseDetails } from '../../src/usecases/erase-customer.ts';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import { must } from '../support/api-client.ts';
import { customerAt, formOf } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type Paydesk, startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';

const visa = '4242424242424242';

async function untilMails(server: MailServer, count: number): Promise<void> {
  await until(`${count} messages arrived`, () => server.received.length >= count);
}

/** All messages of all merchants, as the operator sees them, once none is pending. */
async function untilNonePending({ store }: Paydesk) {
  await until(
    'no message is pending',
    async () => (await store.count('mailMessages', { where: { status: 'pending' } }, 1)) === 0,
  );
  return store.list('mailMessages', { limit: 100 });
}

describeOnEachEngine('A receipt', (engine) => {
  it('goes to the customer after the payment succeeded, with what they paid, to whom and how', async (t) => {
    const server = await startMailServer(t);
    const paydesk = await startPaydesk(t, engine, { settings: { SMTP_URL: server.url } });
    const merchant = await paydesk.newMerchant();
    const session = await merchant.newSession({
      customer_email: 'ada@example.com',
      description: 'Order 1001',
      line_items: [
        { name: 'Coffee', quantity: 2, unit_amount: 500 },
        { name: 'Mug', quantity: 1, unit_amount: 250, description: 'White' },
      ],
    });
    await customerAt(paydesk.url).payByCard(session.id, visa);
    await untilMails(server, 1);
    const [received] = server.received;
    assert.ok(received !== undefined);
    const { mail } = received;
    assert.deepEqual(received.to, ['ada@example.com']);
    assert.equal(received.from, 'receipts@pay.test.example');
    assert.deepEqual(mail.from, { name: 'Shop of Tests', address: 'receipts@pay.test.example' });
    assert.deepEqual(mail.to, [{ name: '', address: 'ada@example.com' }]);
    assert.equal(mail.subject, '[Test] Your receipt from Shop of Tests');
    for (const body of [mail.text ?? '', mail.html ?? '']) {
      for (const part of ['€12.50', 'Visa •••• 4242', 'Coffee', '2 × €5.00', 'Mug', 'White', 'Order 1001'])
        assert.ok(body.includes(part), `${part} is in ${body}`);
      assert.ok(body.includes(String(session.payment_intent)), 'the reference');
      assert.ok(body.includes('This is a test. No money was moved.'));
      assert.doesNotMatch(body, /<img|https?:\/\//, 'nothing is loaded, and nobody is tracked');
    }
    const [message] = await untilNonePending(paydesk);
    assert.equal(mail.messageId, `<${message?.id}@pay.test.example>`);
    assert.equal(mail.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated');
    assert.equal(new Date(mail.date ?? 0).getTime(), Math.floor(paydesk.clock.now() / 1000) * 1000);
    assert.equal(message?.status, 'sent');
    assert.deepEqual(
      message?.attempts.map(({ code, error }) => ({ code, error })),
      [{ code: 250, error: null }],
    );
    assert.equal(received.session.clientName, 'pay.test.example');
  });

  it('goes to the address that the customer entered, until it is erased', async (t) => {
    const server = await startMailServer(t);
    const paydesk = await startPaydesk(t, engine, { settings: { SMTP_URL: server.url } });
    const merchant = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    const session = await merchant.newSession({ collect: ['email'] });
    const form = formOf(await customer.open(session.id));
    await customer.payForm({ ...form, fields: { ...form.fields, email: 'ada@example.com' } }, visa);
    await untilMails(server, 1);
    assert.deepEqual(server.received[0]?.to, ['ada@example.com']);
    await eraseDetails(paydesk.store, merchant.scope, String(session.id));
    must(201, await merchant.test.post(`/payment-intents/${session.payment_intent}/refund`, { amount: 100 }));
    const messages = await untilNonePending(paydesk);
    assert.deepEqual(
      messages.map(({ kind, status }) => [kind, status]),
      [['receipt', 'sent']],
    );
  });

  it('is not sent for a declined or authorised payment, but once that is captured', async (t) => {
    const server = await startMailServer(t);
    const paydesk = await startPaydesk(t, engine, { settings: { SMTP_URL: server.url } });
    const merchant = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    const session = await merchant.newSession({ customer_email: 'ada@example.com', capture_method: 'manual' });
    await customer.payByCard(session.id, '4000000000000002');
    await customer.payByCard(session.id, visa);
    assert.deepEqual(await paydesk.store.list('mailMessages', { limit: 10 }), []);
    must(
      200,
      await merchant.test.post(`/payment-intents/${session.payment_intent}/capture`, { amount_to_capture: 1000 }),
    );
    await untilMails(server, 1);
    assert.match(server.received[0]?.mail.text ?? '', /€10\.00/);
  });

  it('is followed by a notice of each refund', async (t) => {
    const server = await startMailServer(t);
    const paydesk = await startPaydesk(t, engine, { settings: { SMTP_URL: server.url } });
    const merchant = await paydesk.newMerchant();
    const session = await merchant.newSession({ customer_email: 'ada@example.com' });
    await customerAt(paydesk.url).payByCard(session.id, visa);
    await untilMails(server, 1);
    must(201, await merchant.test.post(`/payment-intents/${session.payment_intent}/refund`, { amount: 250 }));
    await untilMails(server, 2);
    const { mail } = server.received[1] ?? assert.fail();
    assert.equal(mail.subject, '[Test] Your refund from Shop of Tests');
    for (const body of [mail.text ?? '', mail.html ?? ''])
      for (const part of ['€2.50', '€12.50', String(session.payment_intent)]) assert.ok(body.includes(part), part);
  });

  it('is not queued without an address, or if the merchant has switched receipts off', async (t) => {
    const server = await startMailServer(t);
    const paydesk = await startPaydesk(t, engine, { settings: { SMTP_URL: server.url } });
    const quiet = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    const context = { store: paydesk.store, moment: () => aMoment(paydesk.clock.now()), actor: 'test' };
    await updateMerchant(context, quiet.merchant.id, { receipts: false });
    await customer.payByCard((await quiet.newSession({ customer_email: 'ada@example.com' })).id, visa);
    const other = await paydesk.newMerchant();
    await customer.payByCard((await other.newSession()).id, visa);
    assert.deepEqual(await paydesk.store.list('mailMessages', { limit: 10 }), []);
    await updateMerchant(context, quiet.merchant.id, { receipts: true, replyTo: 'help@shop.example' });
    await customer.payByCard((await quiet.newSession({ customer_email: 'ada@example.com' })).id, visa);
    await untilMails(server, 1);
    assert.deepEqual(server.received[0]?.mail.replyTo, [{ name: '', address: 'help@shop.example' }]);
    assert.match(server.received[0]?.mail.text ?? '', /Reply to this email/);
  });

  it('is not queued where no SMTP server is set', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const session = await merchant.newSession({ customer_email: 'ada@example.com' });
    await customerAt(paydesk.url).payByCard(session.id, visa);
    assert.deepEqual(await paydesk.store.list('mailMessages', { limit: 10 }), []);
  });

  it('is in the language of the session, or else of the page that the customer paid on', async (t) => {
    const server = await startMailServer(t);
    const paydesk = await startPaydesk(t, engine, { settings: { SMTP_URL: server.url } });
    const merchant = await paydesk.newMerchant();
    const german = customerAt(paydesk.url, { 'Accept-Language': 'de-AT,de;q=0.9' });
    await german.payByCard((await merchant.newSession({ customer_email: 'a@example.com' })).id, visa);
    await untilMails(server, 1);
    await german.payByCard((await merchant.newSession({ customer_email: 'b@example.com', locale: 'fr' })).id, visa);
    await untilMails(server, 2);
    // The pages are not available in Swedish, so this one was shown in German.
    await german.payByCard((await merchant.newSession({ customer_email: 'c@example.com', locale: 'sv' })).id, visa);
    await untilMails(server, 3);
    const [first, second, third] = server.received;
    assert.equal(first?.mail.subject, '[Test] Ihr Zahlungsbeleg von Shop of Tests');
    assert.match(first?.mail.text ?? '', /Betrag: €\s12,50/);
    assert.equal(second?.mail.subject, '[Test] Votre reçu de Shop of Tests');
    assert.match(second?.mail.html ?? '', /<html lang="fr" dir="ltr">/);
    assert.equal(third?.mail.subject, '[Test] Ihr Zahlungsbeleg von Shop of Tests');
  });
});
