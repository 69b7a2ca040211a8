// Erases old payments: see `prunePayments` of the store. Every statement names one merchant.

import { oldPaymentsSql, oldPaymentsValues, wordsOfOld } from '../old-payments.ts';
import type { Store } from '../store.ts';
import type { Query, RowsOf } from './rows.ts';

export interface PaymentPruningDeps {
  readonly query: Query;
  readonly readRows: RowsOf;
}

export function postgresPaymentPruning({ query, readRows }: PaymentPruningDeps): Pick<Store, 'prunePayments'> {
  return {
    async prunePayments(old) {
      const values = oldPaymentsValues(old, (livemode) => livemode);
      const examined = await readRows({
        ...{
          name: `prune payments: examine ${old.kind}`,
          text: oldPaymentsSql(old.kind),
          values: [...values, old.limit],
        },
      });
      const erasable = examined.filter(([, , , , isErasable]) => isErasable === true);
      const [merchantId, livemode] = values;
      const words = erasable.flatMap((row) => wordsOfOld(old.scope, named(row), (json) => json));
      const { rowCount } =
        erasable.length === 0
          ? { rowCount: 0 }
          : await query({
              name: 'prune payments',
              text: eraseSql,
              values: [
                ...[merchantId, livemode, ...[1, 2, 3].map((column) => erasable.map((row) => row[column]))],
                ...[words.map(({ period }) => period), words.map(({ word }) => word)],
                words.map(({ paymentIntentId }) => paymentIntentId),
              ],
            });
      const next = examined.length < old.limit ? null : String(examined.at(-1)?.[0]);
      return { erased: rowCount ?? 0, next };
    },
  };
}

/** The columns that follow the first five. */
const columns = ['amount', 'currency', 'metadata', 'payment_method', 'acquirer', 'customer_details', 'customer_email'];

function named(row: readonly unknown[]): Record<string, unknown> {
  return { intent_id: row[2], ...Object.fromEntries(columns.map((name, at) => [name, row[at + 5]])) };
}

/**
 * Whatever opens an operation, a refund or a dispute also changes the intent, so a payment that still has its version has nothing
 * new. One that is being changed is left for the next time.
 */
const eraseSql = `
  WITH given AS (
    SELECT session_id, intent_id, version FROM unnest($3::text[], $4::text[], $5::int[])
      AS given (session_id, intent_id, version)
  ), locked AS MATERIALIZED (
    SELECT p.id, given.session_id FROM payment_intents p
    JOIN given ON p.id = given.intent_id AND p.version = given.version
    WHERE p.merchant_id = $1 AND p.livemode = $2
    ORDER BY p.id FOR UPDATE OF p SKIP LOCKED
  ), no_refunds AS (
    DELETE FROM refunds r USING locked
    WHERE r.merchant_id = $1 AND r.livemode = $2 AND r.payment_intent_id = locked.id
  ), no_disputes AS (
    DELETE FROM disputes d USING locked
    WHERE d.merchant_id = $1 AND d.livemode = $2 AND d.payment_intent_id = locked.id
  ), no_operations AS (
    DELETE FROM operations o USING locked
    WHERE o.merchant_id = $1 AND o.livemode = $2 AND o.payment_intent_id = locked.id
  ), no_words AS (
    DELETE FROM payment_words w USING locked, unnest($6::int[], $7::bigint[], $8::text[]) AS old (period, word, id)
    WHERE w.merchant_id = $1 AND w.livemode = $2 AND w.period = old.period AND w.word = old.word
    AND w.payment_intent_id = old.id AND old.id = locked.id
  ), no_sessions AS (
    DELETE FROM checkout_sessions s USING locked
    WHERE s.merchant_id = $1 AND s.livemode = $2 AND s.id = locked.session_id
  )
  DELETE FROM payment_intents p USING locked
  WHERE p.merchant_id = $1 AND p.livemode = $2 AND p.id = locked.id`;
