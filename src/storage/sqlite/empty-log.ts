// Empties the write-ahead log. What was erased is still in it, and in the database until the log is copied into that.

import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './result-codes.ts';

/** Where others read or write at this moment it is left as it is, for the next time: nobody waits. */
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
