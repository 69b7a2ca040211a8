// What a claim reads: about as many rows as it claims, however many are due or wait.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { sandboxTables } from '../../src/acquirers/sandbox/books.ts';
import type { RecordStore } from '../../src/storage/record-store.ts';
import type { Table } from '../../src/storage/table.ts';
import { tables } from '../../src/storage/tables.ts';
import { mustCommit } from '../support/committing.ts';
import { freshStore, postgres, sqlite } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { withClient } from '../support/postgres-admin.ts';
import { anAcquirerNotice, aScope } from '../support/records.ts';

const claim = { now, leaseMs: 500, limit: 50 };

describe('A claim on SQLite', () => {
  it('follows an index in the order of time: nothing is scanned or sorted', async (t) => {
    const { store, address } = await freshStore(t, sqlite);
    assert.ok(address.engine === 'sqlite');
    const asked = new Set<string>();
    const prepare = DatabaseSync.prototype.prepare;
    t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
      if (sql.includes('UPDATE')) asked.add(sql);
      return prepare.call(this, sql);
    });
    for (const sources of [tables, sandboxTables]) await claimAll(store.recordsOf<Tables>(sources), sources);
    t.mock.restoreAll();
    assert.ok(asked.size >= 9);
    const database = new DatabaseSync(address.path, { readOnly: true });
    t.after(() => database.close());
    for (const sql of asked) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
      const steps = plan.map(({ detail }) => detail);
      assert.ok(
        steps.some((step) => /^SEARCH t USING .*INDEX/.test(step)),
        `${steps}: ${sql}`,
      );
      assert.ok(!steps.some((step) => /^SCAN t\b|TEMP B-TREE/.test(step)), `${steps}: ${sql}`);
    }
  });
});

type Tables = Readonly<Record<string, Table<unknown>>>;

async function claimAll(store: RecordStore<Tables>, sources: Tables): Promise<void> {
  for (const [name, { claims }] of Object.entries(sources))
    for (const work of Object.keys(claims)) assert.deepEqual(await store.claim(name, work, claim), []);
}

describe('A claim on PostgreSQL', () => {
  it('reads what is due, and not what waits', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    assert.ok(address.engine === 'postgres');
    const { url } = address;
    const scope = aScope();
    const waiting = (count: number, dueAt: number) =>
      Array.from({ length: count }, (_, at) => anAcquirerNotice({ ...scope, noticeId: `${dueAt} ${at}`, dueAt }));
    await mustCommit(store, { acquirerNotices: [...waiting(3, now), ...waiting(1_000, now + 60_000)] });
    await withClient(url, (client) => client.query('ANALYZE'));
    const before = await noticesRead(url);
    assert.equal((await store.claim('acquirerNotices', 'due', claim)).length, 3);
    // The server counts what a connection has read when that ends.
    await store.close();
    const read = (await noticesRead(url)) - before;
    assert.ok(read >= 3 && read < 50, `${read} rows were read`);
  });
});

async function noticesRead(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`
      SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS reads FROM pg_stat_user_tables
      WHERE relname = 'acquirer_notices'`);
    return Number(rows[0]?.reads);
  });
}
