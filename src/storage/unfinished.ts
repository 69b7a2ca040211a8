// What is left to find out or to do, for operators. Both engines run the same statements.

import type { Unfinished } from './store.ts';
import { checkoutSessions } from './tables/checkout-sessions.ts';

/** An earlier version that serves beside this one does not clear `unknown_since`. */
export const unknownSql = `
  SELECT coalesce(a.provider, 'sandbox') AS provider, count(*) AS operations, min(o.unknown_since) AS since
  FROM operations o LEFT JOIN acquirer_accounts a
    ON a.merchant_id = o.merchant_id AND a.livemode = o.livemode AND a.id = o.acquirer_id
  WHERE o.unknown_since IS NOT NULL AND o.status = 'pending'
  GROUP BY coalesce(a.provider, 'sandbox')`;

/** The oldest of the sessions that the job should have expired. */
export const overdueSql = (now: string): string => `
  SELECT t.expires_at AS since FROM checkout_sessions t
  WHERE t.expires_at <= ${now} AND ${checkoutSessions.claims.expired.condition}
  ORDER BY t.expires_at LIMIT 1`;

type Row = Readonly<Record<string, unknown>>;

export function unfinishedIn(unknown: readonly Row[], overdue: Row | undefined): Unfinished {
  return {
    unknown: unknown.map(({ provider, operations, since }) => ({
      provider: String(provider),
      operations: Number(operations),
      since: Number(since),
    })),
    overdueSince: overdue === undefined ? null : Number(overdue.since),
  };
}
