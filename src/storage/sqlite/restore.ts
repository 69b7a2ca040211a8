// Replaces the database with a backup. The backup is copied beside the database and checked there; only then is the database
// moved aside and the copy put in its place.

import { existsSync, linkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RestoreOptions, RestoreSummary } from '../backups.ts';
import { migrationsFor } from '../migrations.ts';
import { makePrivateFile, syncFile } from '../private-files.ts';
import { StorageUnavailable } from '../store.ts';
import { filesOf, makeDatabaseFile, readAccessTo } from './database-file.ts';
import { readClosedFile, refuseDamaged, refuseUnusable, summaryOf } from './inspect-file.ts';
import { takeServingLock } from './open-database.ts';
import { isBusy } from './result-codes.ts';
import { revivedAccess } from './revived-access.ts';
import { throwIfInterrupted } from './throw-if-interrupted.ts';

const busyTimeoutMs = 1_000;
const chunkBytes = 4_194_304;
const whileServing = { waitMs: 0, advice: 'Stop it first, then run paydesk restore again.' };

export async function restoreSqlite(path: string, options: RestoreOptions): Promise<RestoreSummary> {
  const { backup, now, suffix, onProgress, signal } = options;
  refuseOtherBackup(backup, path);
  refuseUnusable(backup);
  const lock = takeServingLock(path, whileServing);
  const file = makeDatabaseFile(path);
  const partial = `${file}.${suffix}.partial`;
  try {
    await copyFile(backup, partial, options);
    onProgress('checking', 0);
    refuseDamaged(partial, (problem) => new StorageUnavailable(`${backup} is damaged: ${problem}`));
    refuseUnusable(partial, backup);
    const summary = summaryOf(partial);
    await throwIfInterrupted(signal);
    const replaced = replace(
      file,
      partial,
      `${file}.replaced-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}`,
    );
    const pending = migrationsFor('sqlite').slice(summary.migration).length;
    const revived = replaced === null ? { apiKeys: [], users: [] } : revivedAccess(replaced, file);
    return { ...summary, file, replaced, pendingMigrations: pending, revived };
  } finally {
    rmSync(partial, { force: true });
    lock.release();
  }
}

function refuseOtherBackup(backup: string, path: string): void {
  const access = readAccessTo(backup);
  if (access === 'missing')
    throw new StorageUnavailable(`there is no file ${backup}: specify a file from paydesk backup`);
  if (access === 'denied')
    throw new StorageUnavailable(`this user cannot read ${backup}: give it read access to the file, then try again`);
  if (!statSync(backup).isFile())
    throw new StorageUnavailable(`${backup} is not a file: specify a file from paydesk backup`);
  const real = realpathSync(backup);
  if (existsSync(path) && filesOf(realpathSync(path)).includes(real))
    throw new StorageUnavailable(`${backup} is the database itself: specify a file from paydesk backup`);
  if ((statSync(`${real}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new StorageUnavailable(
      `${backup} is not complete by itself: ${backup}-wal belongs to it. Make a backup of it first: ` +
        `DATABASE_URL=sqlite:${backup} paydesk backup FILE`,
    );
}

async function copyFile(from: string, to: string, { onProgress, signal }: RestoreOptions): Promise<void> {
  makePrivateFile(to);
  await using source = await open(from, 'r');
  await using target = await open(to, 'r+');
  const { size } = await source.stat();
  const chunk = Buffer.alloc(chunkBytes);
  for (let copied = 0; ; ) {
    const { bytesRead } = await source.read(chunk);
    if (bytesRead === 0) break;
    await target.writeFile(chunk.subarray(0, bytesRead));
    copied += bytesRead;
    signal.throwIfAborted();
    onProgress('copying', copied / size);
  }
  await target.sync();
}

/** There is always a database at `file`: a service that is started meanwhile must not create an empty one. */
function replace(file: string, by: string, aside: string): string | null {
  if (existsSync(aside)) throw new StorageUnavailable(`${aside} already exists: wait a second, then try again`);
  const isNew = statSync(file).size === 0;
  const database = isNew || !isDatabase(file) ? null : forItsOwnUse(file);
  try {
    // The log of a file that cannot be read. SQLite would apply it to any database of that name.
    if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) renameSync(`${file}-wal`, `${aside}-wal`);
    if (!isNew) keepUnder(aside, file);
    renameSync(by, file);
    syncFile(dirname(file));
  } finally {
    database?.close();
  }
  for (const beside of ['-wal', '-shm']) rmSync(`${file}${beside}`, { force: true });
  return isNew ? null : aside;
}

/** SQLite would delete the log of a file that it cannot read. */
function isDatabase(file: string): boolean {
  try {
    readClosedFile(file, (database) => database.prepare('PRAGMA schema_version').get());
    return true;
  } catch (error) {
    if (error instanceof StorageUnavailable) return false;
    throw error;
  }
}

/** Copies the log into the file, and locks out everyone else. */
function forItsOwnUse(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    return database;
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new StorageUnavailable(`another process is using ${file}: wait until it has finished, then try again`);
  }
}

function keepUnder(aside: string, file: string): void {
  try {
    linkSync(file, aside);
  } catch (error) {
    // Not every file system has hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    renameSync(file, aside);
  }
}
