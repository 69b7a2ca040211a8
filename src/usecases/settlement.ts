// What settling payments and follow-ups have in common.

import type { MoneyOutcome } from '../acquirers/acquirer.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { DeclineLimits } from '../domain/decline-limits.ts';
import type { Moved } from '../domain/life-cycle.ts';
import type { Moment } from '../domain/moment.ts';
import { inquiredOffSchedule, inquiredOnSchedule, type Operation, withStep } from '../domain/operation.ts';
import { type FailureCode, paymentErrorFor } from '../domain/payment-error.ts';
import type { PaymentError } from '../domain/payment-intent.ts';

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
export function closed(operation: Operation, outcome: MoneyOutcome, now: number): Operation {
  if (succeeds(outcome)) {
    const step = outcome.kind === 'authorised' ? 'authorised' : 'succeeded';
    return withStep({ ...operation, status: 'succeeded', dueAt: null }, { at: now, step });
  }
  const { message: _, ...why } = errorOf(outcome, operation);
  return withStep({ ...operation, status: 'failed', dueAt: null }, { at: now, step: 'failed', ...why });
}

/** Why an operation failed. */
export function errorOf(outcome: MoneyOutcome, { paymentMethod }: Operation): PaymentError {
  if (outcome.kind === 'declined') return paymentErrorFor(outcome.decline.code, outcome.decline.providerCode);
  if (outcome.kind !== 'abandoned') return paymentErrorFor('processing_error');
  const failed: FailureCode = paymentMethod?.type === 'card' ? 'authentication_failed' : 'bank_declined';
  return paymentErrorFor(outcome.reason === 'canceled' ? 'customer_canceled' : failed);
}

/** The operation is inquired about again; nothing is written if nothing changes. */
export function inquiredAgain(operation: Operation, { moment, scheduled, before }: Settlement): readonly Operation[] {
  const later = scheduled ? inquiredOnSchedule(operation, moment.now) : inquiredOffSchedule(operation, moment.now);
  return later === before ? [] : [later];
}

export function changesOf({ intent, session, sessionMoved, events }: Moved): ChangeSet {
  return { paymentIntents: [intent], checkoutSessions: sessionMoved ? [session] : [], events };
}
