// An operation whose outcome is not known: the acquirer is asked until it is. Nothing is guessed.

import { completeAction } from './complete-action.ts';
import { type AcquirerDeps, askAndSettle } from './settle-operation.ts';

/** `scheduled`: by the job, and not because the acquirer notified us. */
export async function reconcileOperation(
  deps: AcquirerDeps,
  operationId: string,
  { scheduled }: { scheduled: boolean },
): Promise<void> {
  const operation = await deps.store.findBy('operations', 'id', operationId);
  if (operation?.status === 'action_needed') await completeAction(deps, operationId, { scheduled });
  if (operation?.status === 'pending') {
    await askAndSettle(deps, operationId, () => deps.processor.inquire(operationId, operation.livemode), { scheduled });
  }
}
