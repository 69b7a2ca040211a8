// Claims of due work: rows are taken for the time of a lease, so that no two claimers get the same one meanwhile.

import type { DatabaseSync } from 'node:sqlite';
import type { Claim, Store } from '../store.ts';
import { orUnavailable } from './open-database.ts';

type Claims = Pick<
  Store,
  'claimExpiredSessions' | 'claimDueOperations' | 'claimLapsedAuthorisations' | 'claimSettlingSandboxPayments'
>;

/** `due` finds rows by `t.rowid`; its three parameters are now, now and the limit. */
const claimSql = (table: string, claimed: string, due: string, columns: string, order: string): string => `
  UPDATE ${table} SET ${claimed} = ? WHERE rowid IN (${due}) RETURNING ${columns}, ${order}`;

/** `endReading` ends the transaction that reads share: a claim must start from the newest state. */
export function sqliteClaims(database: DatabaseSync, endReading: () => void): Claims {
  const expiredSessions = database.prepare(
    claimSql(
      'checkout_sessions',
      'expiry_claimed_until',
      `SELECT t.rowid FROM checkout_sessions t
       JOIN payment_intents p ON p.merchant_id = t.merchant_id AND p.livemode = t.livemode AND p.id = t.payment_intent_id
       WHERE t.status = 'open' AND t.expires_at <= ? AND t.expiry_claimed_until <= ? AND p.status <> 'processing'
       ORDER BY t.expires_at LIMIT ?`,
      'merchant_id, livemode, id',
      'expires_at AS due',
    ),
  );
  const lapsedAuthorisations = database.prepare(
    claimSql(
      'payment_intents',
      'lapse_claimed_until',
      `SELECT t.rowid FROM payment_intents t
       WHERE t.capture_before <= ? AND t.lapse_claimed_until <= ? AND t.pending_operation_id IS NULL
       ORDER BY t.capture_before LIMIT ?`,
      'merchant_id, livemode, id',
      'capture_before AS due',
    ),
  );
  const dueOperations = database.prepare(
    claimSql(
      'operations',
      'claimed_until',
      `SELECT t.rowid FROM operations t WHERE t.due_at <= ? AND t.claimed_until <= ? ORDER BY t.due_at LIMIT ?`,
      'id',
      'due_at AS due',
    ),
  );
  const settlingSandboxPayments = database.prepare(
    claimSql(
      'sandbox_payments',
      'claimed_until',
      `SELECT t.rowid FROM sandbox_payments t WHERE t.settle_at <= ? AND t.claimed_until <= ?
       ORDER BY t.settle_at LIMIT ?`,
      'id',
      'settle_at AS due',
    ),
  );

  function claim(statement: typeof expiredSessions, { now, leaseMs, limit }: Claim) {
    endReading();
    const rows = orUnavailable(() => statement.all(now + leaseMs, now, now, limit));
    // RETURNING has no order of its own.
    rows.sort((a, b) => Number(a.due) - Number(b.due));
    return rows.map((row) => ({
      merchantId: String(row.merchant_id),
      livemode: row.livemode === 1,
      id: String(row.id),
    }));
  }

  return {
    claimExpiredSessions: async (wanted) => claim(expiredSessions, wanted),
    claimLapsedAuthorisations: async (wanted) => claim(lapsedAuthorisations, wanted),
    claimDueOperations: async (wanted) => claim(dueOperations, wanted).map(({ id }) => id),
    claimSettlingSandboxPayments: async (wanted) => claim(settlingSandboxPayments, wanted).map(({ id }) => id),
  };
}
