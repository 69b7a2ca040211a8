// Asks the acquirer about operations whose outcome is not known: after a silence, a crash, or while it says `pending`.

import { reconcileOperation } from '../usecases/reconcile-operation.ts';
import type { AcquirerDeps } from '../usecases/settle-operation.ts';

export const reconcileOperationsEveryMs = 500;

const batch = 50;
/** Longer than an inquiry can take. */
export const reconcileLeaseMs = 30_000;

export interface ReconcileDeps extends AcquirerDeps {
  readonly onFailed: (operationId: string, error: unknown) => void;
}

/** One batch; answers whether there may be more. One that fails does not keep the others waiting. */
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
