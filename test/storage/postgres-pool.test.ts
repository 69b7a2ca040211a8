// The pool of connections to PostgreSQL: who gets a connection after a query that failed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planRenewal } from '../../src/storage/postgres/plan-renewal.ts';
import { openPool } from '../../src/storage/postgres/pool.ts';
import { findPrimary } from '../../src/storage/postgres/primary.ts';
import { freshDatabase, postgres } from '../support/engines.ts';

describe('A connection on which a query failed (postgres)', () => {
  it('renews its plans and runs the next query, one after the other', async (t) => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', onWarning);
    t.after(() => process.off('warning', onWarning));
    const address = await freshDatabase(t, postgres);
    assert.ok(address.engine === 'postgres');
    let now = 0;
    const pool = openPool({
      primary: findPrimary(address.url),
      maxConnections: 1,
      queryTimeoutMs: 120_000,
      session: { schema: 'public', statementTimeoutMs: 0, lockTimeoutMs: 0, readOnly: false, planOnce: true },
      // Before each query.
      plans: planRenewal(() => (now += 3_600_000)),
      onConnectionLost: (error) => assert.fail(error),
    });
    const pid = async (): Promise<unknown> => (await pool.query({ text: 'SELECT pg_backend_pid() AS pid' })).rows[0];
    const before = await pid();
    const failing = pool.query({ text: 'SELECT 1 / 0' });
    const next = pid();
    await assert.rejects(failing, /division by zero/);
    assert.deepEqual(await next, before);
    await pool.end();
    // Warnings are emitted in the next turn.
    await new Promise(setImmediate);
    assert.deepEqual(warnings, []);
  });
});
