// The database file and the files beside it: their real paths and their access rights.

import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { makePrivateFile, makePrivateFolder } from '../private-files.ts';
import { StorageUnavailable } from '../store.ts';
import { refuseTablesOfOtherProgram } from './other-program.ts';
import { primaryCode, sqliteCodes } from './result-codes.ts';

/** Creates the file and its folder if they are missing; returns the real path of the file. */
export function makeDatabaseFile(path: string): string {
  return explained(path, () => {
    makePrivateFolder(dirname(path));
    makePrivateFile(path);
    return realFile(path);
  });
}

/** The real path of the file; refuses one that is missing or that this user cannot read. */
export function existingDatabaseFile(path: string): string {
  return explained(path, () => {
    const access = readAccessTo(path);
    if (access === 'missing') {
      throw new StorageUnavailable(
        `there is no database at ${path}. Check DATABASE_URL, and that this is the directory of the service; ` +
          'paydesk start and paydesk migrate create a new one',
      );
    }
    if (access === 'denied') {
      throw new StorageUnavailable(
        `this user cannot read the database ${path}: run the command as the user of the service`,
      );
    }
    return realFile(path);
  });
}

/** Does not open the file: closing it would release the locks that this process holds on it. */
export function readAccessTo(path: string): 'granted' | 'denied' | 'missing' {
  try {
    accessSync(path, constants.R_OK);
    return 'granted';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    if (code === 'EACCES' || code === 'EPERM') return 'denied';
    throw error;
  }
}

/**
 * The files beside the database must be the same whatever name it was opened by. SQLite resolves symbolic links, as this
 * does, but each hard link would have its own log, and lose the contents of the other.
 */
function realFile(path: string): string {
  const real = realpathSync(path);
  const stats = statSync(real);
  if (stats.isDirectory()) throw new StorageUnavailable(`${path} is a directory: set DATABASE_URL to a file in it`);
  if (!stats.isFile())
    throw new StorageUnavailable(`${path} is a device or a pipe: set DATABASE_URL to a file, such as data/paydesk.db`);
  if (stats.nlink > 1) {
    throw new StorageUnavailable(
      `${path} has another name (a hard link), through which a second process could damage it: ` +
        `remove the other name, or copy the file. To find it: find / -xdev -samefile ${real}`,
    );
  }
  return real;
}

/**
 * Refuses any other kind of file before anything is changed: a typing error must not make `/etc/hosts` unreadable. SQLite
 * reads it, because closing a file releases all locks that the process holds on it. Without locks it may see a file
 * that another process is just creating: only the first bytes count, and damage is found when the file is opened.
 */
export function refuseOtherFile(path: string): void {
  explained(path, () => {
    const real = realFile(path);
    const url = pathToFileURL(real);
    url.searchParams.set('immutable', '1');
    const database = new DatabaseSync(url, { readOnly: true });
    try {
      database.prepare('PRAGMA schema_version').get();
      // With a log, the tables may be there only.
      if (!existsSync(`${real}-wal`)) refuseTablesOfOtherProgram(database, path);
    } catch (error) {
      if (primaryCode(error) !== sqliteCodes.corrupt) throw error;
    } finally {
      database.close();
    }
  });
}

/** All files that can exist beside a database. */
export function filesOf(real: string): string[] {
  return [real, `${real}-wal`, `${real}-shm`, lockFileOf(real)];
}

export function lockFileOf(real: string): string {
  return `${real}.lock`;
}

/** Opens or migrates the file. Error messages tell the operator what to do. */
export function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StorageUnavailable || !(error instanceof Error)) throw error;
    const advice = adviceOn(error, path);
    if (advice === null) throw error;
    throw new StorageUnavailable(`the SQLite file ${path} cannot be opened: ${error.message}. ${advice}`);
  }
}

export function isDiskFull(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ENOSPC' || error.code === 'EDQUOT' || primaryCode(error) === sqliteCodes.full;
}

/** Null if the error is not about the file. */
function adviceOn(error: NodeJS.ErrnoException, path: string): string | null {
  const primary = primaryCode(error);
  if (isDiskFull(error))
    return 'The disk is full; nothing was changed. Free as much space as the size of the file, then try again.';
  if (primary === sqliteCodes.notADatabase || primary === sqliteCodes.corrupt)
    return 'Check DATABASE_URL. If it is correct, restore the file from a backup.';
  if (primary === sqliteCodes.ioError) return 'Check that the disk is neither full nor failing.';
  if (primary === sqliteCodes.busy) return 'Another process has locked it: stop that process, then try again.';
  if (primary === sqliteCodes.readOnly || primary === sqliteCodes.cannotOpen || error.syscall !== undefined) {
    const folder = dirname(path);
    return `Make the directory ${folder} and the files in it writable for this user, or set DATABASE_URL to a file elsewhere.`;
  }
  return null;
}
