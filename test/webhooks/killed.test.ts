// At-least-once delivery across kill -9 at any moment: what the receiver saw is compared with what the sender recorded.
// A failure prints its seed; repeat the kill times with CHAOS_SEED=<seed>.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Delivery } from '../../src/domain/delivery.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { apiClient, must } from '../support/api-client.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { chaosNumbers, responseUnlessKilled } from '../support/killing.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const rounds = 4;
const maxAttempts = 4;

interface Ledger {
  /** The statuses returned for each event, in order. */
  readonly statuses: Map<string, number[]>;
}

describeOnEachEngine('A process that is killed while it sends', (engine) => {
  it('delivers every committed event, marks none as failed early, and counts its attempts correctly', async (t) => {
    const next = chaosNumbers(t);
    const address = await freshDatabase(t, engine);
    const options = {
      folder: await freshFolder(t),
      settings: {
        DATABASE_URL: databaseUrl(address),
        PAYDESK_WEBHOOK_RETRY_DELAYS: '1,1,1',
        LOG_LEVEL: 'warn',
      },
    };
    const created = await paydeskJson<{ test_key: string; merchant: string }>(
      ['merchant', 'create', '--name', 'Shop'],
      options,
      callPaydesk,
    );
    const receiver = await startWebhookReceiver(t);
    const ledger: Ledger = { statuses: new Map() };
    receiver.answerWith(({ body }) => {
      const { id } = JSON.parse(body.toString()) as { id: string };
      const status = next() < 0.3 ? 500 : 200;
      ledger.statuses.set(id, [...(ledger.statuses.get(id) ?? []), status]);
      return { status };
    });

    const acknowledged: string[] = [];
    let server = await servePaydesk(t, options);
    const api = () => apiClient({ url: server.url, key: created.test_key });
    must(201, await api().post('/webhook-endpoints', { url: `${receiver.url}/hooks` }));
    for (let round = 0; round < rounds; round += 1) {
      const target = acknowledged.length + 10 + Math.floor(next() * 40);
      const work = async (): Promise<void> => {
        for (;;) {
          const session = await responseUnlessKilled(
            api().post('/checkout-sessions', { amount: 100, currency: 'EUR' }),
          );
          const expired =
            session && (await responseUnlessKilled(api().post(`/checkout-sessions/${session.body.id}/expire`, {})));
          if (expired === null) return;
          acknowledged.push(String(expired.body.id));
        }
      };
      const working = Promise.all([work(), work(), work(), work()]);
      await until('enough events are acknowledged', () => acknowledged.length >= target);
      await server.kill();
      await working;
      server = await servePaydesk(t, options);
    }

    const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
    t.after(() => store.close());
    const scope = { merchantId: created.merchant, livemode: false };
    const events = await store.list('events', { scope: scope, limit: 10_000 });
    const committed = new Set(events.map(({ data }) => data.id));
    assert.ok(acknowledged.every((id) => committed.has(id)));
    // On PostgreSQL, the deliveries of a dead process are free again when its lease ends.
    await until('nothing is pending', async () => (await pending(store, scope, events)) === 0, 60_000);

    let recorded = 0;
    for (const { id } of events) {
      const [delivery, ...others] = await store.list('deliveries', { scope: scope, limit: 10, where: { eventId: id } });
      assert.deepEqual(others, [], 'one delivery for the one endpoint');
      assert.ok(delivery !== undefined);
      const statuses = ledger.statuses.get(id) ?? [];
      assertConsistent(delivery, statuses);
      recorded += delivery.attempts.length;
    }
    const received = [...ledger.statuses.values()].flat().length;
    assert.ok(received >= recorded, 'no attempt is recorded that did not happen');
    t.diagnostic(`${events.length} events, ${recorded} attempts recorded, ${received} received, ${rounds} kills`);
  });
});

async function pending(
  store: Store,
  scope: { merchantId: string; livemode: boolean },
  events: readonly { id: string }[],
): Promise<number> {
  let count = 0;
  for (const { id } of events) {
    const deliveries = await store.list('deliveries', { scope: scope, limit: 10, where: { eventId: id } });
    count += deliveries.filter(({ status }) => status === 'pending').length;
  }
  return count;
}

/** The receiver returned the recorded statuses, in order; a kill may lose a record, but not an event. */
function assertConsistent(delivery: Delivery, statuses: readonly number[]): void {
  const codes = delivery.attempts.flatMap(({ statusCode }) => (statusCode === null ? [] : [statusCode]));
  const what = `recorded ${codes}, returned ${statuses}`;
  let at = 0;
  for (const returned of statuses) if (returned === codes[at]) at += 1;
  assert.equal(at, codes.length, what);
  assert.ok(delivery.attempts.length <= maxAttempts, what);
  if (delivery.status === 'delivered') {
    assert.equal(codes.at(-1), 200, what);
  } else {
    assert.equal(delivery.status, 'failed');
    assert.equal(delivery.attempts.length, maxAttempts, `failed early: ${what}`);
    assert.ok(!codes.includes(200), what);
  }
}
