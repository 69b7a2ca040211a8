// Applies the migrations once, whichever of several starting processes comes first.

import type { DatabaseSync } from 'node:sqlite';
import {
  type AppliedMigration,
  appliedOf,
  checksumOf,
  migrationsFor,
  pendingMigrations,
  refuseChanged,
} from '../migrations.ts';
import { emptyWriteAheadLog } from './empty-log.ts';
import { registerPlaceFunctions } from './places.ts';

/** Safe with other processes that start at the same time: they wait for the write lock. */
export function migrate(database: DatabaseSync): number {
  const all = migrationsFor('sqlite');
  database.exec('BEGIN IMMEDIATE');
  try {
    const pending = pendingMigrations(all, appliedMigrations(database));
    refuseChanged(all, checksumsIn(database));
    if (pending.length > 0) registerPlaceFunctions(database);
    for (const migration of pending) {
      database.exec(migration.sql);
      database.exec(`PRAGMA user_version = ${migration.number}`);
    }
    keepChecksums(database);
    database.exec('COMMIT');
    // Only this overwrites in the file what a migration has erased.
    if (pending.length > 0) emptyWriteAheadLog(database);
    return pending.length;
  } catch (error) {
    // If the disk is full, SQLite has already rolled back.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The number of the last migration, which may be one that this version does not know. */
export function lastMigration(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** How many of our migrations are applied. */
export function appliedMigrations(database: DatabaseSync): number {
  const known = migrationsFor('sqlite').length;
  const last = lastMigration(database);
  return last > known ? appliedOf(known, last, usableFrom(database, known)) : last;
}

/** The number of migrations that a version must know to use the tables. */
function usableFrom(database: DatabaseSync, known: number): number | null {
  if (!listHas(database, 'usable_from')) return null;
  const row = database
    .prepare('SELECT max(coalesce(usable_from, number)) AS usable_from FROM migrations WHERE number > ?')
    .get(known);
  return row === undefined || row.usable_from === null ? null : Number(row.usable_from);
}

function listHas(database: DatabaseSync, column: string): boolean {
  return database
    .prepare('PRAGMA table_info(migrations)')
    .all()
    .some(({ name }) => name === column);
}

/** Migrations of versions that recorded no checksum are trusted once. */
function keepChecksums(database: DatabaseSync): void {
  if (listHas(database, 'number') && !listHas(database, 'usable_from')) {
    database.exec('ALTER TABLE migrations ADD COLUMN usable_from INTEGER');
  }
  const kept = new Set(checksumsIn(database).map(({ number }) => number));
  const missing = migrationsFor('sqlite').filter(({ number }) => !kept.has(number));
  if (missing.length === 0) return;
  database.exec(
    `CREATE TABLE IF NOT EXISTS migrations (
       number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, usable_from INTEGER) STRICT`,
  );
  const keep = database.prepare('INSERT INTO migrations (number, name, checksum, usable_from) VALUES (?, ?, ?, ?)');
  for (const migration of missing) {
    keep.run(migration.number, migration.name, checksumOf(migration), migration.usableFrom);
  }
}

export function checksumsIn(database: DatabaseSync): AppliedMigration[] {
  if (database.prepare('PRAGMA table_info(migrations)').get() === undefined) return [];
  const rows = database.prepare('SELECT number, checksum FROM migrations WHERE number > 0 ORDER BY number').all();
  return rows.map(({ number, checksum }) => ({ number: Number(number), checksum: String(checksum) }));
}
