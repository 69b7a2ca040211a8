// Asks the acquirer about an operation until its outcome is known. Nothing is guessed.

import { AcquirerSilent, type Answer } from '../acquirers/acquirer.ts';
import { isOpen } from '../domain/checkout-session.ts';
import { postponedUntil } from '../domain/postponed.ts';
import {
  type AcquirerDeps,
  answerOrSilence,
  authoriseAt,
  closeAt,
  findOutAt,
  inquireAt,
  isAwaited,
  type OpenedOperation,
  readOperation,
  withAnswer,
} from './ask-acquirer.ts';
import { completeAction } from './complete-action.ts';
import { decideAndCommitOrThrow } from './decide-and-commit.ts';
import { importAfterFailure } from './import-capture.ts';
import { askAndSettle } from './settle-operation.ts';

/**
 * `scheduled`: called by the job rather than because of a notification from the acquirer. If the acquirer was not called,
 * the operation is due again when it may be, and does not count as inquired about.
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
    if (!scheduled || !(error instanceof AcquirerSilent) || !error.notSent) throw error;
    await postpone(deps, operationId, error.retryAfterMs);
  }
}

async function postpone({ store, moment }: AcquirerDeps, operationId: string, retryAfterMs: number | null) {
  await decideAndCommitOrThrow(store, async () => {
    const operation = await store.findBy('operations', 'id', operationId);
    if (operation === null || operation.dueAt === null) return {};
    const dueAt = postponedUntil(operation.unknownSince ?? operation.createdAt, retryAfterMs, moment().now);
    return dueAt < operation.dueAt ? { operations: [{ ...operation, dueAt }] } : {};
  });
}

async function findOut(deps: AcquirerDeps, opened: OpenedOperation, scheduled: boolean): Promise<void> {
  // A notification may overtake the request itself, which must be neither repeated nor closed then.
  const ask = () =>
    scheduled && canStillPay(deps, opened)
      ? goOn(deps, opened)
      : findOutAt(deps, opened, { close: scheduled && !isUpToTheBank(opened) });
  const askOrThrow = () => answerOrSilence(ask, { unlessNotSent: scheduled });
  const settled = await askAndSettle(deps, opened.operation, askOrThrow, { scheduled, known: opened });
  await importAfterFailure(deps, opened, settled);
}

/** The customer has asked to pay, and may still. */
function canStillPay({ moment }: AcquirerDeps, { operation, intent, session }: OpenedOperation): boolean {
  const isAwaitedPayment = operation.kind === 'payment' && isAwaited(operation, { intent, session });
  return isAwaitedPayment && isOpen(session, moment().now);
}

/** The customer has done their part, and the outcome follows: the payment must not be ended. */
function isUpToTheBank({ operation, intent, session }: OpenedOperation): boolean {
  return isAwaited(operation, { intent, session }) && session.status === 'completed';
}

/** The request is repeated if it did not arrive; the acquirer carries it out once. What cannot be repeated is closed. */
async function goOn(deps: AcquirerDeps, opened: OpenedOperation): Promise<Answer> {
  const answer = await inquireAt(deps, opened);
  const { outcome } = answer;
  if (outcome.kind === 'ready')
    return authoriseAt(deps, { ...opened, operation: withAnswer(opened.operation, answer) });
  const mayArrive = outcome.kind === 'pending' && !outcome.customerDone && outcome.isSearching !== true;
  return mayArrive ? closeAt(deps, opened) : answer;
}
