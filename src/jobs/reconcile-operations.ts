// Asks the acquirer about operations with an unknown outcome: after a timeout, a crash, or a `pending` response.

import type { AcquirerDeps } from '../usecases/ask-acquirer.ts';
import { reconcileOperation } from '../usecases/reconcile-operation.ts';

export const reconcileOperationsEveryMs = 500;

const batch = 50;
/** Longer than an inquiry can take. */
export const reconcileLeaseMs = 30_000;

export interface ReconcileDeps extends AcquirerDeps {
  readonly onFailed: (operationId: string, error: unknown) => void;
}

/** Processes one batch; returns whether there may be more. A failure does not hold up the others. */
export async function reconcileOperations(deps: ReconcileDeps): Promise<boolean> {
  const due = await deps.store.claim('operations', 'due', {
    now: deps.moment().now,
    leaseMs: reconcileLeaseMs,
    limit: batch,
  });
  await Promise.all(
    due.map(({ id }) =>
      reconcileOperation(deps, id, { scheduled: true }).catch((error: unknown) => deps.onFailed(id, error)),
    ),
  );
  return due.length === batch;
}
