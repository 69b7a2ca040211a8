// Opens the database file, safe against power loss, with its migrations applied.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrationsFor, pendingMigrations } from '../migrations.ts';
import { StorageUnavailable } from '../store.ts';
import { teachPlaces } from './places.ts';

const busyTimeoutMs = 5_000;
const busyPauseMs = 5;
const sqliteBusy = 5;
const cacheKb = 49_152;
/**
 * Copies the log into the database every 64 MB of it, not every 4: pages that are written often are copied less often,
 * and fewer requests meet the pause. Measured with a million payments stored: 107 µs to write a payment and 62 ms a pause
 * at 16 MB, 102 µs and 91 ms at 32 MB, 92 µs and 112 ms at 64 MB.
 */
const checkpointPages = 16_000;

/**
 * Deleted content is overwritten, in pages that become free as well: fingerprints of cards must not outlive their rows.
 * Measured with whole payments: no difference, as next to nothing is deleted on their way.
 */
const secureDelete = 'ON';

export function openDatabase(path: string): DatabaseSync {
  const database = openFile(path, busyTimeoutMs);
  try {
    useWriteAheadLog(database);
    database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -${cacheKb};
      PRAGMA wal_autocheckpoint = ${checkpointPages};
      PRAGMA journal_size_limit = 67108864;
      PRAGMA secure_delete = ${secureDelete};
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Of processes that open a new file together, one makes the switch; SQLite does not let the others wait for it. */
function useWriteAheadLog(database: DatabaseSync): void {
  for (let pauses = busyTimeoutMs / busyPauseMs; ; pauses--) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || pauses === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyPauseMs);
    }
  }
}

/** Another command may be migrating at this moment. */
const toMigrate = {
  waitMs: 1_000,
  advice: 'This is a newer version, which has to migrate the file: stop that process first.',
};

/** Open and migrated; closed again when that fails. `serving`: this process holds the serving lock. */
export function openMigratedDatabase(path: string, serving: boolean): DatabaseSync {
  const database = openDatabase(path);
  try {
    // An older version that serves would go on to write rows as they were before.
    const applied = appliedMigrations(database);
    const isBehind = applied > 0 && pendingMigrations(migrationsFor('sqlite'), applied).length > 0;
    const lock = isBehind && !serving ? takeServingLock(path, toMigrate) : null;
    try {
      migrate(database);
    } finally {
      lock?.release();
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function openFile(path: string, timeoutMs: number): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return new DatabaseSync(path, { timeout: timeoutMs });
  } catch (error) {
    throw new StorageUnavailable(`the SQLite file ${path} cannot be opened: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Safe beside other processes that start at the same time: the write lock makes them queue. */
export function migrate(database: DatabaseSync): number {
  const all = migrationsFor('sqlite');
  database.exec('BEGIN IMMEDIATE');
  try {
    const pending = pendingMigrations(all, appliedMigrations(database));
    if (pending.length > 0) teachPlaces(database);
    for (const migration of pending) {
      database.exec(migration.sql);
      database.exec(`PRAGMA user_version = ${migration.number}`);
    }
    database.exec('COMMIT');
    // What a migration has erased is overwritten in the file only now.
    if (pending.length > 0) emptyWriteAheadLog(database);
    return pending.length;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * What was erased is still in the log, and in the database until the log is copied into it. Where others read or write at
 * this moment it is left as it is, for the next time: nobody waits.
 */
export function emptyWriteAheadLog(database: DatabaseSync): void {
  const timeoutMs = Number(database.prepare('PRAGMA busy_timeout').get()?.timeout);
  database.exec('PRAGMA busy_timeout = 0');
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isBusy(error)) throw error;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeoutMs}`);
  }
}

export function appliedMigrations(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/**
 * One serving process a file: the lock is the operating system's, on a file beside the database, so it ends with the
 * process however that ends.
 */
export function takeServingLock(
  databasePath: string,
  { waitMs, advice } = { waitMs: 0, advice: 'Stop it first, or use PostgreSQL to run several.' },
): { release(): void } {
  const lock = openFile(`${databasePath}.lock`, waitMs);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new StorageUnavailable(`another Paydesk process is serving ${databasePath}. ${advice}`);
  }
  return { release: () => lock.close() };
}

/** Runs a write outside of a commit: a file that another process keeps locked is storage that does not answer. */
export function orUnavailable<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new StorageUnavailable('the SQLite file is kept locked by another process', { cause: error });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteBusy;
}
