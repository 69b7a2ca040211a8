// Refunds: never more than what was captured and not yet refunded.

import { type Intent, type Refund, refundedOf } from './books.ts';
import { isTakenBack } from './disputes.ts';
import { type Form, integer, names, required, text } from './form.ts';
import { chargeJson, refundJson } from './objects.ts';
import type { Ledger } from './payments.ts';
import { invalidRequest, refusedByState } from './stripe-error.ts';

export function createRefund(ledger: Ledger, form: Form): Refund {
  const intent = ledger.books.intent(required(text(form, 'payment_intent'), 'payment_intent'));
  const reason = text(form, 'reason') ?? null;
  if (reason !== null && !['duplicate', 'fraudulent', 'requested_by_customer'].includes(reason))
    throw invalidRequest('Invalid reason', { param: 'reason' });
  return makeRefund(ledger, intent, integer(form, 'amount'), { reason, metadata: names(form, 'metadata') });
}

export function makeRefund(
  ledger: Ledger,
  intent: Intent,
  given: number | undefined,
  { reason = null, metadata = {} }: { reason?: string | null; metadata?: Readonly<Record<string, string>> } = {},
): Refund {
  const { charge } = intent;
  if (intent.status !== 'succeeded' || charge === null)
    throw refusedByState('This PaymentIntent does not have a successful charge to refund.', {
      code: 'payment_intent_unexpected_state',
    });
  const disputed = [...ledger.books.disputes.values()].some((one) => one.intent === intent && isTakenBack(one));
  if (disputed) throw refusedByState(`Charge ${charge.id} has been charged back.`, { code: 'charge_disputed' });
  const left = charge.captured - refundedOf(ledger.books, intent);
  if (left === 0)
    throw refusedByState(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const amount = given ?? left;
  if (amount < 1 || amount > left)
    throw refusedByState(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, {
      param: 'amount',
    });
  const behaviour = charge.method.card.refund;
  const refund: Refund = {
    id: ledger.books.newId('re'),
    created: ledger.now(),
    intent,
    amount,
    metadata,
    reason,
    isRelease: false,
    status: behaviour === 'pending' ? 'pending' : 'succeeded',
    failureReason: null,
  };
  ledger.books.refunds.set(refund.id, refund);
  ledger.emit('refund.created', refundJson(refund));
  ledger.emit('charge.refunded', chargeJson(ledger, charge));
  // The test card of Stripe's whose refunds succeed at first and fail later.
  if (behaviour === 'fails') settleRefund(ledger, refund, 'failed');
  return refund;
}

export function settleRefund(ledger: Ledger, refund: Refund, status: 'succeeded' | 'failed'): void {
  refund.status = status;
  refund.failureReason = status === 'failed' ? 'expired_or_canceled_card' : null;
  ledger.emit('refund.updated', refundJson(refund));
  if (status === 'failed') ledger.emit('refund.failed', refundJson(refund));
}
