// The simulated Stripe behaves as Stripe's own library expects, and refuses what Stripe refuses.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import Stripe from 'stripe';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { type SimulatorOptions, type StripeSimulator, startStripeSimulator } from './stripe-simulator/simulator.ts';

interface Scene {
  readonly simulator: StripeSimulator;
  readonly client: Stripe;
}

async function open(t: TestContext, options: SimulatorOptions = {}): Promise<Scene> {
  const simulator = await startStripeSimulator(t, options);
  return { simulator, client: clientOf(simulator, simulator.secretKey) };
}

function clientOf({ url }: StripeSimulator, key: string): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

const confirmed = {
  amount: 1_999,
  currency: 'eur',
  payment_method: 'pm_card_visa',
  payment_method_types: ['card'],
  confirm: true,
  return_url: 'https://shop.example/back',
};

async function refusal(answer: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await answer.then(
    (value) => assert.fail(`answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Stripe.errors.StripeError, String(error));
  return error;
}

describe('The simulated Stripe', () => {
  it('takes a payment, captures a part of it and refunds it', async (t) => {
    const { simulator, client } = await open(t);
    const intent = await client.paymentIntents.create({
      ...confirmed,
      capture_method: 'manual',
      expand: ['latest_charge', 'payment_method'],
    });
    assert.equal(intent.status, 'requires_capture');
    assert.ok(typeof intent.latest_charge === 'object' && intent.latest_charge !== null);
    assert.ok((intent.latest_charge.payment_method_details?.card?.capture_before ?? 0) > intent.created);
    assert.ok(typeof intent.payment_method === 'object' && intent.payment_method?.card?.last4 === '4242');
    assert.deepEqual(simulator.totals(), { captured: 0, held: 1_999, refunded: 0 });
    const captured = await client.paymentIntents.capture(intent.id, { amount_to_capture: 1_500 });
    assert.equal(captured.amount_received, 1_500);
    const refund = await client.refunds.create({ payment_intent: intent.id, amount: 400, metadata: { a: 'b' } });
    assert.equal(refund.status, 'succeeded');
    const { data: refunds } = await client.refunds.list({ payment_intent: intent.id });
    assert.deepEqual(refunds[0], refund);
    // As Stripe does, it lists what was not captured as a refund too.
    assert.deepEqual(
      refunds.map(({ amount }) => amount),
      [400, 499],
    );
    const charge = await client.charges.retrieve(String(captured.latest_charge));
    assert.deepEqual([charge.amount_captured, charge.amount_refunded, charge.refunded], [1_500, 899, false]);
    assert.deepEqual(simulator.totals(), { captured: 1_500, held: 0, refunded: 400 });
  });

  it('refuses amounts above what is left', async (t) => {
    const { simulator, client } = await open(t);
    const held = await client.paymentIntents.create({ ...confirmed, capture_method: 'manual' });
    assert.equal((await refusal(client.paymentIntents.capture(held.id, { amount_to_capture: 2_000 }))).statusCode, 400);
    const paid = await client.paymentIntents.create(confirmed);
    await client.refunds.create({ payment_intent: paid.id, amount: 1_500 });
    assert.equal((await refusal(client.refunds.create({ payment_intent: paid.id, amount: 500 }))).statusCode, 400);
    await client.refunds.create({ payment_intent: paid.id });
    const again = await refusal(client.refunds.create({ payment_intent: paid.id }));
    assert.equal(again.code, 'charge_already_refunded');
    assert.deepEqual(simulator.totals(), { captured: 1_999, held: 1_999, refunded: 1_999 });
  });

  it('refuses what does not fit the state', async (t) => {
    const { client } = await open(t);
    const paid = await client.paymentIntents.create(confirmed);
    for (const attempt of [
      client.paymentIntents.confirm(paid.id),
      client.paymentIntents.capture(paid.id),
      client.paymentIntents.cancel(paid.id),
    ]) {
      const error = await refusal(attempt);
      assert.equal(error.code, 'payment_intent_unexpected_state');
      assert.equal(error.payment_intent?.status, 'succeeded');
    }
    const unpaid = await client.paymentIntents.create({ amount: 500, currency: 'eur' });
    assert.equal((await refusal(client.refunds.create({ payment_intent: unpaid.id }))).statusCode, 400);
    assert.equal((await client.paymentIntents.cancel(unpaid.id)).status, 'canceled');
  });

  it('refuses unknown parameters, missing ones and unusable amounts', async (t) => {
    const { simulator, client } = await open(t);
    const post = (fields: Record<string, string>) =>
      client.rawRequest('POST', '/v1/payment_intents', fields as Record<string, unknown>);
    assert.equal((await refusal(post({ amount: '500', currency: 'eur', amuont: '5' }))).code, 'parameter_unknown');
    assert.equal((await refusal(post({ currency: 'eur' }))).code, 'parameter_missing');
    assert.equal((await refusal(post({ amount: '5.00', currency: 'eur' }))).code, 'parameter_invalid_integer');
    assert.equal((await refusal(post({ amount: '550', currency: 'isk' }))).param, 'amount');
    assert.equal((await refusal(post({ amount: '5124', currency: 'kwd' }))).param, 'amount');
    assert.equal(
      (await refusal(post({ amount: '500', currency: 'eur', return_url: 'https://a.example' }))).param,
      'return_url',
    );
    assert.equal((await refusal(client.paymentIntents.retrieve('pi_unknown'))).code, 'resource_missing');
    assert.equal((await refusal(client.rawRequest('GET', '/v1/nowhere'))).statusCode, 404);
    assert.equal(simulator.books.intents.size, 0);
  });

  it('accepts its key only, as a bearer token or as a user name', async (t) => {
    const { simulator } = await open(t);
    assert.equal((await refusal(clientOf(simulator, 'sk_test_other').paymentIntents.retrieve('pi_1'))).statusCode, 401);
    const basic = `Basic ${Buffer.from(`${simulator.secretKey}:`).toString('base64')}`;
    assert.equal((await fetch(`${simulator.url}/v1/account`, { headers: { authorization: basic } })).status, 200);
    assert.equal((await fetch(`${simulator.url}/v1/account`)).status, 401);
  });

  it('keeps declined payments open for another card', async (t) => {
    const { client } = await open(t);
    const declined = await refusal(
      client.paymentIntents.create({ ...confirmed, payment_method: 'pm_card_chargeDeclined' }),
    );
    assert.equal(declined.statusCode, 402);
    assert.equal(declined.decline_code, 'generic_decline');
    const id = declined.payment_intent?.id ?? '';
    assert.equal((await client.paymentIntents.retrieve(id)).last_payment_error?.decline_code, 'generic_decline');
    assert.equal((await client.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).status, 'succeeded');
  });

  it('lets the customer pass a challenge and sends them back', async (t) => {
    const { client } = await open(t);
    const asked = await client.paymentIntents.create({ ...confirmed, payment_method: 'pm_card_threeDSecure2Required' });
    const url = asked.next_action?.redirect_to_url?.url ?? '';
    const response = await fetch(`${url}/pass`, { method: 'POST', redirect: 'manual' });
    const back = new URL(response.headers.get('location') ?? '');
    assert.equal(back.origin, 'https://shop.example');
    assert.equal(back.searchParams.get('redirect_status'), 'succeeded');
    assert.equal((await client.paymentIntents.retrieve(asked.id)).status, 'succeeded');
  });
});

describe('Idempotency keys of the simulated Stripe', () => {
  it('return the first response for 24 hours, and then execute again', async (t) => {
    const clock = fakeClock();
    const { simulator, client } = await open(t, { now: clock.now });
    const create = () => client.paymentIntents.create(confirmed, { idempotencyKey: 'k' });
    const first = await create();
    clock.advance(86_399_000);
    const second = await create();
    assert.equal(second.id, first.id);
    assert.equal(second.lastResponse.headers['idempotent-replayed'], 'true');
    clock.advance(2_000);
    assert.notEqual((await create()).id, first.id);
    assert.equal(simulator.totals().captured, 3_998);
  });

  it('are refused with other parameters', async (t) => {
    const { client } = await open(t);
    await client.paymentIntents.create(confirmed, { idempotencyKey: 'k' });
    const other = client.paymentIntents.create({ ...confirmed, amount: 2_000 }, { idempotencyKey: 'k' });
    assert.ok((await refusal(other)) instanceof Stripe.errors.StripeIdempotencyError);
  });

  it('are refused while the first request is being executed', async (t) => {
    const { simulator, client } = await open(t);
    const create = () => client.paymentIntents.create(confirmed, { idempotencyKey: 'k' });
    simulator.faults.inject('payment_intents.create', 'hold');
    const first = create();
    await until('the first request has arrived', () => simulator.faults.held() === 1);
    assert.equal((await refusal(create())).statusCode, 409);
    simulator.faults.release();
    assert.equal((await create()).id, (await first).id);
  });

  it('keep declines and refused states, but nothing that failed validation', async (t) => {
    const { simulator, client } = await open(t);
    const declined = () =>
      client.paymentIntents.create({ ...confirmed, payment_method: 'pm_card_chargeDeclined' }, { idempotencyKey: 'd' });
    const first = await refusal(declined());
    assert.equal((await refusal(declined())).payment_intent?.id, first.payment_intent?.id);
    assert.equal(simulator.books.charges.size, 1);
    const options = { idempotencyKey: 'v' };
    await refusal(client.paymentIntents.create({ ...confirmed, payment_method: 'pm_unknown' }, options));
    assert.equal((await client.paymentIntents.create(confirmed, options)).status, 'succeeded');
  });
});

describe('Notifications of the simulated Stripe', () => {
  const secret = 'whsec_1';
  const types = (requests: readonly { readonly body: Buffer }[]) =>
    requests.map(({ body }) => (JSON.parse(body.toString()) as Stripe.Event).type);

  it('are signed and sent for each change', async (t) => {
    const { simulator, client } = await open(t);
    const receiver = await startWebhookReceiver(t);
    simulator.notifications.sendTo(receiver.url, secret);
    const { id } = await client.paymentIntents.create({ ...confirmed, payment_method: 'pm_card_visa' });
    simulator.dashboard.refund(id, 100);
    const dispute = simulator.dashboard.dispute(id);
    simulator.dashboard.moveDispute(dispute.id, 'under_review');
    simulator.dashboard.moveDispute(dispute.id, 'won');
    await simulator.notifications.idle();
    for (const { headers, body } of receiver.requests)
      client.webhooks.constructEvent(body, String(headers['stripe-signature']), secret);
    assert.deepEqual(types(receiver.requests).sort(), [
      'charge.dispute.closed',
      'charge.dispute.created',
      'charge.dispute.funds_reinstated',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      'charge.refunded',
      'charge.succeeded',
      'payment_intent.created',
      'payment_intent.succeeded',
      'refund.created',
    ]);
    assert.deepEqual([...new Set(simulator.notifications.events.flatMap(({ responses }) => responses))], [200]);
  });

  it('can be held back and reordered, sent twice, or dropped', async (t) => {
    const { simulator, client } = await open(t);
    const receiver = await startWebhookReceiver(t);
    simulator.notifications.sendTo(receiver.url, secret);
    simulator.notifications.setPolicy({ hold: true, copies: 2, drop: (type) => type === 'charge.succeeded' });
    await client.paymentIntents.create(confirmed);
    assert.equal(receiver.requests.length, 0);
    await simulator.notifications.release((events) => events.toReversed());
    assert.deepEqual(types(receiver.requests), [
      'payment_intent.succeeded',
      'payment_intent.succeeded',
      'payment_intent.created',
      'payment_intent.created',
    ]);
  });

  it('record that the receiver failed, and can be sent again', async (t) => {
    const { simulator, client } = await open(t);
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 503 });
    simulator.notifications.sendTo(receiver.url, secret);
    await client.paymentIntents.create({ amount: 500, currency: 'eur' });
    await simulator.notifications.idle();
    const [event] = simulator.notifications.events;
    assert.ok(event !== undefined);
    receiver.answerWith({});
    await simulator.notifications.resend(event);
    assert.deepEqual(event.responses, [503, 200]);
  });
});
