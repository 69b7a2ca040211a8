// What is stored only to be shown: when a page was opened, the events of a payment, and the results of deliveries.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { checkoutSessionEvent, disputeEvent, paymentIntentEvent, refundEvent } from '../../src/domain/event.ts';
import { newOperation } from '../../src/domain/operation.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, describeOnEachStore, freshStore } from '../support/engines.ts';
import { withClient } from '../support/postgres-admin.ts';
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

describeOnEachEngine('What a payment’s page reads', (engine) => {
  it('is found by an index, however many payments there are', async (t) => {
    const { store, address } = await freshStore(t, engine);
    const scope = aScope();
    const endpoint = aWebhookEndpoint(scope);
    await mustCommit(store, { webhookEndpoints: [endpoint] });
    const about = { kind: 'payment', checkoutSessionId: 'cs_1', amount: 1 } as const;
    const ids: string[] = [];
    for (let group = 0; group < 30; group++) {
      const payments = Array.from({ length: 50 }, () => aPayment({ scope }));
      ids.push(...payments.map(({ intent }) => intent.id));
      const events = payments.map(({ intent }) => anEvent(intent));
      await mustCommit(store, {
        operations: ids
          .slice(-50)
          .map((paymentIntentId) =>
            newOperation(aMoment().newId('op'), scope, { ...about, paymentIntentId }, aMoment()),
          ),
        events,
        deliveries: events.map(
          (event) => ({ ...aDelivery(endpoint, event), status: 'delivered', dueAt: null }) as const,
        ),
      });
    }
    const where = { paymentIntentId: ids[700] ?? '' };
    const read = async (): Promise<void> => {
      assert.equal((await store.list('operations', { scope, where, limit: 200 })).length, 1);
      assert.equal((await store.list('events', { scope, where, limit: 200 })).length, 1);
      const failed = { scope, where: { endpointId: endpoint.id }, limit: 20 };
      assert.equal((await store.list('failedDeliveries', failed)).length, 0);
    };
    if (address.engine === 'sqlite') {
      const database = new DatabaseSync(address.path, { readOnly: true });
      const plan = (condition: string): unknown[] =>
        database.prepare(`EXPLAIN QUERY PLAN SELECT * FROM ${condition}`).all();
      const ofPayment = 't WHERE merchant_id = ? AND livemode = ? AND payment_intent_id = ? ORDER BY id DESC LIMIT ?';
      for (const table of ['operations', 'events'])
        assert.match(JSON.stringify(plan(`${table} ${ofPayment}`)), /payment_intent_id=\?/, table);
      database.close();
      return read();
    }
    await withClient(address.url, (client) => client.query('ANALYZE'));
    const before = await rowsRead(address.url);
    await read();
    await store.close();
    const after = await rowsRead(address.url);
    assert.ok(after - before < 100, `${after - before} rows were read`);
  });
});

async function rowsRead(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`
      SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) AS reads FROM pg_stat_user_tables
      WHERE relname IN ('operations', 'events', 'deliveries')`);
    return Number(rows[0]?.reads);
  });
}
