// The index of words: see `payments` of the store. Periods are searched from the newest on, more of them in each step: a
// word that many payments have is found in the first one. Every statement names one merchant.

import { periodOf } from '../../domain/payment-word.ts';
import { afterAllIds, oldestPayments } from '../payment-words.ts';
import type { PaymentLists } from '../store.ts';
import type { Query, RowsOf } from './rows.ts';

/** The number of periods in one statement; the last applies to all further ones. */
const periodsAtOnce = [4, 32, 256];

export interface PaymentWordsDeps {
  readonly query: Query;
  readonly readRows: RowsOf;
}

export function postgresPaymentWords({
  query,
  readRows,
}: PaymentWordsDeps): Pick<PaymentLists, 'byWords' | 'oldest' | 'eraseWords'> {
  return {
    async byWords({ merchantId, livemode }, words, before, limit) {
      const scope = [merchantId, livemode];
      const [periods] = await readRows({ name: 'periods of words', text: periodsSql, values: scope });
      if (typeof periods?.[0] !== 'number') return [];
      const [first, last] = periods as [number, number];
      const found: string[] = [];
      let period = before === undefined ? last : Math.min(last, periodOf(before));
      for (let step = 0; period >= first && found.length < limit; step++) {
        const count = Math.min(periodsAtOnce[step] ?? periodsAtOnce.at(-1) ?? 1, period - first + 1);
        const range = Array.from({ length: count }, (_, at) => period - at);
        const values = [...scope, range, words, before ?? afterAllIds, limit];
        const rows = await readRows({ name: 'payments by words', text: byWordsSql, values });
        found.push(...new Set(rows.map(([id]) => String(id))));
        period -= count;
      }
      return found.slice(0, limit);
    },
    async oldest({ merchantId, livemode }, after, before, limit) {
      const values = [merchantId, livemode, after, before, limit];
      const rows = await readRows({ name: 'oldest payments', text: oldestPayments, values });
      return rows.map(([id]) => String(id));
    },
    async eraseWords(words) {
      const [first] = words;
      if (first === undefined) return;
      await query({
        name: 'erase words',
        text: eraseSql,
        values: [
          ...[first.merchantId, first.livemode, words.map(({ period }) => period), words.map(({ word }) => word)],
          words.map(({ paymentIntentId }) => paymentIntentId),
        ],
      });
    },
  };
}

const periodsSql = `
  SELECT
    (SELECT period FROM payment_words WHERE merchant_id = $1 AND livemode = $2 ORDER BY period LIMIT 1) AS first,
    (SELECT period FROM payment_words WHERE merchant_id = $1 AND livemode = $2 ORDER BY period DESC LIMIT 1) AS last`;

const byWordsSql = `
  SELECT found.id FROM unnest($3::int[]) AS p (period) CROSS JOIN unnest($4::bigint[]) AS w (word)
  CROSS JOIN LATERAL (
    SELECT payment_intent_id AS id FROM payment_words t
    WHERE t.merchant_id = $1 AND t.livemode = $2 AND t.period = p.period AND t.word = w.word
    AND t.payment_intent_id < $5 ORDER BY t.payment_intent_id DESC LIMIT $6) found
  ORDER BY found.id DESC LIMIT $6`;

const eraseSql = `
  DELETE FROM payment_words t USING unnest($3::int[], $4::bigint[], $5::text[]) AS given (period, word, id)
  WHERE t.merchant_id = $1 AND t.livemode = $2 AND t.period = given.period AND t.word = given.word
  AND t.payment_intent_id = given.id`;
