// Demo data is added while a service with its jobs runs on the same database: it leaves the past as it is, and sends
// nothing.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { momentAt } from '../../src/domain/moment.ts';
import { createCheckoutSession } from '../../src/usecases/create-checkout-session.ts';
import { must } from '../support/api-client.ts';
import { fillWithDemo } from '../support/demo-filling.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { type Paydesk, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { until as waitUntil } from '../support/until.ts';

/** A session that expires at once shows that the jobs have looked for work since. */
async function jobsHaveRun({ store, clock }: Paydesk, { merchant, scope }: TestMerchant): Promise<void> {
  const moment = () => momentAt(clock.now() - 10_000, randomBytes);
  const outcome = await createCheckoutSession(
    { store, moment, acquirers: { refuseCharge: async () => null, cardFields: async () => null } },
    { merchant, livemode: false },
    {
      ...{ amount: 100, currency: 'EUR', returnUrl: null, cancelUrl: null, metadata: {}, expiresInSeconds: 5 },
      ...{
        captureMethod: 'automatic',
        description: null,
        customerEmail: null,
        locale: 'auto',
        lineItems: null,
        collect: [],
      },
    },
  );
  if (!('done' in outcome)) throw new Error('the session was not created');
  const { id } = outcome.done;
  await waitUntil('a session has expired', async () => {
    const session = await store.find('checkoutSessions', scope, id);
    return session?.status === 'expired';
  });
}

describeOnEachEngine('Demo data beside a running service', (engine) => {
  it('is left as it was made, and shown by the API, newest first', async (t) => {
    const paydesk = await startPaydesk(t, engine, {
      settings: { PAYDESK_PUBLIC_URL: 'http://localhost:4020' },
      longestPauseMs: 5,
    });
    const shop = await paydesk.newMerchant();
    // Its clock stands still, so that nothing becomes due meanwhile.
    const endsAt = paydesk.clock.now();
    const filled = await fillWithDemo(paydesk.store, shop.merchant, { payments: 400, until: endsAt, seed: 3 });
    const other = await paydesk.newMerchant();
    await jobsHaveRun(paydesk, other);

    const intents = await paydesk.store.list('paymentIntents', { scope: shop.scope, limit: 1_000 });
    const counted = Object.fromEntries(
      [...Map.groupBy(intents, ({ status }) => status)].map(([status, of]) => [status, of.length]),
    );
    assert.deepEqual(counted, filled.byStatus);
    const events = await shop.events();
    assert.equal(events.length, filled.events);
    assert.ok(events.every(({ createdAt }) => createdAt <= endsAt));
    const lines = paydesk.logLines();
    assert.deepEqual(
      lines.filter(({ msg, level }) => msg === 'webhook' || Number(level) >= 50),
      [],
    );

    const listed = must(200, await shop.test.get('/payment-intents?limit=100')).data as { created_at: string }[];
    const times = listed.map(({ created_at: at }) => at);
    assert.equal(times.length, 100);
    assert.deepEqual(times, times.toSorted().reverse());
    assert.ok(Date.parse(times[0] ?? '') > endsAt - 86_400_000);
    const [event] = must(200, await shop.test.get('/events?limit=1')).data as { id: string }[];
    assert.equal(event?.id, events.at(-1)?.id);
    const disputes = must(200, await shop.test.get('/disputes')).data as unknown[];
    assert.equal(disputes.length, filled.disputes);
    const links = must(200, await shop.test.get('/payment-links')).data as { times_used: number }[];
    assert.equal(links.length, filled.links.length);
  });

  it('can be worked with: a payment is refunded and an authorisation captured', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const shop = await paydesk.newMerchant();
    await fillWithDemo(paydesk.store, shop.merchant, { payments: 400, until: paydesk.clock.now(), seed: 3 });
    const disputes = must(200, await shop.test.get('/disputes?limit=100')).data as { payment_intent: string }[];
    const disputed = disputes.map(({ payment_intent: id }) => id);
    const newest = async (status: string): Promise<string | undefined> => {
      const { data } = must(200, await shop.test.get(`/payment-intents?status=${status}&limit=100`));
      return (data as { id: string }[]).find(({ id }) => !disputed.includes(id))?.id;
    };
    const refund = must(201, await shop.test.post(`/payment-intents/${await newest('succeeded')}/refund`));
    assert.equal(refund.status, 'succeeded');
    const captured = must(200, await shop.test.post(`/payment-intents/${await newest('requires_capture')}/capture`));
    assert.equal(captured.status, 'succeeded');
  });

  it('sends no events to endpoints of the merchant, and disables its own if the service is not on this machine', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const shop = await paydesk.newMerchant();
    const own = must(
      201,
      await shop.test.post('/webhook-endpoints', {
        url: 'https://hooks.shop.example/',
        enabled_events: ['payment_intent.succeeded'],
      }),
    );
    const filled = await fillWithDemo(paydesk.store, shop.merchant, {
      ...{ payments: 60, until: paydesk.clock.now(), publicUrl: 'https://pay.test.example' },
    });
    const deliveries = await paydesk.store.list('deliveries', { scope: shop.scope, limit: 1_000 });
    assert.ok(deliveries.length > 60);
    assert.ok(deliveries.every(({ endpointId }) => endpointId !== own.id));
    const endpoints = await paydesk.store.list('webhookEndpoints', { scope: shop.scope, limit: 10 });
    const states = new Map(endpoints.map(({ id, disabledReason }) => [id, disabledReason]));
    assert.deepEqual(
      [filled.endpoints.working.id, filled.endpoints.failing.id, String(own.id)].map((id) => states.get(id)),
      ['by_request', 'by_request', null],
    );
  });
});
