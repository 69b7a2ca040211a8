// Operations: requests to an acquirer. Each is committed before it is sent, under the id that it is sent with, so that
// after a crash or a timeout we know what to inquire about, and nothing is ever charged twice.

import { hash } from 'node:crypto';
import type { CountedAttempt } from './attempt-counts.ts';
import { base32Digits } from './ids.ts';
import type { Scope } from './merchant.ts';
import type { Moment } from './moment.ts';
import type { PaymentMethod } from './payment-intent.ts';

/** The reason of a void that no merchant requested: the authorisation was not captured in time. */
export const lapseReason = 'authorization_expired';

/** The reason of a refund or void that no merchant requested: the payment had already ended here. */
export const latePaymentReason = 'late_payment';

/** The same, if the payment was or can still be paid in another way: its amounts do not include this money. */
export const secondPaymentReason = 'second_payment';

/** The reason of a refund that was made at the provider, without us. */
export const importReason = 'acquirer';

export type OperationKind = 'payment' | 'capture' | 'void' | 'refund';

/** `action_needed`: a payment waits for the customer. `pending`: sent, or about to be. The others are final. */
export type OperationStatus = 'action_needed' | 'pending' | 'succeeded' | 'failed';

/**
 * What happened to an operation after it was created. `authorised`: the payment is held, to be captured. `code` and
 * `decline_code`: why it failed, as in the error of the payment.
 */
export interface OperationStep {
  readonly at: number;
  readonly step: 'action_needed' | 'action_done' | 'authorised' | 'succeeded' | 'failed';
  readonly code?: string;
  readonly decline_code?: string;
}

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
  /** Payments only. */
  readonly paymentMethod: PaymentMethod | null;
  readonly actionUrl: string | null;
  /** Refunds only. */
  readonly refundId: string | null;
  /** Voids: the merchant's reason for canceling, or one of the above. Refunds: only one of the above. */
  readonly reason: string | null;
  /** The account that it is made with; null: the sandbox. */
  readonly acquirerId: string | null;
  /** The acquirer's id of it; null until the acquirer gave one. */
  readonly acquirerReference: string | null;
  /** What the acquirer's connector has to remember about it; nothing else reads it. */
  readonly acquirerState: Readonly<Record<string, unknown>> | null;
  /** Captures, voids and refunds: the payment. Null for operations of earlier versions, then it is the intent's. */
  readonly paymentOperationId: string | null;
  /**
   * Identifies the request with an Idempotency-Key that started it; null without a key, and for operations of earlier
   * versions.
   */
  readonly requestFingerprint: string | null;
  /** Card payments only, while in progress. Once it is cleared, only the last digits still identify the card. */
  readonly attempt: CountedAttempt | null;
  /** Payments: the language of the page that the customer paid on; null for operations of earlier versions. */
  readonly locale: string | null;
  /** When to ask the acquirer about it, unless it settles before; null once the outcome is known. */
  readonly dueAt: number | null;
  readonly inquiries: number;
  /** Since when the acquirer has not told what became of it; null if it has, or was not asked yet. */
  readonly unknownSince: number | null;
  /** Oldest first; null for operations of earlier versions. */
  readonly history: readonly OperationStep[] | null;
  readonly createdAt: number;
}

/** A customer can be sent back to a challenge any number of times: the first steps and the last ones are kept. */
const maxSteps = 20;

export function withStep(operation: Operation, step: OperationStep): Operation {
  const history = operation.history ?? [];
  const kept = history.length < maxSteps ? history : history.toSpliced(maxSteps - 1);
  return { ...operation, history: [...kept, step] };
}

/** Longer than a call to the acquirer can take, so that the inquiry does not overlap with the call itself. */
export const firstInquiryAfterMs = 15_000;
/** After a timeout, or while the acquirer responds `pending`. */
const inquiryDelaysMs = [1_000, 2_000, 3_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000];

/** The longest wait for the next inquiry, by the number of inquiries made. */
export const inquiryWaitsMs: readonly number[] = inquiryDelaysMs.map((ms) => Math.max(ms, firstInquiryAfterMs));

/** Inquiries never stop, they only become rarer: an outcome is never guessed. */
function nextInquiryAt(inquiries: number, now: number): number {
  return now + (inquiryDelaysMs[Math.min(inquiries, inquiryDelaysMs.length - 1)] ?? 0);
}

/** The job has inquired, and the outcome is not known yet. */
export function inquiredOnSchedule(operation: Operation, now: number): Operation {
  const { inquiries } = operation;
  return { ...operation, dueAt: nextInquiryAt(inquiries, now), inquiries: inquiries + 1 };
}

/**
 * An inquiry outside the schedule: a merchant repeats a request, or a customer returns, as often as they like. It may
 * bring the next scheduled inquiry forward, and never delays it.
 */
export function inquiredOffSchedule(operation: Operation, now: number): Operation {
  const dueAt = nextInquiryAt(operation.inquiries, now);
  return operation.dueAt !== null && operation.dueAt <= dueAt ? operation : { ...operation, dueAt };
}

/**
 * `silent`: the acquirer did not respond. Otherwise it did, and `isKnown` tells whether it knows the operation. A refund or
 * void of a late payment may have waited long to be sent, which is no reason to wait long after the first silence too.
 */
export function afterAsking(operation: Operation, isKnown: boolean | 'silent', now: number): Operation {
  const { unknownSince } = operation;
  if (isKnown === 'silent') {
    if (unknownSince !== null) return operation;
    const inquiries = isForLatePayment(operation) ? 0 : operation.inquiries;
    return { ...operation, unknownSince: now, inquiries };
  }
  return unknownSince === null || !isKnown ? operation : { ...operation, unknownSince: null };
}

/** A new operation that is not sent before this much time has passed, at most an hour. */
export function sentAfter(operation: Operation, delayMs: number, now: number): Operation {
  // A count with which it can wait this long: see `inquiryWaitsMs`.
  const inquiries = inquiryDelaysMs.findIndex((ms) => ms >= delayMs);
  return { ...operation, dueAt: now + delayMs, inquiries };
}

export type NewOperation = Pick<Operation, 'kind' | 'paymentIntentId' | 'checkoutSessionId' | 'amount'> &
  Partial<
    Pick<
      Operation,
      | 'paymentMethod'
      | 'actionUrl'
      | 'refundId'
      | 'reason'
      | 'attempt'
      | 'acquirerId'
      | 'acquirerReference'
      | 'acquirerState'
      | 'paymentOperationId'
      | 'locale'
    >
  >;

export function newOperation(id: string, scope: Scope, fields: NewOperation, moment: Moment): Operation {
  const waits = fields.actionUrl != null;
  return {
    paymentMethod: null,
    actionUrl: null,
    refundId: null,
    reason: null,
    acquirerId: null,
    acquirerReference: null,
    acquirerState: null,
    paymentOperationId: null,
    requestFingerprint: null,
    attempt: null,
    locale: null,
    ...fields,
    id,
    merchantId: scope.merchantId,
    livemode: scope.livemode,
    version: 0,
    status: waits ? 'action_needed' : 'pending',
    dueAt: moment.now + firstInquiryAfterMs,
    inquiries: 0,
    unknownSince: null,
    history: waits ? [{ at: moment.now, step: 'action_needed' }] : [],
    createdAt: moment.now,
  };
}

/** The fields by which a capture, void or refund refers to its payment: it is made with the same account. */
export function ofPayment(payment: Operation | null): Pick<Operation, 'acquirerId' | 'paymentOperationId'> {
  return { acquirerId: payment?.acquirerId ?? null, paymentOperationId: payment?.id ?? null };
}

/** A refund or void of a payment that had already ended here: it is sent until the acquirer has answered. */
export function isForLatePayment({ kind, reason }: Pick<Operation, 'kind' | 'reason'>): boolean {
  const returnsMoney = reason === latePaymentReason || reason === secondPaymentReason;
  return (kind === 'refund' || kind === 'void') && returnsMoney;
}

/**
 * The id of the operation for a request with an Idempotency-Key: always the same, so that a retry after a crash
 * continues the operation that was started.
 */
export function operationIdForKey(scope: Scope, key: string): string {
  const digest = hash('sha256', `operation ${scope.merchantId} ${scope.livemode} ${key}`, 'buffer');
  return `op_${base32Digits(digest).slice(0, 30)}`;
}

/** The id of the operation for a refund that was made at the provider: always the same, so that it is imported once. */
export function importedRefundId(payment: Operation, reference: string): string {
  const digest = hash('sha256', `imported refund ${payment.acquirerId} ${payment.id} ${reference}`, 'buffer');
  return `op_${base32Digits(digest).slice(0, 30)}`;
}
