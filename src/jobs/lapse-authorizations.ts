// Releases authorisations that were not captured in time, and cancels their payments.

import type { Scope } from '../domain/merchant.ts';
import type { AcquirerDeps } from '../usecases/ask-acquirer.ts';
import { lapseAuthorization } from '../usecases/lapse-authorization.ts';
import { beginDue, type WorkInProgress } from './work-in-progress.ts';

export const lapseAuthorizationsEveryMs = 10_000;

const batch = 100;
/** Payments with an account that is down are tried again after this. */
const leaseMs = 10_000;

export interface LapseDeps extends AcquirerDeps {
  readonly onFailed: (paymentIntentId: string, error: unknown) => void;
  readonly progress?: WorkInProgress;
}

/** Begins one batch; returns whether there may be more. A failure does not hold up the others. */
export function lapseAuthorizations(deps: LapseDeps): Promise<boolean> {
  return beginDue({
    progress: deps.progress,
    batch,
    claim: (limit) => deps.store.claim('paymentIntents', 'lapsed', { now: deps.moment().now, leaseMs, limit }),
    work: (payment) => lapse(deps, payment, payment.id),
  });
}

async function lapse(deps: LapseDeps, scope: Scope, paymentIntentId: string): Promise<void> {
  try {
    const outcome = await lapseAuthorization(deps, scope, paymentIntentId);
    const refused = 'refused' in outcome && outcome.refused === 'payment_not_cancelable';
    if (refused) deps.onFailed(paymentIntentId, new Error(outcome.message));
  } catch (error) {
    deps.onFailed(paymentIntentId, error);
  }
}
