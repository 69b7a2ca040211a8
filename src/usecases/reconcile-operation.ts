// Asks the acquirer about an operation until its outcome is known. Nothing is guessed.

import { type AcquirerDeps, findOutAt, readOperation } from './ask-acquirer.ts';
import { completeAction } from './complete-action.ts';
import { askAndSettle } from './settle-operation.ts';

/** `scheduled`: called by the job rather than because of a notification from the acquirer. */
export async function reconcileOperation(
  deps: AcquirerDeps,
  operationId: string,
  { scheduled }: { scheduled: boolean },
): Promise<void> {
  const opened = await readOperation(deps.store, operationId);
  if (opened?.operation.status === 'action_needed') await completeAction(deps, operationId, { scheduled });
  if (opened?.operation.status === 'pending') {
    // A notification may overtake the request itself, which must not be closed then.
    await askAndSettle(deps, operationId, () => findOutAt(deps, opened, { close: scheduled }), { scheduled });
  }
}
