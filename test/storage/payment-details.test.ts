// What is stored only to be shown: when a page was opened, the events of a payment, and the results of deliveries.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkoutSessionEvent, disputeEvent, paymentIntentEvent, refundEvent } from '../../src/domain/event.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { aDelivery, aDispute, aMoment, anEvent, aPayment, aScope, aWebhookEndpoint } from '../support/records.ts';

describeOnEachStore('The opening of a page', (engine) => {
  it('keeps the first time, whatever else happens to the session', async (t) => {
    const { store } = await freshStore(t, engine);
    const payment = aPayment();
    const other = aPayment();
    await mustCommit(store, changesOf(payment));
    await mustCommit(store, changesOf(other));
    const { merchantId, livemode, id } = payment.session;
    const read = await store.find('checkoutSessions', payment.session, id);
    assert.equal(read?.openedAt, null);
    await store.markSessionsOpened([
      { merchantId, livemode, id, openedAt: 500 },
      { ...other.session, openedAt: 700 },
    ]);
    await store.markSessionsOpened([{ merchantId, livemode, id, openedAt: 900 }]);
    assert.ok(read !== null);
    await mustCommit(store, { checkoutSessions: [{ ...read, status: 'expired' }] });
    const after = await store.find('checkoutSessions', payment.session, id);
    assert.equal(after?.openedAt, 500);
    assert.equal(after?.status, 'expired');
    assert.equal((await store.find('checkoutSessions', other.session, other.session.id))?.openedAt, 700);
  });

  it('of no session, or of one in the other mode, changes nothing', async (t) => {
    const { store } = await freshStore(t, engine);
    const { intent, session } = aPayment();
    await mustCommit(store, changesOf({ intent, session }));
    await store.markSessionsOpened([]);
    await store.markSessionsOpened([{ merchantId: session.merchantId, livemode: true, id: session.id, openedAt: 1 }]);
    assert.equal((await store.find('checkoutSessions', session, session.id))?.openedAt, null);
  });
});

describeOnEachStore('The events of a payment', (engine) => {
  it('are those of itself, its session, its refunds and its disputes, newest first', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const { intent, session } = aPayment({ scope });
    const about = { ...scope, version: 0, paymentIntentId: intent.id, amount: 1, currency: 'EUR' };
    const refund = { ...about, id: aMoment().newId('re'), status: 'pending', reason: null, createdAt: 1 } as const;
    const events = [
      paymentIntentEvent('payment_intent.succeeded', intent, aMoment(1_000)),
      checkoutSessionEvent('checkout_session.completed', session, aMoment(2_000)),
      refundEvent('refund.created', refund, aMoment(3_000)),
      disputeEvent('dispute.created', aDispute({ ...scope, paymentIntentId: intent.id }), aMoment(4_000)),
    ];
    const others = [anEvent(aPayment({ scope }).intent), { ...anEvent(intent), livemode: true }, anEvent()];
    for (const event of [...events, ...others]) await mustCommit(store, { events: [event] });
    const where = { paymentIntentId: intent.id };
    const types = (await store.list('events', { scope, where, limit: 10 })).map(({ type }) => type);
    assert.deepEqual(types, [
      'dispute.created',
      'refund.created',
      'checkout_session.completed',
      'payment_intent.succeeded',
    ]);
    assert.deepEqual(await store.list('events', { scope: aScope(), where, limit: 10 }), []);
  });
});

describeOnEachStore('Deliveries', (engine) => {
  it('are read by their results, of the newest events first', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const endpoint = aWebhookEndpoint(scope);
    const { intent } = aPayment({ scope });
    const [old, recent] = [anEvent(intent, aMoment(1_000)), anEvent(intent, aMoment(9_000))];
    const attempt = { at: 9_001, statusCode: 200, error: null, durationMs: 87, responseExcerpt: null };
    const delivered = {
      ...aDelivery(endpoint, recent),
      status: 'delivered',
      dueAt: null,
      attempts: [attempt],
    } as const;
    await mustCommit(store, {
      webhookEndpoints: [endpoint],
      events: [old, recent],
      deliveries: [aDelivery(endpoint, old), delivered],
    });
    assert.deepEqual(await store.deliveryQueue.recent(scope, 5_000, 10), [
      { endpointId: endpoint.id, status: 'delivered', durationMs: 87 },
    ]);
    assert.deepEqual(
      (await store.deliveryQueue.recent(scope, 0, 10)).map(({ status, durationMs }) => [status, durationMs]),
      [
        ['delivered', 87],
        ['pending', null],
      ],
    );
    assert.equal((await store.deliveryQueue.recent(scope, 0, 1)).length, 1);
    assert.deepEqual(await store.deliveryQueue.recent(aScope(), 0, 10), []);
  });

  it('that failed are listed by endpoint until their event is sent again', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const endpoint = aWebhookEndpoint(scope);
    const events = [1_000, 2_000, 3_000].map((at) => anEvent(aPayment({ scope }).intent, aMoment(at)));
    const failed = events.map(
      (event) => ({ ...aDelivery(endpoint, event, aMoment(event.createdAt)), status: 'failed', dueAt: null }) as const,
    );
    await mustCommit(store, { webhookEndpoints: [endpoint], events, deliveries: failed });
    const where = { endpointId: endpoint.id };
    const ids = async (after?: string) =>
      (
        await store.list('failedDeliveries', { scope, where, limit: 10, ...(after === undefined ? {} : { after }) })
      ).map(({ id }) => id);
    const [first, second, third] = failed;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.deepEqual(await ids(), [third.id, second.id, first.id]);
    assert.deepEqual(await ids(second.id), [first.id]);
    const [, again] = events;
    assert.ok(again !== undefined);
    await mustCommit(store, { deliveries: [aDelivery(endpoint, again, aMoment(9_000))] });
    assert.deepEqual(await ids(), [third.id, first.id]);
  });
});
