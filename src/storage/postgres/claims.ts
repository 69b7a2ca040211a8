// Claims of due work: rows are taken for the time of a lease, so that no two claimers get the same one meanwhile.

import type { Claim, Store } from '../store.ts';
import type { Query } from './rows.ts';

type Claims = Pick<
  Store,
  'claimExpiredSessions' | 'claimDueOperations' | 'claimLapsedAuthorisations' | 'claimSettlingSandboxPayments'
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

const expiredSessionsSql = claimSql(
  'checkout_sessions',
  'expiry_claimed_until',
  scopedKey,
  'expires_at',
  `JOIN payment_intents p ON p.merchant_id = t.merchant_id AND p.livemode = t.livemode AND p.id = t.payment_intent_id
   WHERE t.status = 'open' AND t.expires_at <= $2 AND t.expiry_claimed_until <= $2 AND p.status <> 'processing'`,
);
const lapsedAuthorisationsSql = claimSql(
  'payment_intents',
  'lapse_claimed_until',
  scopedKey,
  'capture_before',
  'WHERE t.capture_before <= $2 AND t.lapse_claimed_until <= $2 AND t.pending_operation_id IS NULL',
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
  };
}
