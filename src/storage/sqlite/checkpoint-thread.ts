// The thread that copies the write-ahead log into the database, so that the serving thread does not have to. It has its
// own connection, and makes one pass for each message.

import { fdatasyncSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

export interface CheckpointThreadData {
  readonly path: string;
  /** The database file, which the serving thread opens and closes: see `checkpointer.ts`. */
  readonly file: number;
}

/** `empty` also truncates the log; it has to be requested while nothing is written. */
export type CheckpointRequest = 'copy' | 'empty' | 'end';

/** The pages in the log that are in the database too; or what went wrong. */
export type CheckpointResponse = { readonly copiedPages: number } | { readonly error: Error };

/**
 * For reads of this process, which end with their tick: writes are held back meanwhile, and another program may read for
 * minutes. A passive checkpoint does not wait.
 */
const busyTimeoutMs = 10;

const port = parentPort;
if (port !== null) {
  const { path, file } = workerData as CheckpointThreadData;
  const url = pathToFileURL(path);
  // A file that was moved away must not be created again.
  url.searchParams.set('mode', 'rw');
  const database = new DatabaseSync(url, { timeout: busyTimeoutMs });
  database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
  const passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const truncate = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');

  const pass = (request: CheckpointRequest): CheckpointResponse => {
    const copiedPages = Number(passive.get()?.checkpointed);
    if (request === 'empty') truncate.get();
    // SQLite syncs the database only when it has copied the last page of the log. Whatever is synced before does not
    // have to be synced then, while writes wait.
    else fdatasyncSync(file);
    return { copiedPages };
  };

  port.on('message', (request: CheckpointRequest) => {
    if (request === 'end') {
      database.close();
      port.close();
      return;
    }
    let response: CheckpointResponse;
    try {
      response = pass(request);
    } catch (error) {
      response = { error: error instanceof Error ? error : new Error(String(error)) };
    }
    port.postMessage(response);
  });
}
