// Ends waits that are longer than any delay: see `endImpossibleWaits` of the store.

import type { LongestWaits, Store } from '../store.ts';
import type { Query } from './rows.ts';

/** $1 is now, $2 the longest waits, shortest first, $3 the limit. The first condition of each is for its index. */
const impossibleWaits = [
  {
    table: 'operations',
    column: 'due_at',
    condition:
      'due_at > $1 + ($2::bigint[])[1] AND due_at > $1 + ($2::bigint[])[least(inquiries + 1, cardinality($2))]',
    longest: ({ operationMs }: LongestWaits) => operationMs,
  },
  {
    table: 'deliveries',
    column: 'due_at',
    condition: `due_at > $1 + ($2::bigint[])[1]
      AND (json_array_length(attempts) = 0 OR due_at > $1 + ($2::bigint[])[2])`,
    longest: ({ firstAttemptMs, retryMs }: LongestWaits) => [firstAttemptMs, retryMs],
  },
];

export function postgresImpossibleWaits(query: Query): Pick<Store, 'endImpossibleWaits'> {
  return {
    async endImpossibleWaits(waits) {
      let more = false;
      for (const { table, column, condition, longest } of impossibleWaits) {
        const { rowCount } = await query({
          name: `end impossible waits of ${table}`,
          text: `UPDATE ${table} SET ${column} = $1 WHERE ctid = ANY(ARRAY(
                   SELECT ctid FROM ${table} WHERE ${condition} LIMIT $3 FOR UPDATE SKIP LOCKED))`,
          values: [waits.now, longest(waits), waits.limit],
        });
        more ||= rowCount === waits.limit;
      }
      return more;
    },
  };
}
