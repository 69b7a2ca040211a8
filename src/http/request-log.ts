// The request log: records API requests, and streams them to those who watch.

import type { Clock, Moment } from '../domain/moment.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Store } from '../storage/store.ts';
import { type RequestTails, requestTails } from './dashboard/request-tails.ts';
import { type RequestRecorder, requestRecorder } from './request-recorder.ts';

export interface RequestLogDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly moment: () => Moment;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** 0: requests are not recorded. */
  readonly days: number;
}

export interface RequestLog {
  /** Null: requests are not recorded. */
  readonly recorder: RequestRecorder | null;
  readonly tails: RequestTails;
  /** Stores what is waiting, after the last request. */
  close(): Promise<void>;
}

export function requestLog({ log, metrics, days, ...deps }: RequestLogDeps): RequestLog {
  const { store, steadyClock } = deps;
  const onError = (err: unknown): void => log.warn({ err }, 'API requests could not be recorded');
  const recorder = days === 0 ? null : requestRecorder({ ...deps, onError });
  const tails = requestTails({
    ...{ store, steadyNow: () => steadyClock.now() },
    onError: (err) => log.warn({ err }, 'a live view of requests ended early; its reader will reconnect'),
  });
  recorder?.onStored(tails.wake);
  metrics.watchUnrecordedRequests(() => recorder?.unrecorded() ?? 0);
  return {
    recorder,
    tails,
    close: async () => {
      await recorder?.close();
    },
  };
}
