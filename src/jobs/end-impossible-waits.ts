// Finds work that waits longer than it can have been put off. Its time comes from a clock that was ahead: the process was
// started again after the clock was set back, say. Without this it would wait for as long as the clock was wrong.

import type { Moment } from '../domain/moment.ts';
import { inquiryWaitsMs } from '../domain/operation.ts';
import { longestRetryMs, type RetrySchedule } from '../domain/retry-schedule.ts';
import type { Store } from '../storage/store.ts';
import { reconcileLeaseMs } from './reconcile-operations.ts';

/** A clock does not run backward while its process lives: mostly this is for the first run. */
export const endImpossibleWaitsEveryMs = 60_000;

/** By how much the clocks of two processes may differ. */
const toleranceMs = 10_000;
const batch = 500;

export interface EndImpossibleWaitsDeps {
  readonly store: Pick<Store, 'endImpossibleWaits'>;
  readonly moment: () => Moment;
  readonly schedule: RetrySchedule;
  readonly deliveryLeaseMs: number;
}

/** One batch; answers whether there may be more. */
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
