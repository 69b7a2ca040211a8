// Operations: what we ask an acquirer to do. Each is committed before it is asked, under the id that it is asked with,
// so that after a crash or a silence we know what to inquire about, and nothing is ever charged twice.

import { hash } from 'node:crypto';
import type { CountedAttempt } from './attempt-counts.ts';
import { base32Digits } from './ids.ts';
import type { Scope } from './merchant.ts';
import type { Moment } from './moment.ts';
import type { PaymentMethod } from './payment-intent.ts';

/** Of a void that no merchant asked for: the authorisation was not captured in time. */
export const lapseReason = 'authorization_expired';

export type OperationKind = 'payment' | 'capture' | 'void' | 'refund';

/** `action_needed`: a payment waits for the customer. `pending`: asked, or about to be. The others are final. */
export type OperationStatus = 'action_needed' | 'pending' | 'succeeded' | 'failed';

export interface Operation {
  readonly id: string;
  readonly merchantId: string;
  readonly livemode: boolean;
  readonly version: number;
  readonly kind: OperationKind;
  readonly status: OperationStatus;
  readonly paymentIntentId: string;
  readonly checkoutSessionId: string;
  readonly amount: number;
  /** A payment's. */
  readonly paymentMethod: PaymentMethod | null;
  readonly actionUrl: string | null;
  /** A refund's. */
  readonly refundId: string | null;
  /** A void's: why the merchant cancels, or `lapseReason`. */
  readonly reason: string | null;
  /** The request with an Idempotency-Key that began it; null without a key, and for those of earlier versions. */
  readonly requestFingerprint: string | null;
  /** A payment's by card, while it is under way: then nothing tells the card again but its last digits. */
  readonly attempt: CountedAttempt | null;
  /** When to ask the acquirer about it, unless it settles before; null when it has its outcome. */
  readonly dueAt: number | null;
  readonly inquiries: number;
  readonly createdAt: number;
}

/** Longer than a call to the acquirer can take: who asks then does not meet the call itself. */
export const firstInquiryAfterMs = 15_000;
/** After a silence, or while the acquirer says `pending`. */
const inquiryDelaysMs = [1_000, 2_000, 3_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000];

/** The longest that an operation waits for the next inquiry, by the number of those that were made. */
export const inquiryWaitsMs: readonly number[] = inquiryDelaysMs.map((ms) => Math.max(ms, firstInquiryAfterMs));

/** Forever, but ever more rarely: an outcome is never guessed. */
function nextInquiryAt(inquiries: number, now: number): number {
  return now + (inquiryDelaysMs[Math.min(inquiries, inquiryDelaysMs.length - 1)] ?? 0);
}

/** The job has inquired, and the outcome is not known yet. */
export function inquiredOnSchedule(operation: Operation, now: number): Operation {
  const { inquiries } = operation;
  return { ...operation, dueAt: nextInquiryAt(inquiries, now), inquiries: inquiries + 1 };
}

/**
 * Somebody else has asked, as often as they like: a merchant that repeats a request, a customer that comes back. That
 * brings the next inquiry as near as the schedule has it after a silence, and never puts it off.
 */
export function askedBetween(operation: Operation, now: number): Operation {
  const dueAt = nextInquiryAt(operation.inquiries, now);
  return operation.dueAt !== null && operation.dueAt <= dueAt ? operation : { ...operation, dueAt };
}

export type NewOperation = Pick<Operation, 'kind' | 'paymentIntentId' | 'checkoutSessionId' | 'amount'> &
  Partial<Pick<Operation, 'paymentMethod' | 'actionUrl' | 'refundId' | 'reason' | 'attempt'>>;

export function newOperation(id: string, scope: Scope, made: NewOperation, moment: Moment): Operation {
  const waits = made.actionUrl != null;
  return {
    paymentMethod: null,
    actionUrl: null,
    refundId: null,
    reason: null,
    requestFingerprint: null,
    attempt: null,
    ...made,
    id,
    merchantId: scope.merchantId,
    livemode: scope.livemode,
    version: 0,
    status: waits ? 'action_needed' : 'pending',
    dueAt: moment.now + firstInquiryAfterMs,
    inquiries: 0,
    createdAt: moment.now,
  };
}

/**
 * The id of an operation that a request with an Idempotency-Key asks for: the same each time, so that a retry after a
 * crash goes on with the operation that was begun.
 */
export function operationIdForKey(scope: Scope, key: string): string {
  const digest = hash('sha256', `operation ${scope.merchantId} ${scope.livemode} ${key}`, 'buffer');
  return `op_${base32Digits(digest).slice(0, 30)}`;
}
