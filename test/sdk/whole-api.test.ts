// The SDK covers the whole API: every operation has a method, with the response that the OpenAPI document lists.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Operations, operations } from '../../sdk/src/api/operations.ts';
import type { Event, Fetch } from '../../sdk/src/paydesk.ts';
import { disputeStepMs } from '../../src/acquirers/sandbox/disputes.ts';
import { customerAt } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { type Paydesk, paydeskForSuite } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { allOf, clientOf } from './scene.ts';

const goodCard = '4242424242424242';
const badCard = '4000000000000002';

/** Sends real requests, checks every response against the document, and records which operations succeeded. */
function checkingFetch({ url: base, contract }: Paydesk, succeeded: Set<string>): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { status, headers } = response;
    const method = init.method ?? '';
    const path = url.slice(base.length);
    contract.check(method, path, { status, headers, text: await response.clone().text() });
    for (const [id, operation] of Object.entries(operations)) {
      const pattern = new RegExp(`^${operation.path.replace('{id}', '\\w+')}(?:\\?.*)?$`);
      if (response.ok && operation.method === method && pattern.test(path)) succeeded.add(id);
    }
    return response;
  };
}

describeOnEachEngine('The SDK', (engine) => {
  const server = paydeskForSuite(engine);

  it('covers every operation of the API', async () => {
    const succeeded = new Set<string>();
    const merchant = await server().newMerchant();
    const customer = customerAt(server().url);
    const paydesk = clientOf(server(), merchant, { fetch: checkingFetch(server(), succeeded) });

    const me = await paydesk.me();
    assert.deepEqual([me.id, me.livemode], [merchant.merchant.id, false]);

    const session = await paydesk.checkoutSessions.create({
      amount: 1250,
      currency: 'eur',
      metadata: { order: '6735' },
      description: undefined,
    });
    assert.deepEqual([session.status, session.currency, session.metadata.order], ['open', 'EUR', '6735']);
    const updated = await paydesk.checkoutSessions.update(session.id, { amount: 1500, metadata: { order: null } });
    assert.deepEqual([updated.amount, updated.metadata], [1500, {}]);
    assert.deepEqual(await paydesk.checkoutSessions.get(session.id), updated);
    assert.deepEqual((await paydesk.checkoutSessions.list({ status: 'open', limit: 1 })).data, [updated]);
    assert.equal((await paydesk.checkoutSessions.expire(session.id)).status, 'expired');

    const held = await paydesk.checkoutSessions.create({ amount: 900, currency: 'EUR', capture_method: 'manual' });
    await customer.payByCard(held.id, badCard);
    await customer.payByCard(held.id, goodCard);
    const captured = await paydesk.paymentIntents.capture(held.payment_intent, { amount_to_capture: 800 });
    assert.deepEqual([captured.status, captured.amount_captured], ['succeeded', 800]);
    assert.equal(captured.payment_method?.card?.last4, '4242');
    const refund = await paydesk.paymentIntents.refund(held.payment_intent, { amount: 300, reason: 'returned' });
    assert.deepEqual(await paydesk.refunds.get(refund.id), refund);
    assert.deepEqual(await allOf(paydesk.refunds.list({ payment_intent: held.payment_intent })), [refund]);
    const seen = await paydesk.paymentIntents.get(held.payment_intent);
    assert.equal(seen.amount_refunded, 300);

    const disputed = await paydesk.checkoutSessions.create({ amount: 700, currency: 'EUR' });
    await customer.payByCard(disputed.id, '4000000000000259');
    server().clock.advance(disputeStepMs);
    const disputes = () => allOf(paydesk.disputes.list({ payment_intent: disputed.payment_intent }));
    await until('it is disputed', async () => (await disputes()).length === 1);
    const [dispute] = await disputes();
    assert.deepEqual([dispute?.amount, dispute?.status], [700, 'needs_response']);
    assert.deepEqual(await paydesk.disputes.get(dispute?.id ?? ''), dispute);

    const unwanted = await paydesk.checkoutSessions.create({ amount: 1, currency: 'JPY' });
    const canceled = await paydesk.paymentIntents.cancel(unwanted.payment_intent, { cancellation_reason: 'abandoned' });
    assert.deepEqual([canceled.status, canceled.cancellation_reason], ['canceled', 'abandoned']);
    assert.deepEqual(await allOf(paydesk.paymentIntents.list({ status: 'canceled' })), [canceled]);

    const link = await paydesk.paymentLinks.create({ amount: 1250, currency: 'EUR', max_uses: 1 });
    assert.deepEqual([link.status, link.recurring, link.url.endsWith(`/pay/${link.id}`)], ['active', false, true]);
    assert.deepEqual(await paydesk.paymentLinks.get(link.id), link);
    assert.deepEqual(await allOf(paydesk.paymentLinks.list({ status: 'active' })), [link]);
    assert.deepEqual(await allOf(paydesk.checkoutSessions.list({ payment_link: link.id })), []);
    assert.deepEqual(await allOf(paydesk.paymentIntents.list({ payment_link: link.id })), []);
    assert.equal((await paydesk.paymentLinks.update(link.id, { active: false })).status, 'inactive');

    const url = 'https://shop.example/webhooks';
    const { secret, ...endpoint } = await paydesk.webhookEndpoints.create({ url });
    assert.match(secret, /^whsec_/);
    assert.deepEqual(await paydesk.webhookEndpoints.get(endpoint.id), endpoint);
    assert.deepEqual(await allOf(paydesk.webhookEndpoints.list()), [endpoint]);
    const test = await paydesk.webhookEndpoints.test(endpoint.id);
    assert.deepEqual(await paydesk.events.get(test.id), test);
    const [resent] = (await paydesk.events.resend(test.id, { endpoint: endpoint.id })).data;
    const deliveries = await allOf(paydesk.events.deliveries(test.id, { limit: 1 }));
    assert.deepEqual([deliveries.length, deliveries.filter(({ id }) => id === resent?.id).length], [2, 1]);
    const since = new Date(server().clock.now()).toISOString();
    assert.deepEqual(await paydesk.webhookEndpoints.resendFailed(endpoint.id, { since }), {
      resent: 0,
      has_more: false,
    });
    const rotated = await paydesk.webhookEndpoints.rotateSecret(endpoint.id, { activates_in: 60 });
    assert.notEqual(rotated.secret, secret);
    assert.equal((await paydesk.webhookEndpoints.update(endpoint.id, { disabled: true })).disabled, true);
    const { id } = endpoint;
    assert.deepEqual(await paydesk.webhookEndpoints.delete(id), { id, object: 'webhook_endpoint', deleted: true });

    const types = (await allOf(paydesk.events.list({ limit: 2 }))).map(({ type }) => type);
    const expected: Event['type'][] = [
      'checkout_session.expired',
      'payment_intent.payment_failed',
      'checkout_session.completed',
      'payment_intent.succeeded',
      'refund.created',
      'checkout_session.completed',
      'payment_intent.succeeded',
      'dispute.created',
      'checkout_session.expired',
      'payment_intent.canceled',
      'webhook_endpoint.test',
    ];
    assert.deepEqual(types.sort(), expected.sort());

    const all = Object.keys(operations) as (keyof Operations)[];
    assert.deepEqual(
      all.filter((operation) => !succeeded.has(operation)),
      [],
    );
  });

  it('types the data of an event by its type', async () => {
    const merchant = await server().newMerchant();
    const paydesk = clientOf(server(), merchant);
    const session = await paydesk.checkoutSessions.create({ amount: 1250, currency: 'EUR' });
    await paydesk.checkoutSessions.expire(session.id);
    const [event] = (await paydesk.events.list({ type: 'checkout_session.expired' })).data;
    assert.ok(event?.type === 'checkout_session.expired');
    const intent: string = event.data.payment_intent;
    assert.equal(intent, session.payment_intent);
  });
});
