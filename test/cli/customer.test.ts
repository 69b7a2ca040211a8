// paydesk customer erase: what is stored about a customer is gone everywhere, and amounts and statuses stay.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openShop, paymentState, type Shop, untilStatus } from '../paying/scene.ts';
import { type Fields, must } from '../support/api-client.ts';
import { cardFields, formOf } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, secretKey, type TestMerchant } from '../support/paydesk.ts';
import { callPaydesk, databaseUrl, paydeskJson } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { loopbackAllowed } from '../webhooks/scene.ts';

const visa = '4242424242424242';
const personal = /ada@example|612345678|Lovelace|Rue Cler/i;

async function paySession({ customer, merchant }: Shop, email: string, fields: Fields = {}): Promise<Fields> {
  const session = await merchant.newSession({ collect: ['email', 'phone', 'shipping_address'], ...fields });
  const form = formOf(await customer.open(session.id));
  await customer.post(form.action, {
    ...{ ...form.fields, ...cardFields(visa), email, phone: '+33612345678', full_name: 'Ada Lovelace' },
    ...{ shipping_line1: '12 Rue Cler', shipping_city: 'Paris', shipping_postal_code: '75007', shipping_country: 'FR' },
  });
  return session;
}

const key = (last: string): Readonly<Record<string, string>> => ({
  'Idempotency-Key': `00000000-0000-4000-8000-${last.padStart(12, '0')}`,
});

const nothing = { sessions: 0, links: 0, reasons: 0, events: 0, responses: 0 };

describeOnEachEngine('paydesk customer erase', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: loopbackAllowed });
  const options = () => ({
    settings: {
      DATABASE_URL: databaseUrl(paydesk().address),
      PAYDESK_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
    },
  });
  const erase = (...args: string[]): Promise<Fields> =>
    paydeskJson<Fields>(['customer', 'erase', ...args], options(), callPaydesk);

  /** Everything that the API and the database know about the payments of a merchant. */
  async function known({ test, events }: TestMerchant): Promise<string> {
    const lists = await Promise.all(
      ['/checkout-sessions', '/payment-intents', '/events'].map((path) => test.get(path)),
    );
    return JSON.stringify([lists.map(({ body }) => body), await events()]);
  }

  it('erases the customer from sessions and payments, whatever the spelling, and keeps amounts and statuses', async () => {
    const shop = await openShop(paydesk());
    const collected = await paySession(shop, 'Ada@Example.com');
    const passed = await shop.merchant.newSession({ customer_email: 'ada@example.com' });
    const other = await paySession(shop, 'nada@example.com');
    const before = await paymentState(shop, collected);
    const { id } = shop.merchant.merchant;

    assert.deepEqual(await erase('ada@EXAMPLE.com', '--merchant', id, '--dry-run'), {
      ...{ ...nothing, sessions: 2, dry_run: true },
    });
    assert.deepEqual(await paymentState(shop, collected), before, 'a dry run changes nothing');

    assert.deepEqual(await erase('ada@EXAMPLE.com', '--merchant', id), {
      ...{ ...nothing, sessions: 2, dry_run: false },
    });
    const after = await paymentState(shop, collected);
    assert.deepEqual(after.intent, { ...before.intent, customer_details: null });
    assert.deepEqual(after.session, { ...before.session, customer_details: null });
    assert.equal(before.intent.status, 'succeeded');
    const emailOf = async (session: Fields) => (await paymentState(shop, session)).session.customer_email;
    assert.equal(await emailOf(passed), null);
    const others = (await paymentState(shop, other)).intent.customer_details as Fields;
    assert.deepEqual([others.email, others.name], ['nada@example.com', 'Ada Lovelace']);
    assert.deepEqual(await erase('ada@example.com', '--merchant', id), {
      ...{ ...nothing, sessions: 0, dry_run: false },
    });
  });

  it('erases the address from metadata, from events and from responses to repeated requests', async (t) => {
    const shop = await openShop(paydesk());
    const receiver = await startWebhookReceiver(t);
    const { test } = shop.merchant;
    must(201, await test.post('/webhook-endpoints', { url: receiver.url }));
    const fields = { amount: 1250, currency: 'EUR', metadata: { buyer: 'Ada <ada@example.com>', order: '7' } };
    const request = { ...fields, customer_email: 'ada@example.com' };
    const session = must(201, await test.post('/checkout-sessions', request, { headers: key('1') }));
    await shop.customer.payByCard(session.id, visa);
    await until('the webhooks arrived', () => receiver.requests.length === 2);
    assert.match(String(receiver.requests[0]?.body), /ada@example\.com/);

    const { sessions, events, responses } = await erase('ada@example.com');
    assert.deepEqual([sessions, events, responses], [1, 2, 1]);
    assert.doesNotMatch(await known(shop.merchant), personal);
    const { intent } = await paymentState(shop, session);
    assert.deepEqual(intent.metadata, { buyer: 'Ada <[erased]>', order: '7' });

    const repeated = must(201, await test.post('/checkout-sessions', request, { headers: key('1') }));
    assert.deepEqual([repeated.id, repeated.customer_email, repeated.customer_details], [session.id, null, null]);
    assert.doesNotMatch(JSON.stringify(repeated), personal);

    const [event] = await shop.merchant.events();
    must(200, await test.post(`/events/${event?.id}/resend`));
    await until('the event arrived again', () => receiver.requests.length === 3);
    const resent = String(receiver.requests[2]?.body);
    assert.match(resent, /\[erased\]/);
    assert.doesNotMatch(resent, personal);
  });

  it('erases the address from payment links, and from the reasons of refunds and cancellations', async () => {
    const shop = await openShop(paydesk());
    const { test } = shop.merchant;
    const link = must(
      201,
      await test.post('/payment-links', {
        ...{ currency: 'EUR', description: 'Invoice for ada@example.com', metadata: { buyer: 'ada@example.com' } },
        line_items: [{ name: 'Lesson of Ada@example.com', quantity: 1, unit_amount: 1250 }],
      }),
    );
    const refunded = await shop.merchant.newSession();
    await shop.customer.payByCard(refunded.id, visa);
    must(
      201,
      await test.post(`/payment-intents/${refunded.payment_intent}/refund`, { reason: 'ada@example.com asked' }),
    );
    const canceled = await shop.merchant.newSession({ capture_method: 'manual' });
    await shop.customer.payByCard(canceled.id, visa);
    const cancellation = { cancellation_reason: 'as ada@example.com wished' };
    must(200, await test.post(`/payment-intents/${canceled.payment_intent}/cancel`, cancellation));
    const merchantId = shop.merchant.merchant.id;

    const { sessions, links, reasons } = await erase('ada@example.com', '--merchant', merchantId, '--dry-run');
    assert.deepEqual([sessions, links, reasons], [0, 1, 3]);
    await erase('ada@example.com', '--merchant', merchantId);
    const { description, metadata, line_items } = must(200, await test.get(`/payment-links/${link.id}`));
    assert.deepEqual([description, metadata], ['Invoice for [erased]', { buyer: '[erased]' }]);
    assert.match(JSON.stringify(line_items), /Lesson of \[erased\]/);
    const stored = await Promise.all(
      (['paymentLinks', 'refunds', 'paymentIntents', 'operations'] as const).map((table) =>
        paydesk().store.list(table, { scope: shop.merchant.scope, limit: 100 }),
      ),
    );
    assert.doesNotMatch(JSON.stringify([stored, await known(shop.merchant)]), personal);
    assert.equal((await paymentState(shop, canceled)).intent.cancellation_reason, 'as [erased] wished');
    const again = await erase('ada@example.com', '--merchant', merchantId);
    assert.deepEqual(again, { ...nothing, dry_run: false });
  });

  it('leaves an entry in the audit trail that does not name the customer, and logs nothing of them', async () => {
    const shop = await openShop(paydesk());
    await paySession(shop, 'ada@example.com');
    await erase('ada@example.com', '--merchant', shop.merchant.merchant.id);
    const where = { merchantId: shop.merchant.merchant.id };
    const entries = await paydesk().store.list('auditEntries', { limit: 100, where });
    const [entry] = entries.filter(({ action }) => action === 'customer.erased');
    assert.ok(entry !== undefined);
    assert.match(entry.actor, /^cli:/);
    assert.match(entry.subject, /^customer [0-9a-z]+$/);
    assert.deepEqual(entry.details, { ...nothing, sessions: 1 });
    const started = entries.find(({ action }) => action === 'customer.erasure_started');
    assert.deepEqual(
      [started?.subject, started?.actor, started?.details],
      [entry.subject, entry.actor, {}],
      'a run that is interrupted has left an entry too',
    );
    await erase('ada@example.com', '--merchant', shop.merchant.merchant.id, '--dry-run');
    assert.equal((await paydesk().store.list('auditEntries', { limit: 100, where })).length, entries.length);
    assert.doesNotMatch(JSON.stringify([entries, paydesk().logLines()]), personal);
  });

  it('does not stop a payment that is in progress', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({
      payment_method_types: ['ideal'],
      customer_email: 'ada@example.com',
    });
    const bank = await shop.customer.payBy(session.id, 'ideal');
    await erase('ada@example.com', '--merchant', shop.merchant.merchant.id);
    await shop.customer.choose(bank, 'pass');
    // The bank's notification may be processed at the same moment as the customer's return.
    await untilStatus(shop, session, 'succeeded');
    assert.equal((await paymentState(shop, session)).intent.customer_details, null);
  });

  it('says what it did in words, and what is wrong with its arguments', async () => {
    const { code, stdout } = await callPaydesk(['customer', 'erase', 'nobody@example.com'], options());
    assert.deepEqual(
      [code, stdout],
      [0, 'Erased nobody@example.com from 0 payments, 0 payment links, 0 reasons, 0 events and 0 stored responses.\n'],
    );
    for (const [args, pattern] of [
      [[], /specify an address/],
      [['ada'], /"ada" is not an e-mail address/],
      [['ada@example.com', '--merchant', 'ada'], /is not the id of a merchant/],
      [['ada@example.com', '--merchant', `acct_${'0'.repeat(26)}`], /merchant/],
    ] as const) {
      const failed = await callPaydesk(['customer', 'erase', ...args], options());
      assert.equal(failed.code, 1);
      assert.match(failed.stderr, pattern);
    }
  });
});
