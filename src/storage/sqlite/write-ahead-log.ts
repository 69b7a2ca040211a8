// Keeps the write-ahead log of a serving process short. A thread copies it into the database as it grows, so that neither
// the copying nor the sync to disk holds up the event loop.
//
// A log starts over when all of it is copied and nothing reads it. If writes never pause, that never happens. Therefore they
// are held back for the last pages: they wait in the group commit, while everything else continues.

import type { DatabaseSync } from 'node:sqlite';
import { CheckpointThreadLost, checkpointer } from './checkpointer.ts';
import { emptyWriteAheadLog } from './empty-log.ts';
import { checkpointPages } from './open-database.ts';
import { isBusy } from './result-codes.ts';

export interface LogLimits {
  /**
   * Copied in small parts, because a commit waits for the disk if much is being synced to it. Measured with a million
   * payments and 64 writers on a busy machine, p99 of a commit: 19 ms at 16 000 pages, 16 ms at 1 000, 9 ms at 250.
   */
  readonly copyEveryPages: number;
  /** From here on, the log should start over. Pages that are written often are then copied less often. */
  readonly restartPages: number;
  /** How much may be left to copy when writes are held back: usually about 10 ms. */
  readonly heldPages: number;
  /** It never grows beyond this, and what one transaction writes, unless another program keeps it from starting over. */
  readonly maxPages: number;
}

const usualLimits: LogLimits = {
  copyEveryPages: 250,
  restartPages: checkpointPages,
  heldPages: 250,
  maxPages: 4 * checkpointPages,
};
const passesBeforeRestart = 4;
/** A pass stops where one of our own reads began, and they end with their tick. */
const passesWhileHeld = 4;
const pageBytes = 4_096;

export interface WriteAheadLog {
  /** To be called after every commit. */
  grew(): void;
  /** Removes its contents. False: another program is reading it, so it has to be tried again later. */
  empty(): Promise<boolean>;
  /** Ends the thread; to be called before the database is closed. */
  end(): Promise<void>;
  /** To be called after the database is closed. */
  closeFile(): void;
}

export interface WriteAheadLogDeps {
  readonly database: DatabaseSync;
  readonly path: string;
  /** Ends the transaction that reads share. */
  readonly endReading: () => void;
  /** Holds back all writes until the returned function is called. */
  readonly holdWrites: () => () => void;
  readonly onNotice: (message: string) => void;
  readonly limits?: LogLimits | undefined;
}

export function writeAheadLog(deps: WriteAheadLogDeps): WriteAheadLog {
  const { database, path, endReading, holdWrites, onNotice } = deps;
  const { copyEveryPages, restartPages, heldPages, maxPages } = deps.limits ?? usualLimits;
  const thread = checkpointer(path);
  const currentSize = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  /** Resolves to whether it succeeded; null while nothing runs. */
  let working: Promise<boolean> | null = null;
  let lastSize = { pages: 0, copiedPages: 0 };
  let triedAtPages = 0;
  let isHoldingAll = false;
  /** Holding back writes did not help until here. */
  let inVainUntilPages = 0;
  let state: 'fine' | 'failing' | 'thread lost' = 'fine';
  database.exec('PRAGMA wal_autocheckpoint = 0');

  function size(): typeof lastSize {
    // SQLite cannot tell within a transaction.
    endReading();
    try {
      const found = currentSize.get();
      lastSize = { pages: Number(found?.log), copiedPages: Number(found?.checkpointed) };
    } catch (error) {
      // Another program has locked it; the next commit tries again.
      if (!isBusy(error)) throw error;
    }
    return lastSize;
  }

  async function copy(): Promise<void> {
    for (let pass = 0; pass < passesBeforeRestart; pass++) {
      const copiedPages = await thread.pass('copy');
      const { pages } = size();
      if (pages < restartPages) return;
      if (pages - copiedPages <= heldPages) {
        await copyWhileHeld('copy');
        return;
      }
    }
  }

  /** Returns whether the log is empty then. */
  async function copyWhileHeld(request: 'copy' | 'empty'): Promise<boolean> {
    const release = holdWrites();
    try {
      // One that empties it waits for all readers by itself.
      const passes = request === 'copy' ? passesWhileHeld : 1;
      for (let pass = 0; pass < passes; pass++) {
        await thread.pass(request);
        const { pages, copiedPages } = size();
        if (copiedPages >= pages) return pages === 0;
      }
      return false;
    } finally {
      release();
    }
  }

  /** The limit is reached: nothing is written until everything is copied. */
  async function holdUntilCopied(): Promise<void> {
    isHoldingAll = true;
    const release = holdWrites();
    const grownTo = `${Math.round((size().pages * pageBytes) / 1_000_000)} MB`;
    try {
      while (working !== null) await working;
      if (await work(() => copyWhileHeld('copy'))) report(grownTo);
    } finally {
      release();
      isHoldingAll = false;
    }
  }

  function report(grownTo: string): void {
    const { pages, copiedPages } = size();
    if (copiedPages >= pages) {
      onNotice(
        `writes had to wait until the write-ahead log was copied into ${path}: it had grown to ${grownTo}, ` +
          'because data arrives faster than the disk can store it',
      );
      return;
    }
    inVainUntilPages = 2 * pages;
    onNotice(
      `the write-ahead log of ${path} has grown to ${grownTo}: another program, such as a backup, has been reading the ` +
        'file for a long time. The log can start over when that program has finished',
    );
  }

  function failed(error: unknown): boolean {
    if (error instanceof CheckpointThreadLost) {
      state = 'thread lost';
      // SQLite then copies the log itself, within a commit.
      database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
      onNotice(`${error.message}. Requests will wait while the write-ahead log is copied: restart the service`);
    } else if (state === 'fine') {
      state = 'failing';
      onNotice(`the write-ahead log could not be copied into ${path}: ${(error as Error).message}. It will be retried`);
    }
    return false;
  }

  function work(job: () => Promise<unknown>): Promise<boolean> {
    working = job()
      .then(() => {
        state = 'fine';
        return true;
      }, failed)
      .finally(() => {
        working = null;
        triedAtPages = size().pages;
      });
    return working;
  }

  return {
    grew() {
      if (state === 'thread lost') return;
      const copiedBefore = lastSize.copiedPages;
      const { pages, copiedPages } = size();
      if (pages < triedAtPages || copiedPages < copiedBefore) {
        // It has started over.
        triedAtPages = 0;
        inVainUntilPages = 0;
      }
      if (pages >= Math.max(maxPages, inVainUntilPages) && !isHoldingAll) void holdUntilCopied();
      else if (working === null && pages - triedAtPages >= copyEveryPages) void work(copy);
    },
    async empty() {
      while (working !== null) await working;
      if (state === 'thread lost') return emptyWriteAheadLog(database);
      let isEmpty = false;
      await work(async () => {
        // Most of it is copied before writes are held back.
        await thread.pass('copy');
        isEmpty = await copyWhileHeld('empty');
      });
      return isEmpty;
    },
    async end() {
      while (working !== null) await working;
      await thread.end();
    },
    closeFile: thread.closeFile,
  };
}
