// Releases authorisations that were not captured in time, and cancels their payments.

import type { AcquirerDeps } from '../usecases/ask-acquirer.ts';
import { lapseAuthorization } from '../usecases/lapse-authorization.ts';

export const lapseAuthorizationsEveryMs = 10_000;

const batch = 100;
const leaseMs = 10_000;

export interface LapseDeps extends AcquirerDeps {
  readonly onFailed: (paymentIntentId: string, error: unknown) => void;
}

/** Processes one batch; returns whether there may be more. A failure does not hold up the others. */
export async function lapseAuthorizations(deps: LapseDeps): Promise<boolean> {
  const due = await deps.store.claim('paymentIntents', 'lapsed', { now: deps.moment().now, leaseMs, limit: batch });
  await Promise.all(
    due.map(async (payment) => {
      try {
        const outcome = await lapseAuthorization(deps, payment, payment.id);
        const refused = 'refused' in outcome && outcome.refused === 'payment_not_cancelable';
        if (refused) deps.onFailed(payment.id, new Error(outcome.message));
      } catch (error) {
        deps.onFailed(payment.id, error);
      }
    }),
  );
  return due.length === batch;
}
