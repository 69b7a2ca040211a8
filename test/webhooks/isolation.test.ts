// Endpoints do not affect each other: however many hang or fail, the others are served in time, and memory stays small.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, systemClock } from '../support/paydesk.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { anExpiry, loopbackAllowed, someEndpoints } from './scene.ts';

const endpoints = 100;
const hanging = 10;

describeOnEachEngine('Of a hundred endpoints', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: { ...loopbackAllowed, PAYDESK_METRICS_ADDRESS: '127.0.0.1:0' } });

  it('ten that hang delay none of the others, for this event and the next', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    const isHanging = (path: string): boolean => Number(path.slice(1)) % (endpoints / hanging) === 0;
    receiver.answerWith(({ path }) => (isHanging(path) ? undefined : { status: 200 }));
    const urls = Array.from({ length: endpoints }, (_, at) => `${receiver.url}/${at}`);
    const created = await someEndpoints(paydesk(), merchant.scope, urls);
    const healthy = new Set(created.filter(({ url }) => !isHanging(new URL(url).pathname)).map(({ id }) => id));

    for (let round = 0; round < 3; round += 1) {
      const waitedMs = startStopwatch();
      const eventId = await anExpiry(merchant);
      await until('all healthy endpoints have received it', async () => {
        if (receiver.requests.length < (round + 1) * (endpoints - hanging)) return false;
        const deliveries = await paydesk().store.list('deliveries', {
          scope: merchant.scope,
          limit: endpoints,
          where: { eventId: eventId },
        });
        const delivered = deliveries.filter(({ status }) => status === 'delivered');
        assert.ok(delivered.every(({ endpointId }) => healthy.has(endpointId)));
        return deliveries.length === endpoints && delivered.length === endpoints - hanging;
      });
      // Before any of the hanging attempts times out.
      assert.ok(waitedMs() < 9_000);
    }
    const metrics = await (await fetch(`${paydesk().metricsUrl}/metrics`)).text();
    const value = (name: string): number => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1]);
    assert.equal(value('paydesk_webhook_attempts_total{outcome="delivered"}'), 3 * (endpoints - hanging));
    assert.ok(value('paydesk_webhook_deliveries_in_flight') >= hanging);
    assert.equal(value('paydesk_webhook_latency_seconds_count'), 3 * (endpoints - hanging));
  });
});

describeOnEachEngine('However many endpoints hang', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: loopbackAllowed, runningClock: systemClock });

  it('a healthy endpoint gets its event at once, as do one that failed before and a new one', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith(({ path }) => (path.startsWith('/hang') ? undefined : { status: 200 }));
    const other = await paydesk().newMerchant();
    await someEndpoints(paydesk(), other.scope, [`${receiver.url}/healthy`]);
    const refused = await paydesk().newMerchant();
    receiver.answerWith({ status: 500 }, '/refuses');
    await someEndpoints(paydesk(), refused.scope, [`${receiver.url}/refuses`]);
    await anExpiry(refused);
    await anExpiry(other);

    // More than all slots together.
    const hanging = await paydesk().newMerchant();
    const urls = Array.from({ length: 1_500 }, (_, at) => `${receiver.url}/hang/${at}`);
    await someEndpoints(paydesk(), hanging.scope, urls);
    for (let events = 0; events < 4; events += 1) await anExpiry(hanging);
    await until('the hanging endpoints hold all they can', () => receiver.open() > 1_000);

    receiver.answerWith({ status: 200 }, '/refuses');
    const fresh = await paydesk().newMerchant();
    await someEndpoints(paydesk(), fresh.scope, [`${receiver.url}/new`]);
    for (const [merchant, path] of [
      [other, '/healthy'],
      [refused, '/refuses'],
      [fresh, '/new'],
    ] as const) {
      const waitedMs = startStopwatch();
      const eventId = await anExpiry(merchant);
      await until(`${path} has received it`, () =>
        receiver.requests.some((request) => request.path === path && request.body.includes(eventId)),
      );
      assert.ok(waitedMs() < 4_000, `${path} received it after ${waitedMs()} ms`);
    }
  });
});

describeOnEachEngine('A long backlog', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: loopbackAllowed, runningClock: systemClock });

  it('of a hanging endpoint waits in the database while another endpoint is served', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith(() => undefined, '/hang');
    const [stuck] = await someEndpoints(paydesk(), merchant.scope, [`${receiver.url}/hang`]);
    const sessions = await Promise.all(Array.from({ length: 60 }, () => merchant.newSession()));
    for (const { id } of sessions) must(200, await merchant.test.post(`/checkout-sessions/${id}/expire`, {}));
    await until('some are in flight', () => receiver.requests.length > 0);
    await someEndpoints(paydesk(), merchant.scope, [`${receiver.url}/healthy`]);
    const eventId = await anExpiry(merchant);
    await until('the other endpoint has received it', () =>
      receiver.requests.some(({ path, body }) => path === '/healthy' && body.toString().includes(eventId)),
    );
    const sentCount = receiver.requests.filter(({ path }) => path === '/hang').length;
    assert.ok(sentCount <= 8, `${sentCount} were sent to the hanging endpoint`);
    const waiting = await paydesk().store.deliveryQueue.claim({
      now: systemClock.now(),
      leaseMs: 1,
      wanted: [{ endpointId: stuck?.id ?? '', limit: 100 }],
    });
    assert.ok((waiting[0]?.claimed.length ?? 0) > 40, 'the rest is in the database');
  });
});
