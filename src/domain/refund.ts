// Refunds of a captured payment, in full or in parts.

import { type Refusal, refuse } from './errors.ts';
import { type Event, refundEvent } from './event.ts';
import type { Moment } from './moment.ts';
import { latePaymentReason } from './operation.ts';
import type { PaymentIntent } from './payment-intent.ts';

export type RefundStatus = 'pending' | 'succeeded' | 'failed';

export interface Refund {
  readonly id: string;
  readonly merchantId: string;
  readonly livemode: boolean;
  readonly version: number;
  readonly paymentIntentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: RefundStatus;
  readonly reason: string | null;
  readonly createdAt: number;
}

export interface RefundChange {
  readonly intent: PaymentIntent;
  readonly refund: Refund;
  readonly events: readonly Event[];
}

/**
 * Reserves the amount on the Payment Intent immediately, so that concurrent refunds never exceed the captured amount.
 */
export function openRefund(
  intent: PaymentIntent,
  requested: { amount?: number; reason?: string },
  moment: Moment,
): RefundChange | Refusal {
  const left = intent.amountCaptured - intent.amountRefunded;
  if (intent.status !== 'succeeded' || left === 0) {
    return refuse(
      'payment_not_refundable',
      intent.status === 'succeeded'
        ? 'This payment has already been refunded in full.'
        : `Only a captured payment can be refunded; this one is \`${intent.status}\`.`,
    );
  }
  const amount = requested.amount ?? left;
  if (amount > left) {
    return refuse(
      'parameter_invalid',
      `\`amount\` is ${amount}, but only ${left} of this payment can still be refunded.`,
      'amount',
    );
  }
  return opened(intent, amount, requested.reason ?? null, moment);
}

/** The acquirer reports a payment that had already ended here: it is recorded as captured, and refunded in full. */
export function openLateRefund(intent: PaymentIntent, amount: number, moment: Moment): RefundChange {
  const captured = { ...intent, amountCaptured: intent.amountCaptured + amount };
  return opened(captured, amount, latePaymentReason, moment);
}

/** The same for a payment that was or can still be paid in another way: its amounts are those of that payment. */
export function openSecondRefund(intent: PaymentIntent, amount: number, moment: Moment): RefundChange {
  return { ...opened(intent, amount, latePaymentReason, moment), intent };
}

/** A refund that was made at the provider, without us. */
export function importedRefund(
  intent: PaymentIntent,
  { amount, status, reason }: { amount: number; status: 'pending' | 'succeeded'; reason: string },
  moment: Moment,
): RefundChange {
  return opened(intent, amount, reason, moment, status);
}

function opened(
  intent: PaymentIntent,
  amount: number,
  reason: string | null,
  moment: Moment,
  status: RefundStatus = 'pending',
): RefundChange {
  const refund: Refund = {
    id: moment.newId('re'),
    merchantId: intent.merchantId,
    livemode: intent.livemode,
    version: 0,
    paymentIntentId: intent.id,
    amount,
    currency: intent.currency,
    status,
    reason,
    createdAt: moment.now,
  };
  return {
    intent: { ...intent, amountRefunded: intent.amountRefunded + amount },
    refund,
    events: [refundEvent('refund.created', refund, moment)],
  };
}

/** Null if the refund has already been settled. */
export function settleRefund(
  intent: PaymentIntent,
  pending: Refund,
  outcome: 'succeeded' | 'failed',
  moment: Moment,
): RefundChange | null {
  if (pending.status !== 'pending') return null;
  const refund: Refund = { ...pending, status: outcome };
  if (outcome === 'succeeded') return { intent, refund, events: [] };
  return {
    intent: { ...intent, amountRefunded: intent.amountRefunded - refund.amount },
    refund,
    events: [refundEvent('refund.failed', refund, moment)],
  };
}
