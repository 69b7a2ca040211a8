// Slow receivers over real HTTP: what the simulation promises holds with the dispatcher, connections and a database.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { momentAt } from '../../src/domain/moment.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, systemClock } from '../support/paydesk.ts';
import { aDelivery } from '../support/records.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { anEndpoint, anExpiry, loopbackAllowed } from './scene.ts';

describeOnEachEngine('A backlog', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: loopbackAllowed, runningClock: systemClock });

  /** An endpoint with `count` deliveries due at once, and their progress. */
  async function backlog(t: TestContext, count: number, respond: (number: number) => Promise<'responds' | 'hangs'>) {
    const merchant = await paydesk().newMerchant();
    const event = await paydesk().store.find('events', merchant.scope, await anExpiry(merchant));
    if (event === null) assert.fail('the event is not there');
    const receiver = await startWebhookReceiver(t);
    let peak = 0;
    let open = 0;
    receiver.answerWith(async () => {
      open += 1;
      peak = Math.max(peak, open);
      const outcome = await respond(receiver.requests.length);
      open -= 1;
      return outcome === 'responds' ? { status: 200 } : undefined;
    });
    const endpoint = await anEndpoint(paydesk(), merchant, receiver.url);
    const moment = () => momentAt(systemClock.now(), randomBytes);
    const deliveries = Array.from({ length: count }, () => aDelivery(endpoint, event, moment()));
    await mustCommit(paydesk().store, { deliveries });
    const delivered = async (): Promise<number> => {
      const all = await paydesk().store.list('deliveries', {
        scope: merchant.scope,
        limit: count,
        where: { eventId: event.id },
      });
      return all.filter(({ status }) => status === 'delivered').length;
    };
    return { delivered, peakConcurrency: () => peak };
  }

  it('for an endpoint that takes 600 ms is sent many at a time', async (t) => {
    const count = 100;
    const { delivered, peakConcurrency } = await backlog(t, count, async () => {
      await pause(600);
      return 'responds';
    });
    // One at a time would take a minute.
    await until('all are delivered', async () => (await delivered()) === count, 30_000);
    assert.ok(peakConcurrency() >= 8, `${peakConcurrency()} at once`);
  });

  it('for an endpoint where one request in 40 hangs does not wait for those', async (t) => {
    const count = 400;
    const hanging = 10;
    const timeoutMs = 10_000;
    let firstHungAt = Number.POSITIVE_INFINITY;
    let servedMeanwhile = 0;
    const { delivered } = await backlog(t, count, async (number) => {
      const hungForMs = performance.now() - firstHungAt;
      if (number % 40 !== 0) {
        if (hungForMs > 0 && hungForMs < timeoutMs) servedMeanwhile += 1;
        return 'responds';
      }
      firstHungAt = Math.min(firstHungAt, performance.now());
      return 'hangs';
    });
    await until('the others are delivered', async () => (await delivered()) === count - hanging, 60_000);
    // If requests waited for the hanging ones, ten of those would soon stop the endpoint.
    assert.ok(servedMeanwhile >= count / 4, `${servedMeanwhile} were sent before the first timed out`);
  });
});
