// Empties the write-ahead log. Erased data is still in the log, and in the database until the log is copied into it.

import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './result-codes.ts';

/** Leaves the log as it is while others read or write, until the next call: nothing waits. */
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
