// Expires sessions whose time is up, including those whose time came while the service was down.

import type { Scope } from '../domain/merchant.ts';
import type { AcquirerDeps } from '../usecases/ask-acquirer.ts';
import { expireOverdueSession } from '../usecases/expire-checkout-session.ts';
import { beginDue, type WorkInProgress } from './work-in-progress.ts';

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
  readonly progress?: WorkInProgress;
}

/** Begins one batch; returns whether there may be more. Sessions paid or extended at the last moment are skipped. */
export function expireSessions(deps: ExpireSessionsDeps): Promise<boolean> {
  return beginDue({
    progress: deps.progress,
    batch,
    claim: (limit) => deps.store.claim('checkoutSessions', 'expired', { now: deps.moment().now, leaseMs, limit }),
    work: (session) => expire(deps, session, session.id),
  });
}

async function expire(deps: ExpireSessionsDeps, scope: Scope, sessionId: string): Promise<void> {
  try {
    const outcome = await expireOverdueSession(deps, scope, sessionId);
    if ('done' in outcome) deps.onExpired(1);
  } catch (error) {
    deps.onFailed(sessionId, error);
  }
}
