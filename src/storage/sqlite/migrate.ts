// Applies the migrations, once, whoever of many starting processes comes first.

import type { DatabaseSync } from 'node:sqlite';
import { type AppliedMigration, checksumOf, migrationsFor, pendingMigrations, refuseChanged } from '../migrations.ts';
import { emptyWriteAheadLog } from './empty-log.ts';
import { registerPlaceFunctions } from './places.ts';

/** Safe beside other processes that start at the same time: the write lock makes them queue. */
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
    // What a migration has erased is overwritten in the file only now.
    if (pending.length > 0) emptyWriteAheadLog(database);
    return pending.length;
  } catch (error) {
    // SQLite has rolled back already where the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

export function appliedMigrations(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** Those of a version that kept none are taken on trust, once. */
function keepChecksums(database: DatabaseSync): void {
  const kept = new Set(checksumsIn(database).map(({ number }) => number));
  const missing = migrationsFor('sqlite').filter(({ number }) => !kept.has(number));
  if (missing.length === 0) return;
  database.exec(
    'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT',
  );
  const keep = database.prepare('INSERT INTO migrations (number, name, checksum) VALUES (?, ?, ?)');
  for (const migration of missing) keep.run(migration.number, migration.name, checksumOf(migration));
}

export function checksumsIn(database: DatabaseSync): AppliedMigration[] {
  if (database.prepare('PRAGMA table_info(migrations)').get() === undefined) return [];
  const rows = database.prepare('SELECT number, checksum FROM migrations WHERE number > 0 ORDER BY number').all();
  return rows.map(({ number, checksum }) => ({ number: Number(number), checksum: String(checksum) }));
}
