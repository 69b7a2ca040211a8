// The serving thread's side of the checkpoint thread, which starts with the first pass: most commands and tests write too
// little to need one.

import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { CheckpointRequest, CheckpointResponse, CheckpointThreadData } from './checkpoint-thread.ts';

export interface Checkpointer {
  /** One pass at a time; returns how many pages of the log are in the database now. */
  pass(request: Exclude<CheckpointRequest, 'end'>): Promise<number>;
  /** Ends the thread. */
  end(): Promise<void>;
  /**
   * To be called after the database is closed: closing any descriptor of a file ends all locks that the process has on
   * it.
   */
  closeFile(): void;
}

/** The thread is lost: it could not be started, or it crashed. Another error: a pass failed, and the next may not. */
export class CheckpointThreadLost extends Error {
  override readonly name = 'CheckpointThreadLost';
}

export function checkpointer(path: string): Checkpointer {
  let file: number | undefined;
  let thread: Worker | undefined;
  let pending: PromiseWithResolvers<number> | undefined;

  function start(): Worker {
    file ??= openSync(path, 'r+');
    const workerData: CheckpointThreadData = { path, file };
    const started = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData });
    started.on('message', (response: CheckpointResponse) => {
      started.unref();
      if ('error' in response) pending?.reject(response.error);
      else pending?.resolve(response.copiedPages);
    });
    started.on('error', (cause) => {
      pending?.reject(new CheckpointThreadLost(`the checkpoint thread ended: ${(cause as Error).message}`, { cause }));
    });
    started.on('exit', () => {
      if (thread === started) thread = undefined;
    });
    return started;
  }

  return {
    pass(request) {
      try {
        thread ??= start();
      } catch (cause) {
        const message = `the checkpoint thread could not be started: ${(cause as Error).message}`;
        return Promise.reject(new CheckpointThreadLost(message, { cause }));
      }
      pending = Promise.withResolvers<number>();
      // It keeps the process alive only while something waits for it.
      thread.ref();
      thread.postMessage(request);
      return pending.promise;
    },
    async end() {
      if (thread === undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      thread.once('exit', () => resolve());
      thread.ref();
      thread.postMessage('end' satisfies CheckpointRequest);
      await promise;
    },
    closeFile() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
