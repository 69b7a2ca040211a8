// The dispatcher shares the event loop: however many endpoints an event goes to, others get their turn in between.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deliveriesFor } from '../../src/domain/delivery.ts';
import { startDispatcher } from '../../src/webhooks/dispatcher.ts';
import { mustCommit } from '../support/committing.ts';
import { freshStore, sqlite } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { anEvent, aPayment, aScope, aWebhookEndpoint } from '../support/records.ts';
import { until } from '../support/until.ts';

const endpointCount = 500;
const mostPerTurn = 25;

describe('The dispatcher', () => {
  it('begins only a few attempts in one turn of the event loop', async (t) => {
    const { store } = await freshStore(t, sqlite);
    const scope = aScope();
    const endpoints = Array.from({ length: endpointCount }, () => aWebhookEndpoint(scope));
    const event = anEvent(aPayment({ scope }).intent);
    const deliveries = deliveriesFor([event], endpoints);
    await mustCommit(store, { webhookEndpoints: endpoints, events: [event], deliveries });
    let begun = 0;
    const answers: (() => void)[] = [];
    const dispatcher = startDispatcher({
      ...{ store, clock: { now: () => startOfTests }, schedule: { delaysMs: [] }, chance: () => 0 },
      async send() {
        begun += 1;
        await new Promise<void>((resolve) => answers.push(resolve));
        const nothing = { error: null, durationMs: 1, responseExcerpt: null, retryAfterMs: null };
        return { at: startOfTests, statusCode: 200, verdict: 'delivered', ...nothing };
      },
      onGone: async () => {},
      onAttempt: () => {},
      onError: (error) => assert.fail(String(error)),
    });
    const perTurn: number[] = [];
    try {
      dispatcher.wake(endpoints.map(({ id }) => id));
      for (let before = 0; begun < endpointCount; before = begun) {
        await nextTurn();
        perTurn.push(begun - before);
      }
    } finally {
      for (const answer of answers) answer();
      await until('all are delivered', async () => (await store.deliveryQueue.countWaiting(scope, 1)) === 0);
      await dispatcher.stop();
    }
    assert.ok(Math.max(...perTurn) <= mostPerTurn, `${Math.max(...perTurn)} in one turn`);
  });
});
