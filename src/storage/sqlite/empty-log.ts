// Empties the write-ahead log. Erased data is still in the log, and in the database until the log is copied into it.

import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './result-codes.ts';

/** Leaves the log as it is while others read or write, until the next call: nothing waits. Returns whether it is empty. */
export function emptyWriteAheadLog(database: DatabaseSync): boolean {
  const timeoutMs = Number(database.prepare('PRAGMA busy_timeout').get()?.timeout);
  database.exec('PRAGMA busy_timeout = 0');
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return false;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeoutMs}`);
  }
}
