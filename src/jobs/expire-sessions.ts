// Expires the sessions whose time has come, also those whose time came while the service was down.

import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { expireOverdueSession } from '../usecases/expire-checkout-session.ts';

/** Looked for this often, so that a session ends well within a second of its time. */
export const expireSessionsEveryMs = 250;

const batch = 100;
/** After this, another process may take over what one has claimed. */
const leaseMs = 10_000;

export interface ExpireSessionsDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly onExpired: (count: number) => void;
}

/** One batch; answers whether there may be more. Who paid or extended at the last moment is left alone. */
export async function expireSessions(deps: ExpireSessionsDeps): Promise<boolean> {
  const due = await deps.store.claim('checkoutSessions', 'expired', { now: deps.moment().now, leaseMs, limit: batch });
  const outcomes = await Promise.all(due.map((session) => expireOverdueSession(deps, session, session.id)));
  const expired = outcomes.filter((outcome) => 'done' in outcome).length;
  if (expired > 0) deps.onExpired(expired);
  return due.length === batch;
}
