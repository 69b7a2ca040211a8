// Finds work that is due later than it can have been scheduled: its time comes from a clock that was ahead, for example
// before a restart with the clock set back. Otherwise it would wait for as long as the clock was wrong.

import type { Moment } from '../domain/moment.ts';
import { inquiryWaitsMs } from '../domain/operation.ts';
import { longestRetryMs, type RetrySchedule } from '../domain/retry-schedule.ts';
import type { Store } from '../storage/store.ts';
import { reconcileLeaseMs } from './reconcile-operations.ts';

/** Our clock never runs backward within a process, so this is mostly for the first run. */
export const endImpossibleWaitsEveryMs = 60_000;

/** How much the clocks of two processes may differ. */
const toleranceMs = 10_000;
const batch = 500;

export interface EndImpossibleWaitsDeps {
  readonly store: Pick<Store, 'endImpossibleWaits'>;
  readonly moment: () => Moment;
  readonly schedule: RetrySchedule;
  readonly deliveryLeaseMs: number;
}

/** Processes one batch; returns whether there may be more. */
export function endImpossibleWaits(deps: EndImpossibleWaitsDeps): Promise<boolean> {
  const { store, moment, schedule, deliveryLeaseMs } = deps;
  return store.endImpossibleWaits({
    now: moment().now,
    operationMs: inquiryWaitsMs.map((ms) => Math.max(ms, reconcileLeaseMs) + toleranceMs),
    firstAttemptMs: deliveryLeaseMs + toleranceMs,
    retryMs: Math.ceil(longestRetryMs(schedule)) + toleranceMs,
    limit: batch,
  });
}
