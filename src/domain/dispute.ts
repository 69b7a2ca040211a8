// A dispute: the customer's bank takes a payment back, or asks about it. The provider decides about it; we only record
// what the provider reports. It changes neither the status nor the amounts of the payment.

import { hash } from 'node:crypto';
import { disputeEvent, type Event } from './event.ts';
import { base32, base32Digits } from './ids.ts';
import type { Scope } from './merchant.ts';
import type { Moment } from './moment.ts';
import type { Operation } from './operation.ts';

/** `warning`: the bank only asks, and no money was taken. */
export const disputeStatuses = ['needs_response', 'under_review', 'won', 'lost', 'warning'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

export interface Dispute extends Scope {
  readonly id: string;
  readonly version: number;
  readonly paymentIntentId: string;
  /** May be less than the payment. */
  readonly amount: number;
  readonly currency: string;
  /** The provider's word for it. */
  readonly reason: string;
  readonly status: DisputeStatus;
  /** Null: no evidence can be given. */
  readonly evidenceDueBy: number | null;
  readonly isClosed: boolean;
  /** `reference`: the provider's id of the dispute. */
  readonly acquirer: { readonly provider: string; readonly reference: string };
  /** When it was opened at the provider. */
  readonly createdAt: number;
}

/** A dispute as the provider describes it now. */
export interface ReportedDispute
  extends Pick<Dispute, 'amount' | 'currency' | 'reason' | 'status' | 'evidenceDueBy' | 'isClosed' | 'createdAt'> {
  readonly reference: string;
}

/**
 * Derived from the account and the provider's id, so that the same dispute is always the same row; the time in it keeps
 * lists in the order in which disputes were opened.
 */
export function disputeId({ acquirerId }: Pick<Operation, 'acquirerId'>, reported: ReportedDispute): string {
  const digest = hash('sha256', `dispute ${acquirerId ?? 'sandbox'} ${reported.reference}`, 'buffer');
  return `dp_${base32(Math.max(0, reported.createdAt), 10)}${base32Digits(digest).slice(0, 20)}`;
}

export interface DisputeChange {
  readonly dispute: Dispute;
  readonly events: readonly Event[];
}

/** What a report changes. Null if it says nothing new. `known`: the dispute as it was last recorded. */
export function recordDispute(
  known: Dispute | null,
  payment: Pick<Operation, 'merchantId' | 'livemode' | 'paymentIntentId' | 'acquirerId'>,
  provider: string,
  reported: ReportedDispute,
  moment: Moment,
): DisputeChange | null {
  const { reference, amount, currency, reason, status, evidenceDueBy, isClosed, createdAt } = reported;
  const now = { amount, currency, reason, status, evidenceDueBy, isClosed };
  if (known === null) {
    const { merchantId, livemode, paymentIntentId } = payment;
    const id = disputeId(payment, reported);
    const about = { merchantId, livemode, paymentIntentId, acquirer: { provider, reference } };
    const dispute: Dispute = { id, version: 0, ...about, ...now, createdAt };
    const created = disputeEvent('dispute.created', dispute, moment);
    // It can be over when it is first heard of: whoever waits for the end must hear of that, too.
    return { dispute, events: isClosed ? [created, disputeEvent('dispute.closed', dispute, moment)] : [created] };
  }
  const fields = Object.keys(now) as (keyof typeof now)[];
  if (fields.every((field) => known[field] === now[field])) return null;
  const dispute: Dispute = { ...known, ...now };
  // Also if it ends in another way than it had ended before.
  const closes = isClosed && !(known.isClosed && known.status === status);
  return { dispute, events: [disputeEvent(closes ? 'dispute.closed' : 'dispute.updated', dispute, moment)] };
}
