// Asks the acquirer about an operation until its outcome is known. Nothing is guessed.

import {
  type AcquirerDeps,
  answerOrSilence,
  findOutAt,
  type OpenedOperation,
  readOperation,
  wasNotSent,
} from './ask-acquirer.ts';
import { completeAction } from './complete-action.ts';
import { settleOperation } from './settle-operation.ts';

/**
 * `scheduled`: called by the job rather than because of a notification from the acquirer. If the acquirer is down, the job
 * leaves the operation as it is: it is due again when the claim ends, and its next inquiries do not become rarer.
 */
export async function reconcileOperation(
  deps: AcquirerDeps,
  operationId: string,
  { scheduled }: { scheduled: boolean },
): Promise<void> {
  const opened = await readOperation(deps.store, operationId);
  try {
    if (opened?.operation.status === 'action_needed') await completeAction(deps, operationId, { scheduled });
    if (opened?.operation.status === 'pending') await findOut(deps, opened, scheduled);
  } catch (error) {
    if (!scheduled || !wasNotSent(error)) throw error;
  }
}

async function findOut(deps: AcquirerDeps, opened: OpenedOperation, scheduled: boolean): Promise<void> {
  // A notification may overtake the request itself, which must not be closed then.
  const ask = () => findOutAt(deps, opened, { close: scheduled });
  const answer = await answerOrSilence(ask, { unlessNotSent: scheduled });
  await settleOperation(deps, opened.operation.id, answer, { scheduled });
}
