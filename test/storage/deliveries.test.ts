// Webhook endpoints and deliveries: stored, queued by endpoint, claimed for a lease, recorded behind a fence.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Attempt, Delivery } from '../../src/domain/delivery.ts';
import type { Event } from '../../src/domain/event.ts';
import type { WebhookEndpoint } from '../../src/domain/webhook-endpoint.ts';
import type { Store } from '../../src/storage/store.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aDelivery, aMoment, anEvent, aPayment, aScope, aWebhookEndpoint } from '../support/records.ts';

const leaseMs = 30_000;
const attempt: Attempt = {
  at: now,
  statusCode: 500,
  error: null,
  durationMs: 12,
  responseExcerpt: 'no \u{1F469} “today”',
};

interface Scene {
  readonly endpoint: WebhookEndpoint;
  readonly event: Event;
  readonly deliveries: readonly Delivery[];
}

/** An endpoint with `count` deliveries of one event, due a millisecond apart, the last one now. */
async function queued(store: Store, count: number, scope = aScope()): Promise<Scene> {
  const endpoint = aWebhookEndpoint(scope);
  const event = anEvent(aPayment({ scope }).intent);
  const deliveries = Array.from({ length: count }, (_, at) =>
    aDelivery(endpoint, event, aMoment(now - count + 1 + at)),
  );
  await mustCommit(store, { webhookEndpoints: [endpoint], events: [event], deliveries });
  return { endpoint: { ...endpoint, version: 1 }, event, deliveries };
}

async function claim(store: Store, endpoint: WebhookEndpoint, limit = 100, at = now): Promise<readonly Delivery[]> {
  const [one] = await store.deliveryQueue.claim({ now: at, leaseMs, wanted: [{ endpointId: endpoint.id, limit }] });
  return one?.claimed.map(({ delivery }) => delivery) ?? [];
}

const idsOf = (deliveries: readonly Delivery[]): string[] => deliveries.map(({ id }) => id);

describeOnEachStore('Webhook endpoints', (engine) => {
  it('are read back as they were committed, until they are deleted', async (t) => {
    const { store } = await freshStore(t, engine);
    const plain = aWebhookEndpoint();
    const full = aWebhookEndpoint({
      ...aScope({ livemode: true }),
      description: 'Zürich “東京”',
      enabledEvents: ['refund.failed', 'payment_intent.canceled'],
      disabledReason: 'gone',
      secret: Uint8Array.from({ length: 256 }, (_, at) => at),
      nextSecret: Uint8Array.of(0, 255),
      nextSecretAt: now + 5,
    });
    await mustCommit(store, { webhookEndpoints: [plain, full] });
    for (const endpoint of [plain, full]) {
      assert.deepEqual(
        plainBytes(await store.find('webhookEndpoints', endpoint, endpoint.id)),
        plainBytes({ ...endpoint, version: 1 }),
      );
      assert.deepEqual(
        (await store.list('webhookEndpoints', { scope: endpoint, limit: 9 })).map(({ id }) => id),
        [endpoint.id],
      );
    }
    assert.equal(await store.find('webhookEndpoints', full, plain.id), null, 'not for another merchant');
    assert.equal((await store.walk('webhookEndpoints', null, 10)).length, 2);
    await mustCommit(store, { webhookEndpoints: [{ ...plain, version: 1, deletedAt: now }] });
    assert.equal(await store.find('webhookEndpoints', plain, plain.id), null);
    assert.deepEqual(await store.list('webhookEndpoints', { scope: plain, limit: 9 }), []);
    assert.equal((await store.walk('webhookEndpoints', null, 10)).length, 1);
  });

  it('subscribe to events of their own merchant and mode unless disabled or deleted', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const subscribed = aWebhookEndpoint({ ...scope, enabledEvents: ['refund.created'] });
    await mustCommit(store, {
      webhookEndpoints: [
        subscribed,
        aWebhookEndpoint({ ...scope, disabledReason: 'by_request' }),
        aWebhookEndpoint({ ...scope, deletedAt: now }),
        aWebhookEndpoint({ ...scope, livemode: true }),
        aWebhookEndpoint(),
      ],
    });
    assert.deepEqual(await store.list('subscriptions', { scope: scope, limit: 10 }), [
      { id: subscribed.id, enabledEvents: ['refund.created'] },
    ]);
  });
});

describeOnEachStore('Deliveries', (engine) => {
  it('are listed newest first, in pages, with their attempts', async (t) => {
    const { store } = await freshStore(t, engine);
    const { endpoint, event, deliveries } = await queued(store, 5);
    const newestFirst = [...deliveries].reverse();
    assert.deepEqual(
      await store.list('deliveries', { scope: endpoint, limit: 3, where: { eventId: event.id } }),
      newestFirst.slice(0, 3),
    );
    const before = newestFirst[2]?.id ?? '';
    assert.deepEqual(
      await store.list('deliveries', { scope: endpoint, limit: 9, after: before, where: { eventId: event.id } }),
      newestFirst.slice(3),
    );
    assert.deepEqual(
      await store.list('deliveries', {
        scope: { ...endpoint, livemode: true },
        limit: 9,
        where: { eventId: event.id },
      }),
      [],
    );
    const [claimed] = await claim(store, endpoint, 1);
    assert.ok(claimed !== undefined);
    const tried: Delivery = { ...claimed, attempts: [attempt], dueAt: now + 60_000 };
    await store.deliveryQueue.record([{ claimed, delivery: tried }]);
    assert.deepEqual(
      (await store.list('deliveries', { scope: endpoint, limit: 9, where: { eventId: event.id } })).at(-1),
      tried,
    );
  });

  it('are stored with their commit or not at all', async (t) => {
    const { store } = await freshStore(t, engine);
    const { endpoint, event } = await queued(store, 0);
    const deliveries = Array.from({ length: 300 }, (_, at) => aDelivery(endpoint, event, aMoment(now - at)));
    const { intent } = aPayment({ scope: endpoint });
    const stale = await store.commit({ paymentIntents: [{ ...intent, version: 7 }], deliveries });
    assert.deepEqual(stale, { committed: false, conflict: 'version' });
    assert.equal(await store.deliveryQueue.countDue(now), 0);
    await mustCommit(store, { deliveries });
    assert.equal(await store.deliveryQueue.countDue(now), 300);
    assert.equal(await store.deliveryQueue.countDue(now - 1), 299);
    const repeated = await store.commit({ deliveries: deliveries.slice(0, 1) });
    assert.deepEqual(repeated, { committed: false, conflict: 'version' }, 'a delivery cannot be created twice');
  });

  it('are counted per merchant and mode while they wait, claimed or not, up to a limit', async (t) => {
    const { store } = await freshStore(t, engine);
    const { endpoint, event } = await queued(store, 3);
    await queued(store, 2);
    assert.equal(await store.deliveryQueue.countWaiting(endpoint, 10), 3);
    assert.equal(await store.deliveryQueue.countWaiting(endpoint, 2), 2);
    assert.equal(await store.deliveryQueue.countWaiting({ ...endpoint, livemode: !endpoint.livemode }, 10), 0);
    const ended = { ...aDelivery(endpoint, event), status: 'delivered' as const, dueAt: null };
    const later = { ...aDelivery(endpoint, event), dueAt: now + 60_000 };
    await mustCommit(store, { deliveries: [ended, later] });
    await store.deliveryQueue.claim({ now, leaseMs, wanted: [{ endpointId: endpoint.id, limit: 2 }] });
    assert.equal(await store.deliveryQueue.countWaiting(endpoint, 10), 4);
    await mustCommit(store, { webhookEndpoints: [{ ...endpoint, version: 1, deletedAt: now }] });
    assert.equal(await store.deliveryQueue.countWaiting(endpoint, 10), 0);
  });

  it('are claimed oldest first when due, with their event and endpoint, up to a limit', async (t) => {
    const { store } = await freshStore(t, engine);
    const one = await queued(store, 6);
    const other = await queued(store, 3);
    const wanted = [
      { endpointId: one.endpoint.id, limit: 2 },
      { endpointId: other.endpoint.id, limit: 10 },
      { endpointId: aMoment().newId('we'), limit: 10 },
    ];
    const claims = await store.deliveryQueue.claim({ now: now - 1, leaseMs, wanted });
    assert.deepEqual(
      claims.map(({ endpointId, claimed }) => [endpointId, idsOf(claimed.map(({ delivery }) => delivery))]),
      [
        [one.endpoint.id, idsOf(one.deliveries.slice(0, 2))],
        [other.endpoint.id, idsOf(other.deliveries.slice(0, 2))],
        [wanted[2]?.endpointId, []],
      ],
    );
    assert.deepEqual(
      claims.map(({ endpoint }) => endpoint && plainBytes(endpoint)),
      [plainBytes(one.endpoint), plainBytes(other.endpoint), null],
    );
    assert.deepEqual(
      claims[0]?.claimed.map(({ event }) => event),
      [one.event, one.event],
    );
    assert.deepEqual(
      idsOf(await claim(store, one.endpoint)),
      idsOf(one.deliveries.slice(2)),
      'each is claimed only once',
    );
  });

  it('are due again when the lease ends without a result', async (t) => {
    const { store } = await freshStore(t, engine);
    const { endpoint, deliveries } = await queued(store, 1);
    assert.deepEqual(idsOf(await claim(store, endpoint)), idsOf(deliveries));
    assert.deepEqual(await claim(store, endpoint, 1, now + leaseMs - 1), []);
    assert.deepEqual(idsOf(await claim(store, endpoint, 1, now + leaseMs)), idsOf(deliveries));
  });

  it('are not claimed after they have ended, or before their retry is due', async (t) => {
    const { store } = await freshStore(t, engine);
    const { endpoint, event } = await queued(store, 3);
    const claimed = await claim(store, endpoint);
    const results: Pick<Delivery, 'status' | 'dueAt'>[] = [
      { status: 'delivered', dueAt: null },
      { status: 'failed', dueAt: null },
      { status: 'pending', dueAt: now + 60_000 },
    ];
    await store.deliveryQueue.record(
      claimed.map((delivery, at) => ({
        claimed: delivery,
        delivery: { ...delivery, attempts: [attempt], ...results[at] },
      })),
    );
    const stored = (
      await store.list('deliveries', { scope: endpoint, limit: 9, where: { eventId: event.id } })
    ).toReversed();
    assert.deepEqual(
      stored.map(({ status, dueAt, attempts }) => ({ status, dueAt, attempts })),
      results.map((result) => ({ ...result, attempts: [attempt] })),
    );
    assert.deepEqual(await claim(store, endpoint, 9, now + 59_999), []);
    assert.deepEqual(idsOf(await claim(store, endpoint, 9, now + 60_000)), idsOf(claimed.slice(2)));
  });

  it('ignore a result that is recorded after the lease was lost', async (t) => {
    const opened = await freshStore(t, engine);
    const other = engine.name === 'postgres' ? await opened.openAnother() : opened.store;
    const { endpoint, event } = await queued(opened.store, 1);
    const [late] = await claim(opened.store, endpoint);
    const [holder] = await claim(other, endpoint, 1, now + leaseMs);
    assert.ok(late !== undefined && holder !== undefined);
    const delivered: Delivery = { ...holder, status: 'delivered', attempts: [attempt], dueAt: null };
    assert.deepEqual([...(await other.deliveryQueue.record([{ claimed: holder, delivery: delivered }]))], [holder.id]);
    const stored = await opened.store.deliveryQueue.record([
      { claimed: late, delivery: { ...late, status: 'failed', attempts: [], dueAt: null } },
    ]);
    assert.deepEqual([...stored], []);
    assert.deepEqual(
      await opened.store.list('deliveries', { scope: endpoint, limit: 9, where: { eventId: event.id } }),
      [delivered],
    );
  });

  it('are claimed only once by any number of concurrent claims', async (t) => {
    const opened = await freshStore(t, engine);
    const stores = [opened.store];
    if (engine.name === 'postgres') for (let more = 0; more < 3; more += 1) stores.push(await opened.openAnother());
    const scenes = [await queued(opened.store, 40), await queued(opened.store, 40)];
    const claimed: string[] = [];
    for (let round = 0; round < 30 && claimed.length < 80; round += 1) {
      const claims = stores.flatMap((store) => scenes.map(({ endpoint }) => claim(store, endpoint, 7)));
      claimed.push(...(await Promise.all(claims)).flat().map(({ id }) => id));
    }
    assert.deepEqual(claimed.toSorted(), scenes.flatMap(({ deliveries }) => idsOf(deliveries)).toSorted());
  });

  it('are found by endpoint: endpoints with due deliveries are listed in order, in pages', async (t) => {
    const { store } = await freshStore(t, engine);
    const scenes = [await queued(store, 2), await queued(store, 50), await queued(store, 1)];
    const later = aWebhookEndpoint();
    const event = anEvent(aPayment({ scope: later }).intent);
    await mustCommit(store, {
      webhookEndpoints: [later],
      events: [event],
      deliveries: [aDelivery(later, event, aMoment(now + 1))],
    });
    const ids = scenes.map(({ endpoint }) => endpoint.id).sort();
    const all = [...ids, later.id].sort();
    assert.deepEqual(await store.deliveryQueue.endpointsWithDue(now, '', 10), { due: ids, next: '' });
    assert.deepEqual(await store.deliveryQueue.endpointsWithDue(now + 1, '', 10), { due: all, next: '' });
    assert.deepEqual(await store.deliveryQueue.endpointsWithDue(now - 60, '', 10), { due: [], next: '' });
    const seen: string[] = [];
    let after = '';
    do {
      const page = await store.deliveryQueue.endpointsWithDue(now, after, 2);
      assert.ok(page.due.length <= 2);
      seen.push(...page.due);
      after = page.next;
    } while (after !== '');
    assert.deepEqual(seen, ids, 'page by page');
  });

  it('are listed by endpoint and time if they failed, unless their event was resent', async (t) => {
    const { store } = await freshStore(t, engine);
    const { endpoint, event, deliveries } = await queued(store, 0);
    assert.deepEqual(deliveries, []);
    const events = Array.from({ length: 4 }, (_, at) =>
      anEvent(aPayment({ scope: endpoint }).intent, aMoment(now - 10 + at)),
    );
    const failed = events.map(
      (each, at): Delivery => ({ ...aDelivery(endpoint, each, aMoment(now - 10 + at)), status: 'failed', dueAt: null }),
    );
    const resent = aDelivery(endpoint, events[1] ?? event, aMoment(now));
    await mustCommit(store, { events, deliveries: [...failed, resent] });
    const found = (since: number, limit = 9) => store.deliveryQueue.failed(endpoint, endpoint.id, since, limit);
    assert.deepEqual(await found(now - 10), [failed[0], failed[2], failed[3]]);
    assert.deepEqual(await found(now - 8), [failed[2], failed[3]]);
    assert.deepEqual(await found(now - 10, 1), [failed[0]]);
    assert.deepEqual(await store.deliveryQueue.failed(aScope(), endpoint.id, 0, 9), []);
    // Created by a process whose clock is behind: its id sorts before that of the failed one.
    await mustCommit(store, { deliveries: [aDelivery(endpoint, events[0] ?? event, aMoment(now - 1_000))] });
    assert.deepEqual(await found(now - 10), [failed[2], failed[3]], 'an event that is being resent is not listed');
  });

  it('are claimed without an event if it is no longer stored, and are not listed as failed', async (t) => {
    const { store } = await freshStore(t, engine);
    const { endpoint, event, deliveries } = await queued(store, 1);
    const orphan = aDelivery(endpoint, anEvent(aPayment({ scope: endpoint }).intent), aMoment(now - 60));
    await mustCommit(store, { deliveries: [orphan] });
    const wanted = [{ endpointId: endpoint.id, limit: 9 }];
    const [found] = await store.deliveryQueue.claim({ now, leaseMs, wanted });
    const claimed = found?.claimed ?? [];
    assert.deepEqual(
      claimed.map((one) => [one.delivery.id, one.event]),
      [
        [orphan.id, null],
        [deliveries[0]?.id, event],
      ],
    );
    await store.deliveryQueue.record(
      claimed.map(({ delivery }) => ({ claimed: delivery, delivery: { ...delivery, status: 'failed', dueAt: null } })),
    );
    assert.deepEqual(
      idsOf(await store.deliveryQueue.failed(endpoint, endpoint.id, 0, 9)),
      deliveries.map(({ id }) => id),
    );
  });

  it('are pruned in batches when they ended long ago', async (t) => {
    const { store } = await freshStore(t, engine);
    const { endpoint, event } = await queued(store, 0);
    const ended = Array.from(
      { length: 5 },
      (_, at): Delivery => ({ ...aDelivery(endpoint, event, aMoment(now + at)), status: 'delivered', dueAt: null }),
    );
    const waiting = aDelivery(endpoint, event, aMoment(now));
    await mustCommit(store, { deliveries: [...ended, waiting] });
    assert.equal(await store.deliveryQueue.prune(now + 4, 3), 3);
    assert.equal(await store.deliveryQueue.prune(now + 4, 3), 1);
    const left = idsOf(await store.list('deliveries', { scope: endpoint, limit: 9, where: { eventId: event.id } }));
    assert.deepEqual(left.toSorted(), [waiting.id, ended[4]?.id].toSorted());
  });

  it('are pruned by the time they ended, not by the time they were created', async (t) => {
    const { store } = await freshStore(t, engine);
    const { endpoint, event } = await queued(store, 0);
    const attempt = { statusCode: 500, error: null, durationMs: 3, responseExcerpt: 'no' };
    const ended = (...times: number[]): Delivery => ({
      ...aDelivery(endpoint, event, aMoment(now)),
      status: 'failed',
      dueAt: null,
      attempts: times.map((at) => ({ ...attempt, at })),
    });
    const [early, late] = [ended(now, now + 20), ended(now, now + 10, now + 30)];
    await mustCommit(store, { deliveries: [early, late] });
    assert.equal(await store.deliveryQueue.prune(now + 20, 9), 0);
    assert.equal(await store.deliveryQueue.prune(now + 30, 9), 1);
    assert.deepEqual(
      idsOf(await store.list('deliveries', { scope: endpoint, limit: 9, where: { eventId: event.id } })),
      [late.id],
    );
    assert.equal(await store.deliveryQueue.prune(now + 31, 9), 1);
  });
});

/** One engine returns bytes as a Buffer, the other as a Uint8Array. */
function plainBytes(endpoint: WebhookEndpoint | null) {
  return (
    endpoint && {
      ...endpoint,
      secret: [...endpoint.secret],
      nextSecret: endpoint.nextSecret && [...endpoint.nextSecret],
    }
  );
}
