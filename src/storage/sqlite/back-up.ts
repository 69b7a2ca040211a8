// Copies the database to a file while a service may be writing to it.
//
// SQLite's backup API copies page by page, in steps that report their progress. By itself it starts again whenever another
// process writes between two steps, so under load it would never finish. Therefore all steps read within one transaction,
// whose state stays the same. Meanwhile the write-ahead log cannot start over, as with VACUUM INTO, which takes longer,
// reports no progress and hides damage to the indexes by making new ones.

import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { BackupOptions, DatabaseSummary } from '../backups.ts';
import { makePrivateFile, syncFile } from '../private-files.ts';
import { StorageUnavailable } from '../store.ts';
import { existingDatabaseFile, explained, filesOf } from './database-file.ts';
import { contentOf, refuseDamaged, refuseOtherProgram, summaryOf } from './inspect-file.ts';

const busyTimeoutMs = 5_000;
/** 4 MB a step. */
const pagesPerStep = 1_000;

export async function backUpSqlite(path: string, options: BackupOptions): Promise<DatabaseSummary> {
  const source = existingDatabaseFile(path);
  const target = targetOf(options, source);
  const partial = `${target}.${options.suffix}.partial`;
  const removePartial = (): void => rmSync(partial, { force: true });
  process.once('exit', removePartial);
  try {
    makePrivateFile(partial);
    const before = await copyTo(partial, { source, path, onProgress: options.onProgress });
    options.onProgress('checking', 0);
    refuseDamaged(partial);
    const summary = summaryOf(partial);
    refuseDifference(before, summary);
    syncFile(partial);
    renameSync(partial, target);
    syncFile(dirname(target));
    return summary;
  } finally {
    removePartial();
    process.off('exit', removePartial);
  }
}

/** Returns what is in the source, as of the state that was copied. */
async function copyTo(
  partial: string,
  { source, path, onProgress }: { source: string; path: string } & Pick<BackupOptions, 'onProgress'>,
): Promise<Omit<DatabaseSummary, 'bytes'>> {
  const database = explained(path, () => new DatabaseSync(source, { timeout: busyTimeoutMs }));
  try {
    const content = explained(path, () => {
      // The log is the service's to copy.
      database.exec('PRAGMA wal_autocheckpoint = 0; BEGIN');
      refuseOtherProgram(database, path);
      return contentOf(database);
    });
    await backup(database, partial, {
      rate: pagesPerStep,
      progress: ({ totalPages, remainingPages }) => onProgress('copying', 1 - remainingPages / totalPages),
    });
    onProgress('copying', 1);
    database.exec('COMMIT');
    return content;
  } finally {
    database.close();
  }
}

function targetOf({ target, force, protectedFiles }: BackupOptions, source: string): string {
  const folder = dirname(target);
  if (!existsSync(folder))
    throw new StorageUnavailable(`the directory ${folder} does not exist: create it, or choose another file`);
  if (existsSync(target) && !statSync(target).isFile())
    throw new StorageUnavailable(
      `${target} is not a file: specify the file to write, such as ${join(target, 'paydesk.db')}`,
    );
  // Where it really is, although it may not exist.
  const real = existsSync(target) ? realpathSync(target) : join(realpathSync(folder), basename(target));
  const inUse = [...filesOf(source), ...protectedFiles.map((file) => (existsSync(file) ? realpathSync(file) : file))];
  if (inUse.includes(real)) throw new StorageUnavailable(`${target} is in use by Paydesk itself: choose another file`);
  if (existsSync(target) && !force)
    throw new StorageUnavailable(`${target} already exists: choose another file, or replace it with --force`);
  return real;
}

function refuseDifference(source: Omit<DatabaseSummary, 'bytes'>, copy: DatabaseSummary): void {
  const different = Object.entries(source.rows).filter(([table, rows]) => copy.rows[table] !== rows);
  if (different.length === 0 && source.migration === copy.migration) return;
  const tables = different.map(([table, rows]) => `${table} has ${copy.rows[table] ?? 0} rows instead of ${rows}`);
  throw new StorageUnavailable(`the copy differs from the database (${tables.join(', ')}): run the backup again`);
}
