// Asks the acquirer about an operation until its outcome is known. Nothing is guessed.

import { completeAction } from './complete-action.ts';
import { type AcquirerDeps, askAndSettle } from './settle-operation.ts';

/** `scheduled`: called by the job rather than because of a notification from the acquirer. */
export async function reconcileOperation(
  deps: AcquirerDeps,
  operationId: string,
  { scheduled }: { scheduled: boolean },
): Promise<void> {
  const operation = await deps.store.findBy('operations', 'id', operationId);
  if (operation?.status === 'action_needed') await completeAction(deps, operationId, { scheduled });
  if (operation?.status === 'pending') {
    const { processor } = deps;
    const { livemode } = operation;
    // A notification may overtake the request itself, which must not be closed then.
    const ask = () => (scheduled ? processor.close(operationId, livemode) : processor.inquire(operationId, livemode));
    await askAndSettle(deps, operationId, ask, { scheduled });
  }
}
