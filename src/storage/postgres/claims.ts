// Claims of due work: rows are taken for the time of a lease, so that no two claimers get the same one meanwhile.

import type { Claim, LongestWaits, Store } from '../store.ts';
import type { Query } from './rows.ts';

type Claims = Pick<
  Store,
  | 'claimExpiredSessions'
  | 'claimDueOperations'
  | 'claimLapsedAuthorisations'
  | 'claimSettlingSandboxPayments'
  | 'endImpossibleWaits'
>;

/** The row locks are taken once, in a CTE of their own: a subquery could be run again and claim beyond the limit. */
function claimSql(table: string, claimed: string, key: readonly string[], dueBy: string, due: string): string {
  const same = key.map((column) => `c.${column} = due.${column}`).join(' AND ');
  return `
    WITH due AS (
      SELECT ${key.map((column) => `t.${column}`).join(', ')} FROM ${table} t ${due}
      ORDER BY t.${dueBy} LIMIT $3 FOR UPDATE OF t SKIP LOCKED
    ), claimed AS (
      UPDATE ${table} c SET ${claimed} = $1 FROM due WHERE ${same}
      RETURNING ${key.map((column) => `c.${column}`).join(', ')}, c.${dueBy}
    )
    SELECT ${key.join(', ')} FROM claimed ORDER BY ${dueBy}`;
}

const scopedKey = ['merchant_id', 'livemode', 'id'];
/** A lease that ends later than two of its length was given by a clock that was ahead. */
const notLeased = (until: string): string => `(${until} <= $2 OR ${until} > $1::bigint + ($1::bigint - $2::bigint))`;

const expiredSessionsSql = claimSql(
  'checkout_sessions',
  'expiry_claimed_until',
  scopedKey,
  'expires_at',
  `JOIN payment_intents p ON p.merchant_id = t.merchant_id AND p.livemode = t.livemode AND p.id = t.payment_intent_id
   WHERE t.status = 'open' AND t.expires_at <= $2 AND ${notLeased('t.expiry_claimed_until')} AND p.status <> 'processing'`,
);
const lapsedAuthorisationsSql = claimSql(
  'payment_intents',
  'lapse_claimed_until',
  scopedKey,
  'capture_before',
  `WHERE t.capture_before <= $2 AND ${notLeased('t.lapse_claimed_until')} AND t.pending_operation_id IS NULL`,
);
// These two are due again when the lease ends, unless the next commit says otherwise.
const dueOperationsSql = claimSql('operations', 'due_at', scopedKey, 'due_at', 'WHERE t.due_at <= $2');
const settlingSandboxPaymentsSql = claimSql(
  'sandbox_payments',
  'settle_at',
  ['id'],
  'settle_at',
  'WHERE t.settle_at <= $2',
);

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
    table: 'sandbox_payments',
    column: 'settle_at',
    condition: 'settle_at > $1 + ($2::bigint[])[1]',
    longest: ({ sandboxPaymentMs }: LongestWaits) => [sandboxPaymentMs],
  },
  {
    table: 'deliveries',
    column: 'due_at',
    condition: `due_at > $1 + ($2::bigint[])[1]
      AND (json_array_length(attempts) = 0 OR due_at > $1 + ($2::bigint[])[2])`,
    longest: ({ firstAttemptMs, retryMs }: LongestWaits) => [firstAttemptMs, retryMs],
  },
];

export function postgresClaims(query: Query): Claims {
  async function claim(name: string, text: string, { now, leaseMs, limit }: Claim) {
    const { rows } = await query({ name, text, values: [now + leaseMs, now, limit] });
    return rows.map((row) => ({
      merchantId: String(row.merchant_id),
      livemode: row.livemode === true,
      id: String(row.id),
    }));
  }
  const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
  return {
    claimExpiredSessions: (wanted) => claim('claim expired sessions', expiredSessionsSql, wanted),
    claimLapsedAuthorisations: (wanted) => claim('claim lapsed authorisations', lapsedAuthorisationsSql, wanted),
    claimDueOperations: async (wanted) => idsOf(await claim('claim due operations', dueOperationsSql, wanted)),
    claimSettlingSandboxPayments: async (wanted) =>
      idsOf(await claim('claim settling sandbox payments', settlingSandboxPaymentsSql, wanted)),
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
