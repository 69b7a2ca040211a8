// Reads share a few connections to PostgreSQL, on which each waits for the previous one.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type pg from 'pg';
import { openPipeline, type Pipeline, type PipelineOptions } from '../../src/storage/postgres/pipeline.ts';
import { planRenewal } from '../../src/storage/postgres/plan-renewal.ts';
import { findPrimary } from '../../src/storage/postgres/primary.ts';
import { StorageUnavailable } from '../../src/storage/store.ts';
import { mustCommit } from '../support/committing.ts';
import { freshDatabase, freshStore, postgres } from '../support/engines.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aMoment, aPayment } from '../support/records.ts';
import { until } from '../support/until.ts';

interface Scene {
  readonly pipeline: Pipeline;
  /** Has a connection of its own. */
  readonly client: pg.Client;
  readonly clock: { now: number };
}

type Connections = Pick<PipelineOptions, 'maxConnections' | 'maxSpares'>;

async function withPipeline(t: TestContext, connections: Connections, act: (scene: Scene) => Promise<void>) {
  const address = await freshDatabase(t, postgres);
  assert.ok(address.engine === 'postgres');
  const clock = { now: 0 };
  const pipeline = openPipeline({
    ...connections,
    primary: findPrimary(address.url),
    queryTimeoutMs: 120_000,
    session: { schema: 'public', statementTimeoutMs: 0, lockTimeoutMs: 0, readOnly: false, planOnce: true },
    plans: planRenewal(),
    monotonicMs: () => clock.now,
    onConnectionLost: (error) => assert.fail(error),
  });
  await withClient(address.url, (client) => act({ pipeline, client, clock }));
  await pipeline.end();
}

const lock = { text: 'SELECT pg_advisory_xact_lock(1)' };

async function untilWaiting(client: pg.Client, queries: number): Promise<void> {
  await until(`${queries} wait for the lock`, async () => {
    const { rows } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'",
    );
    return rows.length === queries;
  });
}

async function connectionsOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'paydesk'",
  );
  return rows.length;
}

async function allAnswered(pipeline: Pipeline, queries: number): Promise<void> {
  let answered = 0;
  for (let sent = 0; sent < queries; sent += 1) void pipeline.query({ text: 'SELECT 1' }).then(() => (answered += 1));
  await until(
    () => `${answered} of ${queries} are answered`,
    () => answered === queries,
  );
}

describe('Connections that reads share (postgres)', () => {
  it('get no more queries while the first one is slow, if another connection is free', (t) =>
    withPipeline(t, { maxConnections: 2, maxSpares: 0 }, async ({ pipeline, client, clock }) => {
      await client.query('SELECT pg_advisory_lock(1)');
      const slow = pipeline.query(lock);
      await untilWaiting(client, 1);
      clock.now += 1_000;
      await allAnswered(pipeline, 8);
      await client.query('SELECT pg_advisory_unlock(1)');
      await slow;
    }));

  it('are one, however many queries there are, while it answers', (t) =>
    withPipeline(t, { maxConnections: 1, maxSpares: 2 }, async ({ pipeline, client }) => {
      for (let round = 0; round < 5; round += 1) await allAnswered(pipeline, 50);
      // A server that was not scheduled for a moment counts as silent, until it is.
      await until('there is one', async () => (await connectionsOf(client)) === 1);
    }));

  it('are joined by spare ones while they do not answer, also for queries that wait already', (t) =>
    withPipeline(t, { maxConnections: 1, maxSpares: 2 }, async ({ pipeline, client }) => {
      await client.query('SELECT pg_advisory_lock(1)');
      const slow = [pipeline.query(lock)];
      await allAnswered(pipeline, 8);
      slow.push(pipeline.query(lock));
      await allAnswered(pipeline, 8);
      await untilWaiting(client, 2);
      assert.equal(await connectionsOf(client), 3);

      await client.query('SELECT pg_advisory_unlock(1)');
      await Promise.all(slow);
      await until('the spare connections are closed', async () => (await connectionsOf(client)) === 1);
      await allAnswered(pipeline, 8);
    }));

  it('stay open when too many queries wait for them, which then fail', (t) =>
    withPipeline(t, { maxConnections: 1, maxSpares: 0 }, async ({ pipeline, client }) => {
      await client.query('SELECT pg_advisory_lock(1)');
      const slow = pipeline.query(lock);
      await untilWaiting(client, 1);
      const behind = Array.from({ length: 999 }, () => pipeline.query({ text: 'SELECT 1' }));
      await assert.rejects(pipeline.query({ text: 'SELECT 1' }), StorageUnavailable);
      assert.equal(await connectionsOf(client), 1);
      await untilWaiting(client, 1);
      await client.query('SELECT pg_advisory_unlock(1)');
      await Promise.all([slow, ...behind]);
      assert.equal(await connectionsOf(client), 1);
    }));

  it('answer other look-ups and lists while tables are locked, of which reads fail soon', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    assert.ok(address.engine === 'postgres');
    const { intent, session } = aPayment();
    const { newId } = aMoment();
    await mustCommit(store, { paymentIntents: [intent], checkoutSessions: [session] });
    const ofLockedTables = () => [
      // Look-ups of three kinds, and more of each than are in progress at a time.
      ...Array.from({ length: 3 }, () => store.find('disputes', intent, newId('dp'))),
      ...Array.from({ length: 3 }, () => store.find('refunds', intent, newId('re'))),
      ...Array.from({ length: 3 }, () => store.find('paymentLinks', intent, newId('plink'))),
      store.list('disputes', { scope: intent, limit: 10 }),
      store.list('refunds', { scope: intent, limit: 10 }),
      store.list('paymentLinks', { scope: intent, limit: 10 }),
    ];
    await withClient(address.url, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE disputes, refunds, payment_links IN ACCESS EXCLUSIVE MODE');
      const blocked = Promise.allSettled(ofLockedTables());
      const found = await Promise.all([
        store.find('paymentIntents', intent, intent.id),
        store.findBy('checkoutSessions', 'id', session.id),
        store.list('paymentIntents', { scope: intent, limit: 10 }).then(([first]) => first),
      ]);
      assert.deepEqual(
        found.map((record) => record?.id),
        [intent.id, session.id, intent.id],
      );
      for (const outcome of await blocked) {
        assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailable);
        // Not after the ten seconds that any statement may take.
        assert.match(outcome.reason.message, /lock timeout/);
      }
      await client.query('COMMIT');
    });
    for (const read of await Promise.all(ofLockedTables())) assert.deepEqual(read ?? [], []);
  });
});
