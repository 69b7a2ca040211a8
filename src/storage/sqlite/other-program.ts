// Recognises a SQLite database of another program, which must be neither migrated nor restored.

import type { DatabaseSync } from 'node:sqlite';
import { StorageUnavailable } from '../store.ts';
import { lastMigration } from './migrate.ts';

/** An empty database is not ours either. */
export function refuseOtherProgram(database: DatabaseSync, path: string): void {
  if (!isOurs(database)) throw new StorageUnavailable(problemOf(path));
}

/** Accepts an empty database: its tables are still to be created. */
export function refuseTablesOfOtherProgram(database: DatabaseSync, path: string): void {
  const isEmpty = lastMigration(database) === 0 && tablesIn(database).length === 0;
  if (isEmpty || isOurs(database)) return;
  throw new StorageUnavailable(`${problemOf(path)}. Check DATABASE_URL: Paydesk needs a file of its own.`);
}

function isOurs(database: DatabaseSync): boolean {
  return lastMigration(database) > 0 && tablesIn(database).includes('facts');
}

function tablesIn(database: DatabaseSync): string[] {
  const tables = database.prepare('PRAGMA main.table_list').all();
  return tables.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'));
}

function problemOf(path: string): string {
  return `${path} is not a database of Paydesk: it has none of its tables`;
}
