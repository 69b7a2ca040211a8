// Asks the acquirer about operations with an unknown outcome: after a timeout, a crash, or a `pending` response.

import type { AcquirerDeps } from '../usecases/ask-acquirer.ts';
import { reconcileOperation } from '../usecases/reconcile-operation.ts';
import { beginDue, type WorkInProgress } from './work-in-progress.ts';

export const reconcileOperationsEveryMs = 500;

const batch = 50;
/** Longer than an inquiry can take. */
export const reconcileLeaseMs = 30_000;

export interface ReconcileDeps extends AcquirerDeps {
  readonly onFailed: (operationId: string, error: unknown) => void;
  readonly progress?: WorkInProgress;
}

/** Begins one batch; returns whether there may be more. A failure does not hold up the others. */
export function reconcileOperations(deps: ReconcileDeps): Promise<boolean> {
  return beginDue({
    progress: deps.progress,
    batch,
    claim: (limit) =>
      deps.store.claim('operations', 'due', { now: deps.moment().now, leaseMs: reconcileLeaseMs, limit }),
    work: ({ id }) =>
      reconcileOperation(deps, id, { scheduled: true }).catch((error: unknown) => deps.onFailed(id, error)),
  });
}
