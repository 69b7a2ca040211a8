// Distributing on a real cluster: `npm run test:citus` runs this, and then other tests on databases that are distributed.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it, type TestContext } from 'node:test';
import { openStore } from '../../src/storage/open-store.ts';
import type { PlacedTable, Store } from '../../src/storage/store.ts';
import { citusUrls, createEmptyCitusDatabase, databaseOn, dropCitusDatabase } from '../support/citus.ts';
import { changesOf, conflicts, mustCommit } from '../support/committing.ts';
import { callPaydesk, freshFolder, paydeskJson } from '../support/paydesk-process.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aMerchant, anIdempotencyRecord, aPayment, aScope } from '../support/records.ts';

async function emptyCluster(t: TestContext) {
  const urls = citusUrls();
  if (urls === null) throw new Error('set CITUS_URLS to the coordinator and the workers of a Citus cluster');
  const name = `paydesk_test_${randomBytes(8).toString('hex')}`;
  t.after(() => dropCitusDatabase(urls, name));
  const coordinator = await createEmptyCitusDatabase(urls, name);
  const folder = await freshFolder(t);
  const optionsFor = (url: string) => ({ folder, settings: { DATABASE_URL: url, PAYDESK_METRICS_ADDRESS: 'off' } });
  return { coordinator, worker: databaseOn(urls[1] ?? '', name), optionsFor };
}

async function withStoreOn<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ engine: 'postgres', url }, { serving: true, onConnectionLost: () => {} });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function distribute(options: { folder: string; settings: Record<string, string> }): Promise<PlacedTable[]> {
  const result = (await paydeskJson(['migrate', '--distribute'], options, callPaydesk)) as { tables: PlacedTable[] };
  return result.tables;
}

it('moves existing rows, and says what it did for each table, also when it is repeated', async (t) => {
  const { coordinator, optionsFor } = await emptyCluster(t);
  const options = optionsFor(coordinator);
  const payments = Array.from({ length: 20 }, () => aPayment());
  const merchant = aMerchant();
  await withStoreOn(coordinator, (store) => mustCommit(store, { merchants: [merchant], ...changesOf(...payments) }));
  const first = await distribute(options);
  const done = new Map(first.map(({ table, placement, before }) => [table, [placement, before]]));
  assert.deepEqual(done.get('payment_intents'), ['by_merchant', false]);
  assert.deepEqual(done.get('merchants'), ['every_node', false]);
  assert.deepEqual(done.get('attempt_counters'), ['coordinator', true]);
  assert.deepEqual(
    await distribute(options),
    first.map((one) => ({ ...one, before: true })),
  );
  const text = await callPaydesk(['migrate', '--distribute'], options);
  assert.match(text.stdout, /^payment_intents +was distributed by merchant already$/m);
  assert.match((await callPaydesk(['migrate'], options)).stdout, /up to date/);
  await withStoreOn(coordinator, async (store) => {
    for (const { session } of payments) assert.ok(await store.find('paymentsBySession', session, session.id));
    assert.ok(await store.findBy('merchants', 'id', merchant.id));
  });
  await withClient(coordinator, async (client) => {
    const { rows } = await client.query<{ places: number }>(
      `SELECT count(DISTINCT nodeport)::int AS places FROM citus_shards
       WHERE table_name = 'payment_intents'::regclass AND shard_size > 0`,
    );
    assert.ok((rows[0]?.places ?? 0) > 1, 'on several servers');
  });
});

it('refuses a worker, and a database that is served', async (t) => {
  const { coordinator, worker, optionsFor } = await emptyCluster(t);
  const atWorker = await callPaydesk(['migrate', '--distribute'], optionsFor(worker));
  assert.equal(atWorker.code, 1);
  assert.match(atWorker.stderr, /leads to a worker of the cluster: set it to the coordinator/);
  await withStoreOn(coordinator, async () => {
    const served = await callPaydesk(['migrate', '--distribute'], optionsFor(coordinator));
    assert.equal(served.code, 1);
    assert.match(served.stderr, /1 other Paydesk process serves this database. Stop all of them/);
  });
});

it('reports a table that is not distributed while others are, and works with it until then', async (t) => {
  const { coordinator, optionsFor } = await emptyCluster(t);
  const options = optionsFor(coordinator);
  await distribute(options);
  await withClient(coordinator, (client) => client.query("SELECT undistribute_table('refunds')"));
  const { stdout } = await callPaydesk(['doctor'], options);
  assert.match(stdout, /^WARN +storage .*refunds is on the coordinator alone.*migrate --distribute/m);
  const scope = aScope();
  const refund = { ...scope, id: 're_1', version: 0, paymentIntentId: 'pi_1', amount: 1, currency: 'EUR' };
  await withStoreOn(coordinator, async (store) => {
    const payment = aPayment({ scope });
    const refunds = [{ ...refund, status: 'pending', reason: null, createdAt: 1 } as const];
    await mustCommit(store, { ...changesOf(payment), refunds });
    assert.equal((await store.find('refunds', scope, 're_1'))?.amount, 1);
  });
  const placed = await distribute(options);
  assert.equal(placed.find(({ table }) => table === 'refunds')?.before, false);
  await withStoreOn(coordinator, async (store) => {
    assert.equal((await store.find('refunds', scope, 're_1'))?.amount, 1);
  });
});

it('tells a conflict of every kind from an error, with many at the same time', async (t) => {
  const { coordinator, optionsFor } = await emptyCluster(t);
  await distribute(optionsFor(coordinator));
  await withStoreOn(coordinator, (store) =>
    withStoreOn(coordinator, async (other) => {
      const scope = aScope();
      const record = anIdempotencyRecord(scope);
      const race = Array.from({ length: 40 }, (_, at) =>
        (at % 2 === 0 ? store : other).commit({
          ...changesOf(aPayment({ scope })),
          idempotencyRecords: [record],
        }),
      );
      assert.deepEqual(conflicts(await Promise.all(race)), Array(39).fill('idempotency_key'));
      const payment = aPayment({ scope });
      const twice = await Promise.all([store, other].map((each) => each.commit(changesOf(payment))));
      assert.deepEqual(conflicts(twice), ['version']);
      const changed = { checkoutSessions: [{ ...payment.session, version: 1 }] };
      const updates = await Promise.all([store, other, store].map((each) => each.commit(changed)));
      assert.deepEqual(conflicts(updates), ['version', 'version']);
    }),
  );
});
