// Expires sessions whose time is up, including those whose time came while the service was down.

import type { AcquirerDeps } from '../usecases/ask-acquirer.ts';
import { expireOverdueSession } from '../usecases/expire-checkout-session.ts';

/** Often enough for a session to expire well within a second of its time. */
export const expireSessionsEveryMs = 250;

const batch = 100;
/**
 * Longer than closing a payment at the acquirer can take. A session whose payment could not be closed is tried again
 * after this, and so is one whose process died.
 */
const leaseMs = 30_000;

export interface ExpireSessionsDeps extends AcquirerDeps {
  readonly onFailed: (sessionId: string, error: unknown) => void;
  readonly onExpired: (count: number) => void;
}

/** Processes one batch; returns whether there may be more. Sessions paid or extended at the last moment are skipped. */
export async function expireSessions(deps: ExpireSessionsDeps): Promise<boolean> {
  const due = await deps.store.claim('checkoutSessions', 'expired', { now: deps.moment().now, leaseMs, limit: batch });
  const outcomes = await Promise.all(
    due.map((session) =>
      expireOverdueSession(deps, session, session.id).catch((error: unknown) => {
        deps.onFailed(session.id, error);
        return null;
      }),
    ),
  );
  const expired = outcomes.filter((outcome) => outcome !== null && 'done' in outcome).length;
  if (expired > 0) deps.onExpired(expired);
  return due.length === batch;
}
