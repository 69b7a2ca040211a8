// Expires sessions whose time is up, including those whose time came while the service was down.

import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { expireOverdueSession } from '../usecases/expire-checkout-session.ts';

/** Often enough for a session to expire well within a second of its time. */
export const expireSessionsEveryMs = 250;

const batch = 100;
/** After this, another process may take over a claimed session. */
const leaseMs = 10_000;

export interface ExpireSessionsDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly onExpired: (count: number) => void;
}

/** Processes one batch; returns whether there may be more. Sessions paid or extended at the last moment are skipped. */
export async function expireSessions(deps: ExpireSessionsDeps): Promise<boolean> {
  const due = await deps.store.claim('checkoutSessions', 'expired', { now: deps.moment().now, leaseMs, limit: batch });
  const outcomes = await Promise.all(due.map((session) => expireOverdueSession(deps, session, session.id)));
  const expired = outcomes.filter((outcome) => 'done' in outcome).length;
  if (expired > 0) deps.onExpired(expired);
  return due.length === batch;
}
