// Time and randomness. They are passed in, so that tests are fast and deterministic.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that time; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs the work after that time, unless the returned function is called first. */
  timer(ms: number, work: () => void): () => void;
  /** From 0 up to, not including, 1. */
  random(): number;
  newIdempotencyKey(): string;
}

/** Node's timers fire immediately beyond this. About 24 days. */
export const maxTimerMs = 2 ** 31 - 1;

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await pause(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
  timer(ms, work) {
    const id = setTimeout(work, ms);
    return () => clearTimeout(id);
  },
  random: () => Math.random(),
  newIdempotencyKey: () => randomUUID(),
};
