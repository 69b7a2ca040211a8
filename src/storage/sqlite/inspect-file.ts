// Examines a database file that is not in use: whether it is ours and undamaged, and what it contains.

import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { DatabaseSummary } from '../backups.ts';
import { migrationsFor, pendingMigrations, refuseChanged } from '../migrations.ts';
import { StorageUnavailable } from '../store.ts';
import { appliedMigrations, checksumsIn, lastMigration } from './migrate.ts';
import { refuseOtherProgram } from './other-program.ts';
import { primaryCode, sqliteCodes } from './result-codes.ts';

/** Makes the error from what SQLite found. */
export type DamageReport = (problem: string) => StorageUnavailable;

const unreadable =
  (name: string): DamageReport =>
  (problem) =>
    new StorageUnavailable(`${name} is damaged, or not a SQLite database: ${problem}`);

/** Creates and changes nothing, not even files beside it. */
export function readClosedFile<T>(
  path: string,
  read: (database: DatabaseSync) => T,
  damaged: DamageReport = unreadable(path),
): T {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    return read(database);
  } catch (error) {
    const isDamage = [sqliteCodes.corrupt, sqliteCodes.notADatabase].includes(primaryCode(error) as never);
    if (!isDamage) throw error;
    throw damaged((error as Error).message);
  } finally {
    database.close();
  }
}

/**
 * Refuses a file that this version cannot use. Older ones are migrated by the next start. `name` is that of the original
 * if the file is a copy.
 */
export function refuseUnusable(path: string, name = path): void {
  readClosedFile(
    path,
    (database) => {
      refuseOtherProgram(database, name);
      const all = migrationsFor('sqlite');
      pendingMigrations(all, appliedMigrations(database));
      refuseChanged(all, checksumsIn(database));
    },
    unreadable(name),
  );
}

/** SQLite's own check of every page, row and index. */
export function refuseDamaged(path: string, damaged: DamageReport): void {
  const check = (database: DatabaseSync): string[] =>
    database
      .prepare('PRAGMA integrity_check(3)')
      .all()
      .map(({ integrity_check: problem }) => String(problem));
  const problems = readClosedFile(path, check, damaged);
  if (problems.join() !== 'ok') throw damaged(problems.join('; '));
}

export function summaryOf(path: string): DatabaseSummary {
  return { bytes: statSync(path).size, ...readClosedFile(path, contentOf) };
}

export function contentOf(database: DatabaseSync): Omit<DatabaseSummary, 'bytes'> {
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
  const rowsIn = (table: string): number =>
    Number(database.prepare(`SELECT count(*) AS rows FROM "${table}"`).get()?.rows);
  const key = database.prepare("SELECT value FROM facts WHERE name = 'secret_key_id'").get();
  return {
    migration: lastMigration(database),
    rows: Object.fromEntries(tables.map((table) => [table, rowsIn(table)])),
    secretKeyId: key === undefined ? null : String(key.value),
  };
}
