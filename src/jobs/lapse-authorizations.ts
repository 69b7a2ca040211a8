// Cancels payments whose authorisation nobody captured in time.

import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { lapseAuthorization } from '../usecases/lapse-authorization.ts';

export const lapseAuthorizationsEveryMs = 10_000;

const batch = 100;
const leaseMs = 10_000;

/** One batch; answers whether there may be more. Who captures at the last moment is left alone. */
export async function lapseAuthorizations(deps: { store: Store; moment: () => Moment }): Promise<boolean> {
  const due = await deps.store.claimLapsedAuthorisations({ now: deps.moment().now, leaseMs, limit: batch });
  await Promise.all(due.map((payment) => lapseAuthorization(deps, payment, payment.id)));
  return due.length === batch;
}
