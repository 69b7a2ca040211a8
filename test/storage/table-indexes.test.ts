// The tables of a migrated database suit their descriptions: an index for each filter, and text that is compared by its
// bytes wherever rows are found or ordered by it.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type pg from 'pg';
import { sandboxTables } from '../../src/acquirers/sandbox/books.ts';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import { rootOf } from '../../src/storage/selection.ts';
import { type Column, isView, type Source, type Table } from '../../src/storage/table.ts';
import { attemptCounters } from '../../src/storage/tables/attempt-counters.ts';
import { sources } from '../../src/storage/tables.ts';
import { describeOnEachEngine, freshStore, postgres } from '../support/engines.ts';
import { withClient } from '../support/postgres-admin.ts';

const everySource: readonly Source[] = [...Object.values(sources), ...Object.values(sandboxTables), attemptCounters];
const described = everySource.flatMap((source) => (isView(source) ? [] : [source]));

/** Filters of lists over all merchants that are only used together with the merchant, so their indexes begin with that. */
const usedWithMerchant = ['audit_entries.actor', 'audit_entries.action'];

/**
 * Columns from before the rule. Rows are found by them, but not ordered: whether two texts are equal is the same in every
 * collation that a database can have. Only facts are ordered by such a column, their name, and they are few.
 */
const inCollationOfDatabase = [
  'api_keys.hash',
  'audit_entries.action',
  'audit_entries.actor',
  'checkout_sessions.status',
  'disputes.status',
  'events.type',
  'facts.name',
  'mail_messages.payment_intent_id',
  'mail_messages.status',
  'operations.acquirer_reference',
  'payment_intents.status',
  'payment_links.status',
];

interface Index {
  readonly table: string;
  readonly columns: readonly string[];
  /** Which rows are in it. Null: all. */
  readonly condition: string | null;
}

async function indexesOf(address: DatabaseAddress): Promise<Index[]> {
  if (address.engine === 'sqlite') return sqliteIndexes(address.path);
  return withClient(address.url, async (client) => {
    const { rows } = await client.query<Index>(`
      SELECT c.relname AS table, pg_get_expr(i.indpred, i.indrelid) AS condition,
        ARRAY(SELECT pg_get_indexdef(i.indexrelid, n, false) FROM generate_series(1, i.indnkeyatts) n ORDER BY n) AS columns
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace = current_schema()::regnamespace`);
    return rows.map((row) => ({ ...row, condition: row.condition?.replaceAll(/[()]|::text/g, '') ?? null }));
  });
}

function sqliteIndexes(path: string): Index[] {
  const database = new DatabaseSync(path);
  try {
    const indexes = database.prepare(`
      SELECT t.name AS "table", (SELECT json_group_array(name) FROM pragma_index_info(i.name)) AS columns,
        (SELECT sql FROM sqlite_schema WHERE name = i.name) AS sql
      FROM sqlite_schema t, pragma_index_list(t.name) i WHERE t.type = 'table'`);
    return indexes.all().map(({ table, columns, sql }) => ({
      table: String(table),
      columns: JSON.parse(String(columns)),
      condition: /\bWHERE\s+(.*)$/s.exec(String(sql))?.[1] ?? null,
    }));
  } finally {
    database.close();
  }
}

/** Whether the index leads to the rows of a list with this filter, without reading others of the merchant. */
function serves({ columns, condition }: Index, { name, scoped, only }: Table<unknown>, filter: Column): boolean {
  const at = columns.indexOf(filter.name);
  const given = scoped || usedWithMerchant.includes(`${name}.${filter.name}`) ? ['merchant_id', 'livemode'] : [];
  const fulfilled = [`${filter.name} IS NOT NULL`, ...(only?.replaceAll('t.', '').split(' AND ') ?? [])];
  return (
    at !== -1 &&
    columns.slice(0, at).every((column) => given.includes(column)) &&
    (condition === null || fulfilled.includes(condition))
  );
}

function filtersWithoutIndex(indexes: readonly Index[]): string[] {
  return described.flatMap((table) => {
    const own = indexes.filter((index) => index.table === table.name);
    const without = table.filters.filter((filter) => !own.some((index) => serves(index, table, filter)));
    return without.map(({ name }) => `${table.name}.${name}`);
  });
}

describeOnEachEngine('Every filter of a list', (engine) => {
  it('has an index', async (t) => {
    const { address } = await freshStore(t, engine);
    const indexes = await indexesOf(address);
    assert.deepEqual(filtersWithoutIndex(indexes), []);
    const others = indexes.filter(({ table }) => table !== 'refunds');
    const ofRefunds = { table: 'refunds', columns: ['merchant_id', 'livemode', 'payment_intent_id'], condition: null };
    assert.deepEqual(filtersWithoutIndex([...others, ofRefunds]), []);
    for (const useless of [{ columns: ['amount', 'payment_intent_id'] }, { condition: "status = 'failed'" }])
      assert.deepEqual(filtersWithoutIndex([...others, { ...ofRefunds, ...useless }]), ['refunds.payment_intent_id']);
  });
});

/** Text columns that are not compared by their bytes although rows are found or ordered by them. */
async function inOtherCollations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; indexed: boolean }>(`
    SELECT c.relname || '.' || a.attname AS name,
      EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND a.attnum = ANY (i.indkey)) AS indexed
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_collation k ON k.oid = a.attcollation
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND k.collname <> 'C'`);
  const used = new Set(
    everySource.flatMap((source) => {
      const { name, key, order, filters } = rootOf(source);
      const columns = [...key, order.column, ...filters, ...source.foundBy];
      return columns.map((column) => `${name}.${column.name}`);
    }),
  );
  return rows.flatMap(({ name, indexed }) => (indexed || used.has(name) ? [name] : [])).sort();
}

describe('Text by which rows are found or ordered on PostgreSQL', () => {
  it('is compared by its bytes, as on SQLite', async (t) => {
    const { address } = await freshStore(t, postgres);
    assert.equal(address.engine, 'postgres');
    await withClient(address.url, async (client) => {
      assert.deepEqual(await inOtherCollations(client), inCollationOfDatabase);
      await client.query('CREATE TABLE a_gift_cards (code TEXT PRIMARY KEY, id TEXT COLLATE "C" UNIQUE, note TEXT)');
      assert.deepEqual(await inOtherCollations(client), ['a_gift_cards.code', ...inCollationOfDatabase]);
    });
  });
});
