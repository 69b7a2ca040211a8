// What a database has used and contains: CPU time of the server, rows and bytes of each table, the write-ahead log, syncs.

import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { DatabaseAddress } from '../src/storage/open-store.ts';
import type { Growth } from './capacity-model.ts';
import { cpuMsOfFamily, parentOf } from './cpu.ts';

interface Contents {
  readonly tables: ReadonlyMap<string, { readonly rows: number; readonly bytes: number }>;
  readonly bytes: number;
  readonly walBytes: number | null;
  readonly syncs: number | null;
}

export interface DatabaseMeter {
  /** Of the database server; 0 if there is none. */
  cpuMs(): number;
  contents(): Promise<Contents>;
  /** Of each of that many payments. */
  growth(before: Contents, after: Contents, payments: number): Growth;
  close(): Promise<void>;
}

export function databaseMeter(address: DatabaseAddress): Promise<DatabaseMeter> {
  return address.engine === 'sqlite' ? Promise.resolve(sqliteMeter(address.path)) : postgresMeter(address.url);
}

function sqliteMeter(path: string): DatabaseMeter {
  const database = new DatabaseSync(path, { readOnly: true });
  const number = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  return {
    cpuMs: () => 0,
    async contents() {
      const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      const tables = names.map(({ name }): [string, { rows: number; bytes: number }] => [
        String(name),
        // SQLite does not tell how large a table is.
        { rows: number(`SELECT count(*) FROM "${name}"`), bytes: 0 },
      ]);
      const bytes = number('PRAGMA page_count') * number('PRAGMA page_size');
      return { tables: new Map(tables), bytes, walBytes: null, syncs: null };
    },
    growth,
    close: async () => database.close(),
  };
}

async function postgresMeter(url: string): Promise<DatabaseMeter> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const numbers = async (sql: string): Promise<Record<string, number>> => {
    const { rows } = await client.query<Record<string, string>>(sql);
    return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
  };
  const { pid = 0 } = await numbers('SELECT pg_backend_pid() AS pid');
  const server = parentOf(pid);
  return {
    cpuMs: () => cpuMsOfFamily(server),
    async contents() {
      const { rows: names } = await client.query<{ name: string }>(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
      );
      const tables = new Map<string, { rows: number; bytes: number }>();
      for (const { name } of names) {
        const quoted = pg.escapeIdentifier(name);
        const { rows = 0, bytes = 0 } = await numbers(
          `SELECT count(*) AS rows, pg_total_relation_size('${quoted}') AS bytes FROM ${quoted}`,
        );
        tables.set(name, { rows, bytes });
      }
      const { wal = 0, syncs = 0 } = await numbers(
        `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS wal,
           (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS syncs`,
      );
      const bytes = [...tables.values()].reduce((sum, table) => sum + table.bytes, 0);
      return { tables, bytes, walBytes: wal, syncs };
    },
    growth,
    close: () => client.end(),
  };
}

function growth(before: Contents, after: Contents, payments: number): Growth {
  const each = (from: number | null, to: number | null): number | null =>
    from === null || to === null ? null : (to - from) / payments;
  const tables = [...after.tables].map(([name, { rows, bytes }]) => {
    const then = before.tables.get(name) ?? { rows: 0, bytes: 0 };
    return { name, rows: (rows - then.rows) / payments, bytes: (bytes - then.bytes) / payments };
  });
  return {
    // Counters, for example, hardly grow.
    tables: tables.filter(({ rows }) => rows >= 0.05),
    bytes: (after.bytes - before.bytes) / payments,
    walBytes: each(before.walBytes, after.walBytes),
    syncs: each(before.syncs, after.syncs),
  };
}
