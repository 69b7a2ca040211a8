// The database is away for longer than a lease, after a webhook was sent and before its result is recorded.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Attempted } from '../../src/domain/delivery.ts';
import { type DeliveryQueue, StorageUnavailable } from '../../src/storage/store.ts';
import { startDispatcher } from '../../src/webhooks/dispatcher.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { aDelivery, aMoment, anEvent, aPayment, aWebhookEndpoint } from '../support/records.ts';
import { until } from '../support/until.ts';

describeOnEachEngine('The result of a delivery whose lease ended in an outage', (engine) => {
  it('is recorded after it, and reported once', async (t) => {
    const { store } = await freshStore(t, engine);
    const clock = fakeClock();
    const endpoint = aWebhookEndpoint();
    const payment = aPayment({ scope: endpoint });
    const event = anEvent(payment.intent);
    await mustCommit(store, { ...changesOf(payment), webhookEndpoints: [endpoint], events: [event] });
    let isAway = false;
    let refusedRecords = 0;
    let claims = 0;
    const record: DeliveryQueue['record'] = async (records) => {
      if (!isAway) return store.deliveryQueue.record(records);
      refusedRecords += 1;
      throw new StorageUnavailable('away');
    };
    const claim: DeliveryQueue['claim'] = async (wanted) => {
      const found = await store.deliveryQueue.claim(wanted);
      claims += 1;
      return found;
    };
    const sent: string[] = [];
    const reported: string[] = [];
    const dispatcher = startDispatcher({
      store: { deliveryQueue: { ...store.deliveryQueue, record, claim } },
      clock,
      async send(_endpoint, { id }): Promise<Attempted> {
        sent.push(id);
        const result = { statusCode: 200, error: null, durationMs: 1, responseExcerpt: '', retryAfterMs: null };
        return { at: clock.now(), verdict: 'delivered', ...result };
      },
      schedule: { delaysMs: [60_000] },
      chance: () => 0,
      onGone: async () => {},
      onAttempt: ({ delivery }) => reported.push(`${delivery.id} ${delivery.status}`),
      onError: () => {},
    });
    t.after(dispatcher.stop);
    const newDelivery = async (): Promise<string> => {
      const delivery = aDelivery(endpoint, event, aMoment(clock.now()));
      await mustCommit(store, { deliveries: [delivery] });
      dispatcher.wake([endpoint.id]);
      return delivery.id;
    };
    const stored = async (id: string) =>
      (await store.list('deliveries', { scope: endpoint, limit: 100, where: { eventId: event.id } })).find(
        (delivery) => delivery.id === id,
      );
    // Fast responses first, so that it is sent more than one at a time.
    for (let count = 1; count <= 5; count += 1) {
      const id = await newDelivery();
      await until('it was delivered', () => reported.includes(`${id} delivered`));
    }

    isAway = true;
    const id = await newDelivery();
    await until('its result could not be recorded', () => refusedRecords > 0);
    clock.advance(30_000);
    const before = claims;
    await dispatcher.poll();
    await until('it was claimed again', () => claims > before);
    assert.ok(!reported.includes(`${id} delivered`));
    isAway = false;
    await until('its result is reported', () => reported.includes(`${id} delivered`));
    const { status, attempts } = (await stored(id)) ?? {};
    assert.deepEqual({ status, attempts: attempts?.length }, { status: 'delivered', attempts: 1 });
    await dispatcher.stop();
    assert.equal(sent.length, 6);
    assert.equal(reported.length, 6);
  });
});
