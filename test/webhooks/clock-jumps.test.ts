// The clock jumps forward while deliveries are being sent: their leases end, but they are not sent again.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Attempted } from '../../src/domain/delivery.ts';
import type { DeliveryQueue } from '../../src/storage/store.ts';
import { startDispatcher } from '../../src/webhooks/dispatcher.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { aDelivery, aMoment, anEvent, aPayment, aWebhookEndpoint } from '../support/records.ts';
import { until } from '../support/until.ts';

describeOnEachEngine('A delivery that is being sent when the clock jumps', (engine) => {
  it('is sent once, and its result is recorded', async (t) => {
    const { store } = await freshStore(t, engine);
    const clock = fakeClock();
    const endpoint = aWebhookEndpoint();
    const payment = aPayment({ scope: endpoint });
    const event = anEvent(payment.intent);
    await mustCommit(store, { ...changesOf(payment), webhookEndpoints: [endpoint], events: [event] });
    const newDelivery = async (): Promise<string> => {
      const delivery = aDelivery(endpoint, event, aMoment(clock.now()));
      await mustCommit(store, { deliveries: [delivery] });
      return delivery.id;
    };
    const sent: PromiseWithResolvers<void>[] = [];
    let hangs = false;
    let claims = 0;
    const claim: DeliveryQueue['claim'] = async (wanted) => {
      const found = await store.deliveryQueue.claim(wanted);
      claims += 1;
      return found;
    };
    const errors: unknown[] = [];
    const dispatcher = startDispatcher({
      store: { deliveryQueue: { ...store.deliveryQueue, claim } },
      clock,
      async send(): Promise<Attempted> {
        const response = Promise.withResolvers<void>();
        sent.push(response);
        if (!hangs) response.resolve();
        await response.promise;
        const result = { statusCode: 200, error: null, durationMs: 1, responseExcerpt: '', retryAfterMs: null };
        return { at: clock.now(), verdict: 'delivered', ...result };
      },
      schedule: { delaysMs: [60_000] },
      chance: () => 0,
      onGone: async () => {},
      onAttempt: () => {},
      onError: (error) => errors.push(error),
    });
    t.after(async () => {
      for (const response of sent) response.resolve();
      await dispatcher.stop();
    });
    const delivered = async (): Promise<string[]> =>
      (await store.list('deliveries', { scope: endpoint, limit: 100, where: { eventId: event.id } }))
        .filter(({ status }) => status === 'delivered')
        .map(({ id }) => id);

    // Fast responses first, so that it is sent more than one at a time.
    for (let count = 1; count <= 5; count += 1) {
      const id = await newDelivery();
      dispatcher.wake([endpoint.id]);
      await until('it was delivered', async () => (await delivered()).includes(id));
    }
    hangs = true;
    const slow = await newDelivery();
    dispatcher.wake([endpoint.id]);
    await until('it is being sent', () => sent.length === 6);
    clock.advance(3_600_000);
    const before = claims;
    await dispatcher.poll();
    // On a machine so busy that the endpoint counts as slow by now, nothing more is claimed, which is fine too.
    await until('due deliveries were claimed', () => claims > before, 2_000).catch(() => {});
    assert.equal(sent.length, 6);
    for (const response of sent) response.resolve();
    await until('its result is recorded', async () => (await delivered()).includes(slow));
    await dispatcher.poll();
    await dispatcher.stop();
    assert.equal(sent.length, 6);
    assert.deepEqual(errors, []);
  });
});
