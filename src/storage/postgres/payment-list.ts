// Lists of payments by any combination of filters: see `payments` of the store. Every statement names one merchant.

import { boundarySql, countsSql, idsSql, type PaymentDialect } from '../payment-list.ts';
import type { PaymentLists } from '../store.ts';
import { type PaymentWordsDeps, postgresPaymentWords } from './payment-words.ts';
import { statementName } from './statement-name.ts';

const dialect: PaymentDialect = {
  methodType: "t.payment_method ->> 'type'",
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  boolean: (value) => value,
  asText: (column) => `coalesce(${column}::text, '')`,
};

export function postgresPaymentLists(deps: PaymentWordsDeps): PaymentLists {
  const { readRows } = deps;
  function run({ text, values }: { text: string; values: readonly unknown[] }, last: number) {
    return readRows({ name: statementName('list payments', text), text, values: [...values, last] });
  }
  return {
    ...postgresPaymentWords(deps),
    async boundary(range, size) {
      const [row] = await run(boundarySql(range, dialect), size - 1);
      return row === undefined ? null : String(row[0]);
    },
    ids: async (range, limit) => (await run(idsSql(range, dialect), limit)).map(([id]) => String(id)),
    async count(range, atMost) {
      const [row] = await run(countsSql(range, dialect), atMost);
      return { examined: Number(row?.[0] ?? 0), found: Number(row?.[1] ?? 0) };
    },
  };
}
