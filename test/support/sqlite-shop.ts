// A folder as an operator has it: a SQLite database with a merchant and payments, and the commands that run on it.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import { mustStore } from './committing.ts';
import type { CleansUp } from './engines.ts';
import { callPaydesk, freshFolder, paydeskJson } from './paydesk-process.ts';
import { aPayment } from './records.ts';

export interface BackupResult {
  readonly file: string;
  readonly bytes: number;
  readonly migration: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly secret_key: string | null;
  readonly secret_key_file: string | null;
}

export interface RestoreResult extends BackupResult {
  readonly replaced: string | null;
  readonly pending_migrations: number;
  readonly secret_key_problem: string | null;
  readonly revived_keys: readonly string[];
  readonly revived_users: readonly string[];
}

/** A folder with `data/paydesk.db`, which has a merchant and this many payments. */
export async function aShop(t: CleansUp, payments: number) {
  const folder = await freshFolder(t);
  const { test_key: key } = await paydeskJson<{ test_key: string }>(
    ['merchant', 'create', '--name', 'Shop'],
    { folder },
    callPaydesk,
  );
  const path = join(folder, 'data/paydesk.db');
  const store = openSqliteStore({ path, serving: true });
  for (let n = 0; n < payments; n++) await mustStore(store, aPayment());
  await store.close();
  const call = (...args: string[]) => callPaydesk(args, { folder });
  const backUp = (file: string) => paydeskJson<BackupResult>(['backup', file], { folder }, callPaydesk);
  const restore = (file: string) => paydeskJson<RestoreResult>(['restore', file], { folder }, callPaydesk);
  return { folder, path, key, call, backUp, restore };
}

export function countIn(path: string, table = 'payment_intents'): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  } finally {
    database.close();
  }
}

/** Makes a database so large that it is copied in several steps. */
export function enlarge(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE large (content BLOB); INSERT INTO large VALUES (zeroblob(20000000))');
  database.close();
}
