// How a serving process ends: gracefully on a signal or on request, immediately on an unhandled error.

import type { App } from '../app.ts';
import type { Logging } from '../log.ts';

/** Requests still in flight by then are aborted: the process must be gone after 15 s. */
const shutdownMs = 13_000;

export interface Stopping {
  /** Resolves with the exit code when everything is closed. */
  readonly stopped: Promise<number>;
  stop(fields: Readonly<Record<string, unknown>>, hasSuccessor?: boolean): void;
  /** Ends the grace period. */
  hurry(fields: Readonly<Record<string, unknown>>): void;
}

export function stoppingOf({ close, hurry }: Pick<App, 'close' | 'hurry'>, { log, finish }: Logging): Stopping {
  const { promise, resolve } = Promise.withResolvers<number>();
  const exit = (code: number): void => {
    finish();
    resolve(code);
  };
  let stopping = false;
  return {
    stopped: promise,
    stop(fields, hasSuccessor = false) {
      if (stopping) return;
      stopping = true;
      log.info(fields, 'stopping: finishing the requests in flight');
      setTimeout(() => {
        log.warn('requests in flight did not finish in time and were aborted');
        finish();
        process.exit(0);
      }, shutdownMs).unref();
      close({ hasSuccessor }).then(
        () => {
          log.info('stopped');
          exit(0);
        },
        (err: unknown) => {
          log.error({ err }, 'stopping failed');
          exit(1);
        },
      );
    },
    hurry(fields) {
      if (stopping) log.info(fields, 'stopping without further grace');
      hurry();
    },
  };
}

export function crashOnUnhandledErrors({ log, finish }: Logging): void {
  const crash = (err: unknown): void => {
    log.fatal({ err }, 'unhandled error: the process exits; everything committed is safe');
    finish();
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}
