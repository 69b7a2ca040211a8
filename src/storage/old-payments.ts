// The SQL with which both engines find payments that may be erased. Within a merchant and mode, the index by status lists
// sessions in the order of their ids, which is the order of their creation, so no index by age is needed.

import type { CheckoutSessionStatus } from '../domain/checkout-session.ts';
import { type IdPrefix, idBefore } from '../domain/ids.ts';
import type { Scope } from '../domain/merchant.ts';
import { latePaymentReason } from '../domain/operation.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import { indexedWords, type PaymentWord } from '../domain/payment-word.ts';
import type { OldPayments } from './store.ts';

interface OldKind {
  readonly sessionStatus: Exclude<CheckoutSessionStatus, 'open'>;
  /** What is paged through: the rows, and the column of their ids. */
  readonly from: string;
  readonly id: string;
  readonly prefix: IdPrefix;
  /** What a payment of this kind has to fulfil. */
  readonly condition: string;
}

const bySession: Pick<OldKind, 'prefix' | 'id' | 'from'> = {
  prefix: 'cs',
  id: 's.id',
  from: `checkout_sessions s
    JOIN payment_intents p ON p.merchant_id = $1 AND p.livemode = $2 AND p.id = s.payment_intent_id
    WHERE s.merchant_id = $1 AND s.livemode = $2 AND s.status = $3`,
};

const kinds: Readonly<Record<OldPayments['kind'], OldKind>> = {
  abandoned: {
    ...{ ...bySession, sessionStatus: 'expired' },
    condition: `p.amount_captured = 0
      AND NOT EXISTS (SELECT 1 FROM refunds r WHERE ${ofPayment('r')})
      AND NOT EXISTS (SELECT 1 FROM disputes d WHERE ${ofPayment('d')})`,
  },
  completed: { ...bySession, sessionStatus: 'completed', condition: 'TRUE' },
  // By their refunds, of which few are old: most were erased with completed payments. Abandoned ones may be kept forever,
  // and be millions.
  late: {
    ...{ sessionStatus: 'expired', prefix: 're', id: 'returned.id' },
    from: `refunds returned
      JOIN payment_intents p ON p.merchant_id = $1 AND p.livemode = $2 AND p.id = returned.payment_intent_id
      JOIN checkout_sessions s ON s.merchant_id = $1 AND s.livemode = $2 AND s.id = p.checkout_session_id
      WHERE returned.merchant_id = $1 AND returned.livemode = $2`,
    condition: 's.status = $3',
  },
};

function ofPayment(table: string): string {
  return `${table}.merchant_id = $1 AND ${table}.livemode = $2 AND ${table}.payment_intent_id = p.id`;
}

/**
 * Payments in the order of their creation, with the id to continue after, the session, the intent, its version and whether
 * the payment may be erased. Money that may still move, money that should have been returned and was not, and anything
 * that happened later, keeps all of a payment. A late payment is listed once for each of its refunds.
 */
export function oldPaymentsSql(kind: OldPayments['kind']): string {
  const { from, id, condition } = kinds[kind];
  return `
  SELECT ${id} AS place, s.id AS session_id, p.id AS intent_id, p.version,
    p.status NOT IN ('requires_action', 'processing', 'requires_capture') AND p.pending_operation_id IS NULL
    AND (p.status = 'succeeded' OR p.amount_captured = p.amount_refunded)
    AND NOT EXISTS (
      SELECT 1 FROM operations o WHERE ${ofPayment('o')} AND (o.due_at IS NOT NULL OR o.created_at >= $6))
    AND NOT EXISTS (
      SELECT 1 FROM refunds r WHERE ${ofPayment('r')} AND (r.status = 'pending' OR r.created_at >= $6
        OR (r.status = 'failed' AND r.reason = '${latePaymentReason}' AND NOT EXISTS (
          SELECT 1 FROM refunds l WHERE ${ofPayment('l')} AND l.status = 'succeeded' AND l.id > r.id))))
    AND NOT EXISTS (
      SELECT 1 FROM disputes d WHERE ${ofPayment('d')} AND (NOT d.is_closed OR d.created_at >= $6))
    AND ${condition} AS erasable,
    p.amount, p.currency, p.metadata, p.payment_method, p.acquirer, p.customer_details, s.customer_email
  FROM ${from} AND ${id} > $4 AND ${id} < $5
  ORDER BY ${id} LIMIT $7`;
}

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
  { scope, kind, before, after }: OldPayments,
  mode: (livemode: boolean) => Mode,
): [string, Mode, string, string, string, number] {
  const { sessionStatus, prefix } = kinds[kind];
  return [scope.merchantId, mode(scope.livemode), sessionStatus, after, idBefore(prefix, before), before];
}
