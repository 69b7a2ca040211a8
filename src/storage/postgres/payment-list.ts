// Lists of payments by any combination of filters: see `payments` of the store. Every statement names one merchant.

import { disputedSql, type ExaminedSql, examinedSql, idsIn, type PaymentDialect, toExamine } from '../payment-list.ts';
import type { PaymentLists } from '../store.ts';
import { type PaymentWordsDeps, postgresPaymentWords } from './payment-words.ts';
import { statementName } from './statement-name.ts';

const dialect: PaymentDialect = {
  methodType: (payment) => `${payment}.payment_method ->> 'type'`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  boolean: (value) => value,
  asText: (column) => `coalesce(${column}::text, '')`,
  idsOf: (condition) => `json_agg(id ORDER BY id DESC) FILTER (WHERE ${condition})`,
};

/** Payments examined at once for a page: one that is full early does not read all that it may. */
const idsAtOnce = 2_000;

export function postgresPaymentLists(deps: PaymentWordsDeps): PaymentLists {
  const { readRows } = deps;
  async function examine<T>({ text, values }: ExaminedSql, limit: number, decode: (found: unknown) => T) {
    const name = statementName('list payments', text);
    const [row] = await readRows({ name, text, values: [...values, limit] });
    const examined = Number(row?.[0] ?? 0);
    return { examined, next: examined < limit ? null : String(row?.[1]), found: decode(row?.[2]) };
  }
  return {
    ...postgresPaymentWords(deps),
    ids(range, atMost, wanted = atMost) {
      const sql = examinedSql(range, dialect, 'ids');
      return examine(sql, Math.min(toExamine(sql, atMost, wanted), idsAtOnce), idsIn);
    },
    count: (range, atMost) => examine(examinedSql(range, dialect, 'count'), atMost, Number),
    async disputed({ merchantId, livemode }, ids) {
      const values = [merchantId, livemode, ids];
      const rows = await readRows({
        name: 'disputed payments',
        text: disputedSql('(SELECT unnest($3::text[]))'),
        values,
      });
      return new Set(rows.map(([id]) => String(id)));
    },
  };
}
