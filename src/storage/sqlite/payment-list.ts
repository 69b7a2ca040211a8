// Lists of payments by any combination of filters: see `payments` of the store.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { boundarySql, countsSql, idsSql, type PaymentDialect } from '../payment-list.ts';
import type { PaymentLists } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';
import { sqlitePaymentWords } from './payment-words.ts';
import { orUnavailable } from './result-codes.ts';
import { numbered } from './rows.ts';

const dialect: PaymentDialect = {
  methodType: "t.payment_method ->> '$.type'",
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  boolean: (value) => (value ? 1 : 0),
  asText: (column) => `coalesce(${column}, '')`,
};

export function sqlitePaymentLists(database: DatabaseSync, group: GroupCommit): PaymentLists {
  const statements = new Map<string, StatementSync>();
  function run({ text, values }: { text: string; values: readonly unknown[] }, last: number) {
    const statement = statements.get(text) ?? database.prepare(numbered(text));
    statements.set(text, statement);
    return orUnavailable(() => statement.all(...(values as SQLInputValue[]), last));
  }
  return {
    ...sqlitePaymentWords(database, group),
    async boundary(range, size) {
      const [row] = run(boundarySql(range, dialect), size - 1);
      return row === undefined ? null : String(row.id);
    },
    ids: async (range, limit) => run(idsSql(range, dialect), limit).map(({ id }) => String(id)),
    async count(range, atMost) {
      const [row] = run(countsSql(range, dialect), atMost);
      return { examined: Number(row?.examined ?? 0), found: Number(row?.found ?? 0) };
    },
  };
}
