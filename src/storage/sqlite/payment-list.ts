// Lists of payments by any combination of filters: see `payments` of the store.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { disputedSql, type ExaminedSql, examinedSql, idsIn, type PaymentDialect, toExamine } from '../payment-list.ts';
import type { PaymentLists } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';
import { sqlitePaymentWords } from './payment-words.ts';
import { orUnavailable } from './result-codes.ts';
import { numbered } from './rows.ts';
import { shortReads } from './short-reads.ts';

const dialect: PaymentDialect = {
  methodType: (payment) => `${payment}.payment_method ->> '$.type'`,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  boolean: (value) => (value ? 1 : 0),
  asText: (column) => `coalesce(${column}, '')`,
  idsOf: (condition) => `json_group_array(id ORDER BY id DESC) FILTER (WHERE ${condition})`,
};

/**
 * Payments of one status lie far apart: reading one from a cold file takes up to 50 µs, and a step cannot be interrupted. The
 * index has hundreds of payments in each page.
 */
const checkedRows = { first: 250, min: 50, max: 500 };
const indexedRows = { first: 2_000, min: 1_000, max: 10_000 };

export interface PaymentListsDeps {
  readonly database: DatabaseSync;
  readonly group: GroupCommit;
  readonly monotonicMs?: (() => number) | undefined;
}

export function sqlitePaymentLists({ database, group, monotonicMs }: PaymentListsDeps): PaymentLists {
  const statements = new Map<string, StatementSync>();
  const newRead = shortReads(monotonicMs);
  const readRows = newRead(checkedRows);
  const readIndex = newRead(indexedRows);
  const disputed = database.prepare(numbered(disputedSql('(SELECT value FROM json_each($3))')));

  function examine<T>({ text, values, isChecked }: ExaminedSql, atMost: number, decode: (found: unknown) => T) {
    const statement = statements.get(text) ?? database.prepare(numbered(text));
    statements.set(text, statement);
    const step = isChecked ? readRows : readIndex;
    return step((limit) => {
      const row = orUnavailable(() => statement.get(...(values as SQLInputValue[]), limit));
      const examined = Number(row?.examined ?? 0);
      return { examined, next: examined < limit ? null : String(row?.last), found: decode(row?.found) };
    }, atMost);
  }

  return {
    ...sqlitePaymentWords(database, group),
    ids(range, atMost, wanted = atMost) {
      const sql = examinedSql(range, dialect, 'ids');
      return examine(sql, toExamine(sql, atMost, wanted), idsIn);
    },
    count: (range, atMost) => examine(examinedSql(range, dialect, 'count'), atMost, Number),
    async disputed({ merchantId, livemode }, ids) {
      const rows = orUnavailable(() => disputed.all(merchantId, livemode ? 1 : 0, JSON.stringify(ids)));
      return new Set(rows.map(({ id }) => String(id)));
    },
  };
}
