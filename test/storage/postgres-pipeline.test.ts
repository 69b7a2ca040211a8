// Reads share a few connections to PostgreSQL, on which each waits for the previous one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openPipeline } from '../../src/storage/postgres/pipeline.ts';
import { planRenewal } from '../../src/storage/postgres/plan-renewal.ts';
import { findPrimary } from '../../src/storage/postgres/primary.ts';
import { freshDatabase, postgres } from '../support/engines.ts';
import { withClient } from '../support/postgres-admin.ts';
import { until } from '../support/until.ts';

describe('Connections that reads share (postgres)', () => {
  it('get no more queries while the first one is slow, if another connection is free', async (t) => {
    const address = await freshDatabase(t, postgres);
    assert.ok(address.engine === 'postgres');
    let now = 0;
    const pipeline = openPipeline({
      primary: findPrimary(address.url),
      maxConnections: 2,
      queryTimeoutMs: 120_000,
      session: { schema: 'public', statementTimeoutMs: 0, readOnly: false, planOnce: true },
      plans: planRenewal(),
      monotonicMs: () => now,
      onConnectionLost: (error) => assert.fail(error),
    });
    await withClient(address.url, async (client) => {
      await client.query('SELECT pg_advisory_lock(1)');
      const slow = pipeline.query({ text: 'SELECT pg_advisory_xact_lock(1)' });
      await until('it waits', async () => {
        const { rows } = await client.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
        return rows.length > 0;
      });
      now += 1_000;
      let answered = 0;
      for (let sent = 0; sent < 8; sent += 1) void pipeline.query({ text: 'SELECT 1' }).then(() => (answered += 1));
      await until(
        () => `${answered} of 8 are answered`,
        () => answered === 8,
      );
      await client.query('SELECT pg_advisory_unlock(1)');
      await slow;
    });
    await pipeline.end();
  });
});
