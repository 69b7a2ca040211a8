// A payment as the dashboard shows it, its timeline, and what users do with it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused, entriesOf, type Fields, fieldsOf, must, textOf } from '../support/api-client.ts';
import { customerAt } from '../support/customer.ts';
import { signIn } from '../support/dashboard.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { loopbackAllowed } from '../webhooks/scene.ts';

const declined = '4000000000000002';
const paid = '4242424242424242';
const challenged = '4000000000003220';

const timelineOf = (payment: Fields): Fields[] => {
  assert.ok(Array.isArray(payment.timeline));
  return payment.timeline.map(fieldsOf);
};
const typesOf = (payment: Fields): string[] => timelineOf(payment).map(({ type }) => String(type));

describeOnEachEngine('A payment in the dashboard', (engine) => {
  const paydesk = paydeskForSuite(engine, { longestPauseMs: 50, settings: loopbackAllowed });

  it('shows its session, its customer, and everything that happened to it', async (t) => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'support');
    const receiver = await startWebhookReceiver(t);
    const endpoint = must(201, await shop.test.post('/webhook-endpoints', { url: `${receiver.url}/hooks` }));
    const session = await shop.newSession({
      customer_email: 'ada@customers.example',
      description: 'Three bags of coffee',
      metadata: { order: '6735' },
    });
    const { clock, url } = paydesk();
    const customer = customerAt(url);
    clock.advance(1_000);
    await customer.open(session.id);
    clock.advance(1_000);
    await customer.payByCard(session.id, declined);
    clock.advance(1_000);
    const sent = await customer.payByCard(session.id, challenged);
    clock.advance(1_000);
    await customer.choose(sent, 'pass');
    const read = async () => must(200, await staff.get(`/payments/${textOf(session.payment_intent)}`));
    await until('the page and all deliveries are recorded', async () => {
      const entries = timelineOf(await read());
      const delivered = entries.filter(({ type, status }) => type === 'delivery' && status === 'delivered');
      return entries.some(({ type }) => type === 'page_opened') && delivered.length === 3;
    });
    const payment = await read();
    assert.equal(payment.status, 'succeeded');
    const unknown = { phone: null, name: null, billing_address: null, shipping_address: null };
    assert.deepEqual(payment.customer, { ...unknown, email: 'ada@customers.example' });
    assert.equal(payment.description, 'Three bags of coffee');
    assert.deepEqual(payment.metadata, { order: '6735' });
    assert.equal(fieldsOf(payment.session).id, session.id);
    assert.match(textOf(payment.provider_reference), /^op_/);
    assert.deepEqual(payment.actions, { refundable_amount: 1250, capturable_amount: 0, cancelable: false });
    assert.equal(payment.timeline_has_more, false);
    const types = typesOf(payment).reverse();
    const steps = types.filter((type) => type !== 'event' && type !== 'delivery' && type !== 'page_opened');
    assert.deepEqual(steps, [
      'session_created',
      'payment_started',
      'payment_failed',
      'payment_started',
      'action_needed',
      'action_done',
      'payment_succeeded',
      'session_completed',
    ]);
    assert.equal(types[1], 'page_opened');
    const failed = timelineOf(payment).find(({ type }) => type === 'payment_failed');
    assert.equal(failed?.code, 'card_declined');
    assert.equal(failed?.decline_code, 'generic_decline');
    assert.equal(fieldsOf(fieldsOf(failed?.payment_method).card).last4, '0002');
    const events = timelineOf(payment).filter(({ type }) => type === 'event');
    assert.deepEqual(events.map(({ event_type: type }) => type).sort(), [
      'checkout_session.completed',
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
    ]);
    const delivery = fieldsOf(timelineOf(payment).find(({ type }) => type === 'delivery')?.delivery);
    assert.equal(delivery.endpoint, endpoint.id);
    assert.equal(delivery.status_code, 200);
    assert.equal(delivery.attempts, 1);
    const times = timelineOf(payment).map(({ at }) => textOf(at));
    assert.deepEqual(times, times.toSorted().reverse(), 'newest first');
  });

  it('is refunded in part with a reason, which the API, the timeline and the audit log show', async (t) => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'support');
    const receiver = await startWebhookReceiver(t);
    const subscription = { url: `${receiver.url}/hooks`, enabled_events: ['refund.created'] };
    must(201, await shop.test.post('/webhook-endpoints', subscription));
    const session = await shop.newSession();
    await customerAt(paydesk().url).payByCard(session.id, paid);
    const path = `/payments/${textOf(session.payment_intent)}`;
    const refund = must(201, await staff.post(`${path}/refund`, { amount: 500, reason: 'One bag was open' }));
    assert.equal(refund.status, 'succeeded');
    const [listed] = entriesOf(await shop.test.get(`/refunds?payment_intent=${textOf(session.payment_intent)}`));
    assert.equal(listed?.id, refund.id);
    assert.equal(listed?.reason, 'One bag was open');
    await until('the refund is announced', () => receiver.requests.length === 1);
    const payment = must(200, await staff.get(path));
    assert.deepEqual(payment.actions, { refundable_amount: 750, capturable_amount: 0, cancelable: false });
    const started = timelineOf(payment).find(({ type }) => type === 'refund_started');
    assert.equal(started?.refund, refund.id);
    assert.equal(started?.amount, 500);
    assert.equal(started?.reason, 'One bag was open');
    assert.ok(typesOf(payment).includes('refund_succeeded'));
    const where = { merchantId: shop.merchant.id };
    const entries = await paydesk().store.list('auditEntries', { where, limit: 20 });
    const entry = entries.find(({ action }) => action === 'refund.created');
    assert.equal(entry?.actor, `user:${staff.user.id}`);
    assert.equal(entry?.subject, session.payment_intent);
    assert.equal(entry?.details.amount, 500);
    assertRefused(await staff.post(`${path}/refund`, { amount: 751 }), {
      ...{ status: 400, code: 'parameter_invalid', param: 'amount' },
    });
  });

  it('is captured in part, or canceled', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'developer');
    const authorised = async (): Promise<string> => {
      const session = await shop.newSession({ capture_method: 'manual' });
      await customerAt(paydesk().url).payByCard(session.id, paid);
      return textOf(session.payment_intent);
    };
    const [captured, canceled] = [await authorised(), await authorised()];
    const before = must(200, await staff.get(`/payments/${captured}`));
    assert.deepEqual(before.actions, { refundable_amount: 0, capturable_amount: 1250, cancelable: true });
    assert.ok(typesOf(before).includes('payment_authorised'));
    must(200, await staff.post(`/payments/${captured}/capture`, { amount_to_capture: 1000 }));
    assert.equal(must(200, await shop.test.get(`/payment-intents/${captured}`)).amount_captured, 1000);
    must(200, await staff.post(`/payments/${canceled}/cancel`, { cancellation_reason: 'Out of stock' }));
    const after = must(200, await staff.get(`/payments/${canceled}`));
    assert.equal(after.status, 'canceled');
    assert.deepEqual(
      typesOf(after).filter((type) => /^(void|payment_canceled)/.test(type)),
      ['payment_canceled', 'void_succeeded', 'void_started'],
    );
    assert.equal(timelineOf(after).find(({ type }) => type === 'payment_canceled')?.reason, 'Out of stock');
  });

  it('of another merchant or mode does not exist', async () => {
    const [shop, other] = [await paydesk().newMerchant(), await paydesk().newMerchant()];
    const staff = await signIn(paydesk(), shop);
    const session = await other.newSession();
    const own = await shop.newSession();
    const notFound = { status: 404, code: 'payment_intent_not_found' };
    const theirs = `/payments/${textOf(session.payment_intent)}`;
    assertRefused(await staff.get(theirs), notFound);
    for (const action of ['refund', 'capture', 'cancel'])
      assertRefused(await staff.post(`${theirs}/${action}`), notFound);
    const inLive = { headers: { 'Paydesk-Mode': 'live' } };
    assertRefused(await staff.get(`/payments/${textOf(own.payment_intent)}`, inLive), notFound);
    assert.equal(
      must(200, await other.test.get(`/payment-intents/${textOf(session.payment_intent)}`)).status,
      'requires_payment_method',
    );
  });

  it('is refunded once, however often the request is repeated with its key', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop);
    const session = await shop.newSession();
    await customerAt(paydesk().url).payByCard(session.id, paid);
    const path = `/payments/${textOf(session.payment_intent)}/refund`;
    const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
    const [first, second] = [
      await staff.post(path, { amount: 100 }, options),
      await staff.post(path, { amount: 100 }, options),
    ];
    assert.equal(must(201, second).id, must(201, first).id);
    assert.equal(
      must(200, await shop.test.get(`/payment-intents/${textOf(session.payment_intent)}`)).amount_refunded,
      100,
    );
  });
});
