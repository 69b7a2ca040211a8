// Ends waits that are longer than any valid delay: see `endImpossibleWaits` of the store.

import type { LongestWaits, Store } from '../store.ts';
import { type ChangeRowsDeps, changingRows } from './chosen-rows.ts';
import type { RowsOf } from './rows.ts';

/** $1 is now, $2 the longest waits in ascending order, $3 the limit. The first part of each condition uses the index. */
const impossibleWaits = [
  {
    table: 'operations',
    key: { merchant_id: 'text', livemode: 'boolean', id: 'text' },
    condition:
      'due_at > $1 + ($2::bigint[])[1] AND due_at > $1 + ($2::bigint[])[least(inquiries + 1, cardinality($2))]',
    longest: ({ operationMs }: LongestWaits) => operationMs,
  },
  {
    table: 'deliveries',
    key: { merchant_id: 'text', livemode: 'boolean', event_id: 'text', id: 'text' },
    // As text: with 300 000 waiting deliveries, parsing their attempts takes two thirds of the time.
    condition: `due_at > $1 + ($2::bigint[])[1]
      AND (attempts::text = '[]' OR due_at > $1 + ($2::bigint[])[2])`,
    longest: ({ firstAttemptMs, retryMs }: LongestWaits) => [firstAttemptMs, retryMs],
  },
];

export interface ImpossibleWaitsDeps extends ChangeRowsDeps {
  readonly readRows: RowsOf;
}

export function postgresImpossibleWaits({ readRows, ...deps }: ImpossibleWaitsDeps): Pick<Store, 'endImpossibleWaits'> {
  const kinds = impossibleWaits.map(({ table, key, condition, longest }) => ({
    name: `impossible waits of ${table}`,
    text: `SELECT ${Object.keys(key).join(', ')}, due_at FROM ${table} WHERE ${condition} LIMIT $3`,
    longest,
    end: changingRows(deps, {
      ...{ meaning: `end impossible waits of ${table}`, table, key },
      ...{ unchanged: 'due_at', set: 'due_at = $value' },
    }),
  }));
  return {
    async endImpossibleWaits(waits) {
      let more = false;
      for (const { name, text, longest, end } of kinds) {
        const waiting = await readRows({ name, text, values: [waits.now, longest(waits), waits.limit] });
        await end(waiting, waits.now);
        more ||= waiting.length === waits.limit;
      }
      return more;
    },
  };
}
