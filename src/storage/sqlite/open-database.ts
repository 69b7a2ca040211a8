// Opens the database file, safe against power loss, with its migrations applied.

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { migrationsFor, pendingMigrations, refuseChanged, refusePending } from '../migrations.ts';
import { makePrivate, makePrivateFile, tooOpen } from '../private-files.ts';
import { StorageUnavailable } from '../store.ts';
import { existingDatabaseFile, explained, filesOf, lockFileOf, makeDatabaseFile } from './database-file.ts';
import { appliedMigrations, checksumsIn, migrate } from './migrate.ts';
import { refuseTablesOfOtherProgram } from './other-program.ts';
import { isBusy } from './result-codes.ts';

/** While it is opened, before anything is served. Afterwards writes wait in the group commit, which blocks nothing. */
const busyTimeoutMs = 5_000;
const busyPauseMs = 5;
const cacheKb = 49_152;
/**
 * Lets the log start over every 64 MB, not every 4: pages that are written often are copied less often. Measured with a
 * million payments stored: 107 µs to write a payment at 16 MB, 102 µs at 32 MB, 92 µs at 64 MB. A serving process has it
 * copied by a thread: see `write-ahead-log.ts`.
 */
export const checkpointPages = 16_000;

/**
 * Deleted content is overwritten, in pages that become free as well: fingerprints of cards must not outlive their rows.
 * Measured with whole payments: no difference, as next to nothing is deleted on their way.
 */
const secureDelete = 'ON';

/** Creates the file if it is missing. */
export function openDatabase(path: string): DatabaseSync {
  const real = makeDatabaseFile(path);
  return opened(path, () => new DatabaseSync(real, { timeout: busyTimeoutMs }), prepareForWrites);
}

function opened(path: string, open: () => DatabaseSync, prepare: (database: DatabaseSync) => void): DatabaseSync {
  return explained(path, () => {
    const database = open();
    try {
      prepare(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

function prepareForWrites(database: DatabaseSync): void {
  useWriteAheadLog(database);
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA cache_size = -${cacheKb};
    PRAGMA wal_autocheckpoint = ${checkpointPages};
    PRAGMA journal_size_limit = 67108864;
    PRAGMA secure_delete = ${secureDelete};
  `);
}

/** If several processes open a new file, one switches the journal mode, and SQLite does not let the others wait for it. */
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

/** Another command may be migrating right now. */
const toMigrate = {
  waitMs: 1_000,
  advice: 'This newer version has to migrate the file: stop that process first.',
};

export interface MigrationOptions {
  /** This process holds the serving lock. */
  readonly serving: boolean;
  readonly onNotice?: (message: string) => void;
  readonly onMigrated?: (applied: number) => void;
}

/** Opens and migrates, and closes again if that fails. */
export function openMigratedDatabase(
  path: string,
  { serving, onNotice = () => {}, onMigrated }: MigrationOptions,
): DatabaseSync {
  const real = makeDatabaseFile(path);
  makePrivate(filesOf(real), onNotice);
  for (const { path: folder, remedy } of tooOpen([], [dirname(real)]))
    onNotice(`other users can read the data directory ${folder}: ${remedy}, or use a separate directory for the data`);
  const database = openDatabase(path);
  return opened(
    path,
    () => database,
    () => {
      refuseTablesOfOtherProgram(database, path);
      // An older version that serves would continue to write rows in the old form.
      const before = appliedMigrations(database);
      const isBehind = before > 0 && pendingMigrations(migrationsFor('sqlite'), before).length > 0;
      const lock = isBehind && !serving ? takeServingLock(path, toMigrate) : null;
      try {
        const applied = migrate(database);
        onMigrated?.(applied);
      } finally {
        lock?.release();
      }
      waitOnlyInTheGroup(database);
    },
  );
}

/** For commands that neither create nor migrate a database. */
export function openExistingDatabase(path: string): DatabaseSync {
  const real = existingDatabaseFile(path);
  return opened(
    path,
    () => new DatabaseSync(real, { timeout: busyTimeoutMs }),
    (database) => {
      refuseOtherSchema(database, path);
      prepareForWrites(database);
      waitOnlyInTheGroup(database);
    },
  );
}

/** Read-only: no file is created or changed, not even those that SQLite keeps beside the database. */
export function openDatabaseToRead(path: string): DatabaseSync {
  const real = existingDatabaseFile(path);
  const url = pathToFileURL(real);
  // Without a log, everything is in the file itself. With one, its writer has left the files that are needed to read it.
  if (!existsSync(`${real}-wal`) || !existsSync(`${real}-shm`)) url.searchParams.set('immutable', '1');
  return opened(
    path,
    () => new DatabaseSync(url, { readOnly: true, timeout: busyTimeoutMs }),
    (database) => refuseOtherSchema(database, path),
  );
}

function refuseOtherSchema(database: DatabaseSync, path: string): void {
  refuseTablesOfOtherProgram(database, path);
  const all = migrationsFor('sqlite');
  refusePending(all, appliedMigrations(database));
  refuseChanged(all, checksumsIn(database));
}

function waitOnlyInTheGroup(database: DatabaseSync): void {
  database.exec('PRAGMA busy_timeout = 0');
}

/**
 * Allows one serving process per file. It is an operating system lock on a file beside the database, so it ends with the
 * process, however that ends. It is the lock that SQLite takes before a write: readers do not prevent it.
 */
export function takeServingLock(
  databasePath: string,
  { waitMs, advice } = { waitMs: 0, advice: 'Stop it first, or use PostgreSQL to run several processes.' },
): { release(): void } {
  const file = lockFileOf(makeDatabaseFile(databasePath));
  const open = (): DatabaseSync => {
    makePrivateFile(file);
    return new DatabaseSync(file, { timeout: waitMs });
  };
  const lock = opened(databasePath, open, (database) => {
    try {
      // Nothing is ever written to it, so it needs no journal.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    } catch (error) {
      if (!isBusy(error)) throw error;
      throw new StorageUnavailable(`another Paydesk process is serving ${databasePath}. ${advice}`);
    }
  });
  return { release: () => lock.close() };
}
