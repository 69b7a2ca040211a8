// The limit for writing payments on PostgreSQL: pgbench writes the rows of a created session into the same tables with
// the same indexes, one transaction each, with 32 clients and a prepared statement.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { bytesAsText, encode, sqlTypes } from '../src/storage/postgres/rows.ts';
import { columnNames } from '../src/storage/table.ts';
import { findBinary } from '../test/support/system-packages.ts';
import { newPaymentWrites } from './stored-payments.ts';

const clients = 32;

/** Sorts by time as our ids do, so that indexes are written at their end. */
const newId = `to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint) || md5(random()::text)`;
const generated = new Set(['id', 'key', 'paymentIntentId', 'checkoutSessionId']);

/** Returns transactions per second. */
export async function runPgbench(url: string, folder: string, seconds: number): Promise<number> {
  const pgbench = findBinary(['pgbench']);
  if (pgbench === null) throw new Error('there is no pgbench: install the Debian package postgresql');
  const script = join(folder, 'create-session.sql');
  writeFileSync(script, statement());
  const { hostname, port, username, password, pathname } = new URL(url);
  const args = ['--no-vacuum', '--protocol=prepared', '--jobs=2', `--client=${clients}`];
  const child = spawn(pgbench, [...args, `--time=${seconds}`, `--file=${script}`, pathname.slice(1)], {
    env: { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
    });
  await once(child, 'close');
  const tps = Number(/tps = ([\d.]+)/.exec(text)?.[1]);
  if (Number.isNaN(tps)) throw new Error(`pgbench failed: ${text}`);
  return tps;
}

function statement(): string {
  const inserts = newPaymentWrites().map(({ table, record }) => {
    const values = table.columns.map((column) =>
      generated.has(column.field) ? newId : literal(encode(column, record[column.field]), sqlTypes[column.kind]),
    );
    return `INSERT INTO ${table.name} (${columnNames(table)}) SELECT ${values.join(', ')}`;
  });
  const [last = '', ...before] = inserts.reverse();
  // A script has one statement a line.
  return `WITH ${before.map((sql, at) => `written${at} AS (${sql})`).join(', ')} ${last};`.replaceAll('\n', ' ');
}

function literal(value: unknown, type: string): string {
  if (value === null) return `NULL::${type}`;
  return `${pg.escapeLiteral(bytesAsText(value) ?? String(value))}::${type}`;
}
