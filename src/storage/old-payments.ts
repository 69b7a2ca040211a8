// The SQL with which both engines find payments that may be erased. Within a merchant and mode, the index by status lists
// sessions in the order of their ids, which is the order of their creation, so no index by age is needed.

import { idBefore } from '../domain/ids.ts';
import type { Scope } from '../domain/merchant.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import { indexedWords, type PaymentWord } from '../domain/payment-word.ts';
import type { OldPayments } from './store.ts';

/**
 * Sessions in the order of their creation, with the intent, its version and whether the payment may be erased. Money that
 * may still move, and anything that happened later, keeps all of a payment.
 */
export const oldPaymentsSql = `
  SELECT s.id AS session_id, p.id AS intent_id, p.version,
    p.status NOT IN ('requires_action', 'processing', 'requires_capture') AND p.pending_operation_id IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM operations o
      WHERE o.merchant_id = $1 AND o.livemode = $2 AND o.payment_intent_id = p.id
      AND (o.due_at IS NOT NULL OR o.created_at >= $6))
    AND NOT EXISTS (
      SELECT 1 FROM refunds r
      WHERE r.merchant_id = $1 AND r.livemode = $2 AND r.payment_intent_id = p.id
      AND (r.status = 'pending' OR r.created_at >= $6))
    AND NOT EXISTS (
      SELECT 1 FROM disputes d
      WHERE d.merchant_id = $1 AND d.livemode = $2 AND d.payment_intent_id = p.id
      AND (NOT d.is_closed OR d.created_at >= $6)) AS erasable,
    p.amount, p.currency, p.metadata, p.payment_method, p.acquirer, p.customer_details, s.customer_email
  FROM checkout_sessions s
  JOIN payment_intents p ON p.merchant_id = $1 AND p.livemode = $2 AND p.id = s.payment_intent_id
  WHERE s.merchant_id = $1 AND s.livemode = $2 AND s.status = $3 AND s.id > $4 AND s.id < $5
  ORDER BY s.id LIMIT $7`;

/** The words of an erased payment, from its row: they are removed from the index with it. */
export function wordsOfOld(
  { merchantId, livemode }: Scope,
  row: Readonly<Record<string, unknown>>,
  fromJson: (value: unknown) => unknown,
): PaymentWord[] {
  const read = (value: unknown): unknown => (value === null ? null : fromJson(value));
  const intent = {
    ...{ merchantId, livemode, id: String(row.intent_id) },
    ...{ amount: Number(row.amount), currency: String(row.currency) },
    metadata: read(row.metadata) as PaymentIntent['metadata'],
    paymentMethod: read(row.payment_method) as PaymentIntent['paymentMethod'],
    acquirer: read(row.acquirer) as PaymentIntent['acquirer'],
    customerDetails: read(row.customer_details) as PaymentIntent['customerDetails'],
  };
  return indexedWords({ intent, session: { customerEmail: row.customer_email as string | null } });
}

/** All values but the last, the limit. */
export function oldPaymentsValues<Mode>(
  { scope, sessionStatus, before, after }: OldPayments,
  mode: (livemode: boolean) => Mode,
): [string, Mode, string, string, string, number] {
  return [scope.merchantId, mode(scope.livemode), sessionStatus, after, idBefore('cs', before), before];
}
