// What settling payments and follow-ups have in common.

import type { MoneyOutcome } from '../acquirers/acquirer.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { DeclineLimits } from '../domain/decline-limits.ts';
import type { Moved } from '../domain/life-cycle.ts';
import type { Moment } from '../domain/moment.ts';
import { inquiredOffSchedule, inquiredOnSchedule, type Operation } from '../domain/operation.ts';

/** When an outcome is settled, and whether by a scheduled inquiry. */
export interface Settlement {
  readonly moment: Moment;
  readonly scheduled: boolean;
  readonly limits: DeclineLimits;
  /** The operation as it is stored. */
  readonly before: Operation;
  /** Of captures, voids and refunds: when the payment was started; null if that is not known. */
  readonly paidAt: number | null;
}

export const succeeds = ({ kind }: MoneyOutcome): boolean => kind === 'done' || kind === 'authorised';

/** The operation has its outcome. */
export function closed(operation: Operation, outcome: MoneyOutcome): Operation {
  return { ...operation, status: succeeds(outcome) ? 'succeeded' : 'failed', dueAt: null };
}

/** The operation is inquired about again; nothing is written if nothing changes. */
export function inquiredAgain(operation: Operation, { moment, scheduled, before }: Settlement): readonly Operation[] {
  const later = scheduled ? inquiredOnSchedule(operation, moment.now) : inquiredOffSchedule(operation, moment.now);
  return later === before ? [] : [later];
}

export function changesOf({ intent, session, sessionMoved, events }: Moved): ChangeSet {
  return { paymentIntents: [intent], checkoutSessions: sessionMoved ? [session] : [], events };
}
