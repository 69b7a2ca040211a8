// An event is queued for its subscribers in its own commit, along with the deliveries that the decision asks for.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { decideAndCommit } from '../../src/usecases/decide-and-commit.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { aDelivery, anEvent, aPayment, aScope, aWebhookEndpoint } from '../support/records.ts';

describeOnEachEngine('A decision with an event and a delivery of its own', (engine) => {
  it('is committed with that delivery and those to all subscribers', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const subscribed = aWebhookEndpoint(scope);
    const targeted = aWebhookEndpoint({ ...scope, enabledEvents: ['refund.failed'] });
    await mustCommit(store, { webhookEndpoints: [subscribed, targeted] });
    const event = anEvent(aPayment({ scope }).intent);
    const explicit = aDelivery(targeted, event);
    const changes = { events: [event], deliveries: [explicit] };
    assert.deepEqual(await decideAndCommit(store, async () => ({ changes, result: 1 })), { done: 1 });
    const stored = await store.list('deliveries', { scope: scope, limit: 9, where: { eventId: event.id } });
    assert.deepEqual(new Set(stored.map(({ endpointId }) => endpointId)), new Set([subscribed.id, targeted.id]));
    assert.equal(stored.length, 2);
  });
});
