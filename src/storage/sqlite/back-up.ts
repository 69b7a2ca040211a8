// Copies the database to a file while a service may be writing to it.
//
// SQLite's backup API copies page by page, in steps that report their progress. By itself it starts again whenever another
// process writes between two steps, so under load it would never finish. Therefore all steps read within one transaction,
// whose state stays the same. Meanwhile the write-ahead log cannot start over, as with VACUUM INTO, which takes longer,
// reports no progress and hides damage to the indexes by making new ones.

import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { BackupOptions, DatabaseSummary } from '../backups.ts';
import { makePrivateFile, syncFile } from '../private-files.ts';
import { StorageUnavailable } from '../store.ts';
import { problemWith, targetOf } from './backup-target.ts';
import { existingDatabaseFile, explained } from './database-file.ts';
import { contentOf, type DamageReport, refuseDamaged, summaryOf } from './inspect-file.ts';
import { refuseOtherProgram } from './other-program.ts';
import { primaryCode, sqliteCodes } from './result-codes.ts';
import { throwIfInterrupted } from './throw-if-interrupted.ts';

const busyTimeoutMs = 5_000;
/** 4 MB a step. */
const pagesPerStep = 1_000;

export async function backUpSqlite(path: string, options: BackupOptions): Promise<DatabaseSummary> {
  const source = existingDatabaseFile(path);
  try {
    return await backUpTo(targetOf(options, source), { ...options, source, path });
  } catch (error) {
    throw problemWith(options.target, error);
  }
}

interface CopyOptions extends BackupOptions {
  /** The real path of the database. */
  readonly source: string;
  /** Its path in messages. */
  readonly path: string;
}

async function backUpTo(target: string, options: CopyOptions): Promise<DatabaseSummary> {
  const partial = `${target}.${options.suffix}.partial`;
  try {
    makePrivateFile(partial);
    const before = await copyTo(partial, options);
    options.onProgress('checking', 0);
    refuseDamaged(partial, damagedDatabase(options.path));
    const summary = summaryOf(partial);
    refuseDifference(before, summary);
    syncFile(partial);
    await throwIfInterrupted(options.signal);
    renameSync(partial, target);
    syncFile(dirname(target));
    return summary;
  } finally {
    // SQLite leaves its journal if the copy fails.
    for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true });
  }
}

/** Returns what is in the source, as of the state that was copied. */
async function copyTo(
  partial: string,
  { source, path, onProgress, signal }: CopyOptions,
): Promise<Omit<DatabaseSummary, 'bytes'>> {
  const database = explained(path, () => new DatabaseSync(source, { timeout: busyTimeoutMs }));
  try {
    const content = explained(path, () =>
      reportingDamage(path, () => {
        // The log is the service's to copy.
        database.exec('PRAGMA wal_autocheckpoint = 0; BEGIN');
        refuseOtherProgram(database, path);
        return contentOf(database);
      }),
    );
    await backup(database, partial, {
      rate: pagesPerStep,
      progress: ({ totalPages, remainingPages }) => {
        signal.throwIfAborted();
        onProgress('copying', 1 - remainingPages / totalPages);
      },
    });
    onProgress('copying', 1);
    database.exec('COMMIT');
    return content;
  } finally {
    database.close();
  }
}

/** Pages are copied as they are, so damage in the copy is damage in the database. */
const damagedDatabase =
  (path: string): DamageReport =>
  (problem) =>
    new StorageUnavailable(
      `the database ${path} is damaged: ${problem}. No backup was made. Restore an earlier one: paydesk restore FILE`,
    );

function reportingDamage<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw primaryCode(error) === sqliteCodes.corrupt ? damagedDatabase(path)((error as Error).message) : error;
  }
}

function refuseDifference(source: Omit<DatabaseSummary, 'bytes'>, copy: DatabaseSummary): void {
  const different = Object.entries(source.rows).filter(([table, rows]) => copy.rows[table] !== rows);
  if (different.length === 0 && source.migration === copy.migration) return;
  const tables = different.map(([table, rows]) => `${table} has ${copy.rows[table] ?? 0} rows instead of ${rows}`);
  throw new StorageUnavailable(`the copy differs from the database (${tables.join(', ')}): run the backup again`);
}
