// What SQLite's errors mean.

import { StorageUnavailable } from '../store.ts';

export const sqliteCodes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  full: 13,
  cannotOpen: 14,
  corrupt: 11,
  notADatabase: 26,
} as const;

/** The extended code; 0 if the error is not from SQLite. */
export function resultCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
}

/** The code without its extension. */
export function primaryCode(error: unknown): number {
  return resultCode(error) & 0xff;
}

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === sqliteCodes.busy;
}

/**
 * While another process locks the file, or the disk cannot read it, storage is unavailable. SQLite reports some errors of the
 * disk as corruption.
 */
export function asUnavailable(error: unknown): unknown {
  const code = primaryCode(error);
  if (code === sqliteCodes.busy)
    return new StorageUnavailable('another process has locked the SQLite file', { cause: error });
  if (code === sqliteCodes.ioError || code === sqliteCodes.corrupt)
    return new StorageUnavailable(`the SQLite file could not be read: ${(error as Error).message}`, { cause: error });
  return error;
}

export function orUnavailable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asUnavailable(error);
  }
}
