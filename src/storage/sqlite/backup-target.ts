// The file that a backup is written to: where it may be, and what to do if it cannot be written.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import type { BackupOptions } from '../backups.ts';
import { StorageUnavailable } from '../store.ts';
import { filesOf, isDiskFull } from './database-file.ts';
import { primaryCode, sqliteCodes } from './result-codes.ts';

/** The real path of the file. Refuses one that must not be replaced. */
export function targetOf({ target, force, protectedFiles }: BackupOptions, source: string): string {
  const folder = dirname(target);
  // Unlike existsSync, this fails if the directory is there but not accessible.
  if (statSync(folder, { throwIfNoEntry: false }) === undefined)
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

/** Explains an error of writing the file. Those of reading the database are explained where it is read. */
export function problemWith(target: string, error: unknown): unknown {
  if (error instanceof StorageUnavailable || !(error instanceof Error)) return error;
  const advice = adviceOn(error);
  if (advice === null) return error;
  const { errno }: NodeJS.ErrnoException = error;
  // The message of a system error names the temporary file.
  const reason = errno === undefined ? error.message : getSystemErrorMessage(errno);
  return new StorageUnavailable(`${target} cannot be written: ${reason}. ${advice}`, { cause: error });
}

/** Null if the error is not about the file. */
function adviceOn(error: NodeJS.ErrnoException): string | null {
  if (isDiskFull(error)) return 'Free some space, or choose another file, then try again.';
  const primary = primaryCode(error);
  if (primary === sqliteCodes.ioError) return 'Check that the disk is neither full nor failing.';
  if (primary === sqliteCodes.readOnly || primary === sqliteCodes.cannotOpen || error.syscall !== undefined)
    return 'Choose another file, in a directory that this user can write to.';
  return null;
}
