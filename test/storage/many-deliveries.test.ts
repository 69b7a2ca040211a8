// One event to as many endpoints as a merchant can have: committed whole or not at all, like any other change set.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deliveriesFor } from '../../src/domain/delivery.ts';
import { maxEndpoints } from '../../src/domain/webhook-endpoint.ts';
import { committed, mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore, sqlite } from '../support/engines.ts';
import { aDelivery, anEvent, aPayment, aScope, aWebhookEndpoint } from '../support/records.ts';

function anEventForMany() {
  const scope = aScope();
  const event = anEvent(aPayment({ scope }).intent);
  const endpoints = Array.from({ length: maxEndpoints }, () => aWebhookEndpoint(scope));
  return { scope, event, deliveries: deliveriesFor([event], endpoints) };
}

describeOnEachStore('One event to thousands of endpoints', (engine) => {
  it('is stored with every delivery as it was decided', async (t) => {
    const { store } = await freshStore(t, engine);
    const { scope, event, deliveries } = anEventForMany();
    // One that differs in everything, with text that is not an id.
    const [first] = deliveries;
    assert.ok(first !== undefined);
    const attempt = { at: 7, statusCode: 500, error: 'a "quoted" ☂ \\ text', durationMs: 3, responseExcerpt: null };
    const other = { ...first, ...aDelivery(aWebhookEndpoint(scope), event), attempts: [attempt], dueAt: null };
    for (const all of [deliveries, [...anEventForMany().deliveries, other]]) {
      const [one] = all;
      assert.ok(one !== undefined);
      await mustCommit(store, { deliveries: all });
      const stored = await store.list('deliveries', { scope: one, where: { eventId: one.eventId }, limit: 10_000 });
      const expected = all.filter(({ eventId }) => eventId === one.eventId);
      const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
      assert.deepEqual(stored.toSorted(byId), expected.toSorted(byId));
    }
    const stored = await store.list('deliveries', { scope, where: { eventId: event.id }, limit: 10_000 });
    assert.deepEqual(
      stored.find(({ id }) => id === other.id),
      other,
    );
  });

  it('is not stored at all if one of the deliveries exists', async (t) => {
    const { store } = await freshStore(t, engine);
    const { scope, event, deliveries } = anEventForMany();
    const existing = deliveries[1_500];
    assert.ok(existing !== undefined);
    await mustCommit(store, { deliveries: [existing] });
    const outcome = await store.commit({ events: [event], deliveries });
    assert.deepEqual(outcome, { committed: false, conflict: 'version' });
    assert.equal(await store.find('events', scope, event.id), null);
    assert.equal(await store.count('deliveries', { scope, where: { eventId: event.id } }, 10_000), 1);
  });
});

describe('One event to thousands of endpoints on SQLite', () => {
  it('is stored when the store is closed while it waits', async (t) => {
    const { store, openAnother } = await freshStore(t, sqlite);
    const another = await openAnother();
    const { scope, event, deliveries } = anEventForMany();
    const outcome = store.commit({ events: [event], deliveries });
    await store.close();
    assert.deepEqual(await outcome, committed);
    assert.equal((await another.find('events', scope, event.id))?.id, event.id);
  });
});
