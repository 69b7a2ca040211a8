// The customer returns from a challenge or the provider's page, or the job asks whether they have finished: the payment
// goes on, has its outcome already, or the form is shown again. Only the acquirer says which.

import type { Answer } from '../acquirers/acquirer.ts';
import { attemptKeysRetentionMs, start } from '../domain/attempt-counts.ts';
import { committed } from '../domain/change-set.ts';
import { isOpen } from '../domain/checkout-session.ts';
import { move, type Payment } from '../domain/life-cycle.ts';
import { firstInquiryAfterMs, inquiredOnSchedule, type Operation, withStep } from '../domain/operation.ts';
import {
  type AcquirerDeps,
  answerOrSilence,
  closeAt,
  inquireAt,
  isAwaited,
  type OpenedOperation,
  readOperation,
  withAnswer,
} from './ask-acquirer.ts';
import { type Full, full, whenCapacityAllows } from './count-attempt.ts';
import { type Decision, decideAndCommit, decideAndCommitOrThrow } from './decide-and-commit.ts';
import { authorise, settleOperation } from './settle-operation.ts';
import { changesOf } from './settlement.ts';

/** `waiting`: still for the customer. `overtaken`: somebody else was first, and may still be waiting for the outcome. */
export type Completed = 'waiting' | 'moved' | 'overtaken';

/**
 * `scheduled`: called by the job rather than by a visit; then it throws if the acquirer was not called. `payment`: as it
 * was just read.
 */
export async function completeAction(
  deps: AcquirerDeps,
  operationId: string,
  { scheduled = false, payment }: { scheduled?: boolean; payment?: Payment } = {},
): Promise<Completed> {
  const opened = await readOperation(deps.store, operationId, payment);
  if (opened?.operation.status !== 'action_needed') return 'overtaken';
  // Then the job that expires sessions closes it.
  if (scheduled && isOverdue(deps, opened)) return settle(deps, operationId, null, scheduled);
  const unlessNotSent = scheduled;
  const close = () => answerOrSilence(() => closeAt(deps, opened), { unlessNotSent });
  // If the payment has ended meanwhile, it must not go on at the acquirer either.
  const isOver = !isAwaited(opened.operation, opened);
  const answer = isOver ? await close() : await answerOrSilence(() => inquireAt(deps, opened), { unlessNotSent });
  if (answer?.outcome.kind !== 'ready' || isOver) return settle(deps, operationId, answer, scheduled);
  if (isTooLate(deps, opened.operation)) return settle(deps, operationId, await close(), scheduled);
  const keys = opened.operation.attempt?.keys ?? null;
  const ready = await whenCapacityAllows(deps, keys, () => commitReady(deps, opened, answer));
  if (ready.kind === 'overtaken') return 'overtaken';
  if (ready.kind === 'passed') {
    await authorise(deps, ready.opened);
    return 'moved';
  }
  return settle(deps, operationId, await close(), scheduled);
}

function isOverdue({ moment }: AcquirerDeps, { session }: OpenedOperation): boolean {
  return session.status === 'open' && !isOpen(session, moment().now);
}

/** The keys that an attempt by card would count by have been erased by then, so it must not be made any more. */
function isTooLate({ moment, declineLimits }: AcquirerDeps, { paymentMethod, createdAt }: Operation): boolean {
  return paymentMethod?.card !== undefined && moment().now - createdAt >= attemptKeysRetentionMs(declineLimits);
}

async function settle(
  deps: AcquirerDeps,
  operationId: string,
  answer: Answer | null,
  scheduled: boolean,
): Promise<Completed> {
  if (answer === null) {
    // Nothing is known: the customer can still act.
    if (scheduled) await inquireLater(deps, operationId);
    return 'waiting';
  }
  const { operation } = await settleOperation(deps, operationId, answer, { scheduled });
  return operation === 'action_needed' ? 'waiting' : 'moved';
}

async function inquireLater({ store, moment }: AcquirerDeps, operationId: string): Promise<void> {
  await decideAndCommitOrThrow(store, async () => {
    const operation = await store.findBy('operations', 'id', operationId);
    if (operation?.status !== 'action_needed') return {};
    return { operations: [inquiredOnSchedule(operation, moment().now)] };
  });
}

type Readied = { readonly kind: 'overtaken' } | { readonly kind: 'passed'; readonly opened: OpenedOperation } | Full;

async function commitReady(deps: AcquirerDeps, known: OpenedOperation, answer: Answer): Promise<Readied> {
  const { id } = known.operation;
  const outcome = await decideAndCommit<Readied>(deps.store, async (round) => {
    // If it has changed since it was read, the commit conflicts.
    const opened = round === 0 ? known : await readOperation(deps.store, id);
    if (opened?.operation.status !== 'action_needed') return { changes: {}, result: { kind: 'overtaken' } };
    return ready(deps, opened, answer);
  });
  if (!('done' in outcome)) throw new Error(`the action of ${id} could not be completed`);
  return outcome.done;
}

/** The attempt is about to be made, and counts from now on. */
function ready(
  { moment, declineLimits }: AcquirerDeps,
  { operation, intent, session }: OpenedOperation,
  answer: Answer,
): Decision<Readied> {
  const at = moment();
  const moved = isAwaited(operation, { intent, session }) ? move({ intent, session }, 'action_passed', at) : null;
  // The payment ended meanwhile: the job finds that out, and closes it at the acquirer.
  if (moved === null) return { changes: {}, result: { kind: 'overtaken' } };
  const started = operation.attempt && start(operation.attempt.keys, declineLimits, at.now);
  const next: Operation = {
    ...withStep(withAnswer(operation, answer), { at: at.now, step: 'action_done' }),
    status: 'pending',
    attempt: started?.attempt ?? null,
    dueAt: at.now + firstInquiryAfterMs,
    inquiries: 0,
  };
  return {
    changes: { ...changesOf(moved), operations: [next], attemptCounts: started?.changes ?? [] },
    result: {
      kind: 'passed',
      opened: {
        intent: committed(moved.intent),
        session: moved.sessionMoved ? committed(moved.session) : moved.session,
        operation: committed(next),
        paymentOperation: null,
        refund: null,
      },
    },
    atLimit: full,
  };
}
