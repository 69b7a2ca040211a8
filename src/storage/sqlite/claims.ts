// Claims of due work: rows are taken for the time of a lease, so that no two claimers get the same one meanwhile.

import type { DatabaseSync } from 'node:sqlite';
import type { Claim, Store } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';

type Claims = Pick<
  Store,
  | 'claimExpiredSessions'
  | 'claimDueOperations'
  | 'claimLapsedAuthorisations'
  | 'claimSettlingSandboxPayments'
  | 'endImpossibleWaits'
>;

/** A lease that ends later than two of its length was given by a clock that was ahead. */
const notLeased = (until: string): string => `(${until} <= :now OR ${until} > :until + (:until - :now))`;

export function sqliteClaims(database: DatabaseSync, group: GroupCommit): Claims {
  const expiredSessions = database.prepare(`
    UPDATE checkout_sessions SET expiry_claimed_until = :until WHERE rowid IN (
      SELECT t.rowid FROM checkout_sessions t
      JOIN payment_intents p ON p.merchant_id = t.merchant_id AND p.livemode = t.livemode AND p.id = t.payment_intent_id
      WHERE t.status = 'open' AND t.expires_at <= :now AND ${notLeased('t.expiry_claimed_until')} AND p.status <> 'processing'
      ORDER BY t.expires_at LIMIT :limit)
    RETURNING merchant_id, livemode, id, expires_at AS due`);
  const lapsedAuthorisations = database.prepare(`
    UPDATE payment_intents SET lapse_claimed_until = :until WHERE (merchant_id, livemode, id) IN (
      SELECT t.merchant_id, t.livemode, t.id FROM payment_intents t
      WHERE t.capture_before <= :now AND ${notLeased('t.lapse_claimed_until')} AND t.pending_operation_id IS NULL
      ORDER BY t.capture_before LIMIT :limit)
    RETURNING merchant_id, livemode, id, capture_before AS due`);
  // These two are due again when the lease ends, unless the next commit says otherwise.
  const dueOperations = database.prepare(`
    UPDATE operations SET due_at = :until WHERE rowid IN (
      SELECT rowid FROM operations WHERE due_at <= :now ORDER BY due_at LIMIT :limit)
    RETURNING id`);
  const settlingSandboxPayments = database.prepare(`
    UPDATE sandbox_payments SET settle_at = :until WHERE rowid IN (
      SELECT rowid FROM sandbox_payments WHERE settle_at <= :now ORDER BY settle_at LIMIT :limit)
    RETURNING id`);

  const impossibleWaits = [
    `UPDATE operations SET due_at = :now WHERE rowid IN (
       SELECT rowid FROM operations WHERE due_at > :now + json_extract(:operations, '$[0]')
       AND due_at > :now + json_extract(:operations, '$[' || CAST(min(inquiries, :last) AS INTEGER) || ']') LIMIT :limit)`,
    `UPDATE sandbox_payments SET settle_at = :now WHERE rowid IN (
       SELECT rowid FROM sandbox_payments WHERE settle_at > :now + :sandboxPayment LIMIT :limit)`,
    `UPDATE deliveries SET due_at = :now WHERE rowid IN (
       SELECT rowid FROM deliveries INDEXED BY deliveries_due
       WHERE due_at > :now + :firstAttempt AND (attempts = '[]' OR due_at > :now + :retry) LIMIT :limit)`,
  ].map((sql) => {
    const statement = database.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    return statement;
  });

  async function claim(statement: typeof expiredSessions, { now, leaseMs, limit }: Claim) {
    const rows = await group.join(() => statement.all({ until: now + leaseMs, now, limit }));
    // RETURNING has no order of its own.
    rows.sort((a, b) => Number(a.due ?? 0) - Number(b.due ?? 0));
    return rows.map((row) => ({
      merchantId: String(row.merchant_id),
      livemode: row.livemode === 1,
      id: String(row.id),
    }));
  }

  const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

  return {
    claimExpiredSessions: (wanted) => claim(expiredSessions, wanted),
    claimLapsedAuthorisations: (wanted) => claim(lapsedAuthorisations, wanted),
    claimDueOperations: async (wanted) => idsOf(await claim(dueOperations, wanted)),
    claimSettlingSandboxPayments: async (wanted) => idsOf(await claim(settlingSandboxPayments, wanted)),
    async endImpossibleWaits({ now, limit, operationMs, sandboxPaymentMs, firstAttemptMs, retryMs }) {
      const values = {
        ...{ now, limit, sandboxPayment: sandboxPaymentMs, firstAttempt: firstAttemptMs, retry: retryMs },
        ...{ operations: JSON.stringify(operationMs), last: operationMs.length - 1 },
      };
      const ended = await group.join(() => impossibleWaits.map((statement) => Number(statement.run(values).changes)));
      return ended.includes(limit);
    },
  };
}
