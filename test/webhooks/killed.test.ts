// At least once, across kill -9 at any moment: the receiver's ledger against what the sender recorded.
// A failure prints its seed; repeat the moments with CHAOS_SEED=<seed>.

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
  /** Statuses that an event was answered with, in order. */
  readonly answers: Map<string, number[]>;
}

describeOnEachEngine('A process that is killed while it sends', (engine) => {
  it('has every committed event arrive, marks none failed early, and counts its attempts right', async (t) => {
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
    const made = await paydeskJson<{ test_key: string; merchant: string }>(
      ['merchant', 'create', '--name', 'Shop'],
      options,
      callPaydesk,
    );
    const receiver = await startWebhookReceiver(t);
    const ledger: Ledger = { answers: new Map() };
    receiver.answerWith(({ body }) => {
      const { id } = JSON.parse(body.toString()) as { id: string };
      const status = next() < 0.3 ? 500 : 200;
      ledger.answers.set(id, [...(ledger.answers.get(id) ?? []), status]);
      return { status };
    });

    const acknowledged: string[] = [];
    let server = await servePaydesk(t, options);
    const api = () => apiClient({ url: server.url, key: made.test_key });
    must(201, await api().post('/webhook-endpoints', { url: `${receiver.url}/hooks` }));
    for (let round = 0; round < rounds; round += 1) {
      const enough = acknowledged.length + 10 + Math.floor(next() * 40);
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
      await until('enough are acknowledged', () => acknowledged.length >= enough);
      await server.kill();
      await working;
      server = await servePaydesk(t, options);
    }

    const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
    t.after(() => store.close());
    const scope = { merchantId: made.merchant, livemode: false };
    const events = await store.events(scope, { limit: 10_000 });
    const committed = new Set(events.map(({ data }) => data.id));
    assert.ok(acknowledged.every((id) => committed.has(id)));
    // What a dead process held on PostgreSQL is free again when its lease ends.
    await until('nothing is pending', async () => (await pending(store, scope, events)) === 0, 60_000);

    let recorded = 0;
    for (const { id } of events) {
      const [delivery, ...others] = await store.deliveries(scope, id, { limit: 10 });
      assert.deepEqual(others, [], 'one delivery for the one endpoint');
      assert.ok(delivery !== undefined);
      const answers = ledger.answers.get(id) ?? [];
      assertAgree(delivery, answers);
      recorded += delivery.attempts.length;
    }
    const received = [...ledger.answers.values()].flat().length;
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
    const deliveries = await store.deliveries(scope, id, { limit: 10 });
    count += deliveries.filter(({ status }) => status === 'pending').length;
  }
  return count;
}

/** What was recorded is among what the receiver answered, in order; a kill may have lost the record, not the event. */
function assertAgree(delivery: Delivery, answers: readonly number[]): void {
  const codes = delivery.attempts.flatMap(({ statusCode }) => (statusCode === null ? [] : [statusCode]));
  const what = `recorded ${codes}, answered ${answers}`;
  let at = 0;
  for (const answered of answers) if (answered === codes[at]) at += 1;
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
