// The customer returns from a challenge or a bank's page: the payment continues, or the form is shown again.

import { attemptKeysRetentionMs, failChallenge, start } from '../domain/attempt-counts.ts';
import { committed } from '../domain/change-set.ts';
import { move } from '../domain/life-cycle.ts';
import { firstInquiryAfterMs, inquiredOnSchedule, type Operation } from '../domain/operation.ts';
import { type FailureCode, paymentErrorFor } from '../domain/payment-error.ts';
import { type ActionOutcome, ProcessorSilent } from '../processors/processor.ts';
import { type Full, full, whenCapacityAllows } from './count-attempt.ts';
import { type Decision, decideAndCommit } from './decide-and-commit.ts';
import { type AcquirerDeps, authorise, changesOf, type OpenedOperation } from './settle-operation.ts';

/**
 * Returns whether the payment is still waiting for the customer. `scheduled`: called by the job rather than by a visit.
 */
export async function completeAction(
  deps: AcquirerDeps,
  operationId: string,
  { scheduled = false }: { scheduled?: boolean } = {},
): Promise<'waiting' | 'moved'> {
  const operation = await deps.store.findBy('operations', 'id', operationId);
  if (operation === null) return 'moved';
  const action = await fetchAction(deps, operation);
  const commitWith = (outcome: ActionOutcome | 'no_capacity') => () =>
    commitAction(deps, operationId, outcome, scheduled);
  const ended = await whenCapacityAllows(deps, operation.attempt?.keys ?? null, commitWith(action));
  const done =
    ended.kind === 'slow_down' || ended.kind === 'too_many_attempts' ? await commitWith('no_capacity')() : ended;
  if (done.kind !== 'passed') return done.kind === 'waiting' ? 'waiting' : 'moved';
  await authorise(deps, done.opened);
  return 'moved';
}

type Completed =
  | { readonly kind: 'waiting' | 'moved' }
  | { readonly kind: 'passed'; readonly opened: OpenedOperation }
  | Full;

async function commitAction(
  deps: AcquirerDeps,
  operationId: string,
  action: ActionOutcome | 'no_capacity',
  scheduled: boolean,
): Promise<Completed> {
  const outcome = await decideAndCommit<Completed>(deps.store, async () => {
    const operation = await deps.store.findBy('operations', 'id', operationId);
    if (operation === null || operation.status !== 'action_needed') return { changes: {}, result: { kind: 'moved' } };
    return decide(deps, operation, action, scheduled);
  });
  if (!('done' in outcome)) throw new Error(`the action of ${operationId} could not be completed`);
  return outcome.done;
}

async function fetchAction({ processor }: AcquirerDeps, { id, livemode }: Operation): Promise<ActionOutcome> {
  try {
    return await processor.actionOf(id, livemode);
  } catch (error) {
    if (error instanceof ProcessorSilent) return 'waiting';
    throw error;
  }
}

async function decide(
  { store, moment, declineLimits }: AcquirerDeps,
  operation: Operation,
  action: ActionOutcome | 'no_capacity',
  scheduled: boolean,
): Promise<Decision<Completed>> {
  const at = moment();
  const payment = await store.find('paymentsByIntent', operation, operation.paymentIntentId);
  if (payment === null || payment.intent.status !== 'requires_action' || payment.intent.operationId !== operation.id) {
    // The session expired meanwhile: nothing was authorised, and nothing will be. Leaving is not a decline.
    return { changes: { operations: [closed(operation)] }, result: { kind: 'moved' } };
  }
  if (action === 'waiting') {
    // Customers may return as often as they like: that must neither delay the next inquiry nor add more of them.
    const operations = scheduled ? [inquiredOnSchedule(operation, at.now)] : [];
    return { changes: { operations }, result: { kind: 'waiting' } };
  }
  const byCard = operation.paymentMethod?.type === 'card';
  // The keys that the attempt would count by have been erased by now, so it must not be made any more.
  const tooLate = byCard && at.now - operation.createdAt >= attemptKeysRetentionMs(declineLimits);
  if (action !== 'passed' || tooLate) {
    const moved = move(payment, 'action_failed', at, {
      lastPaymentError: paymentErrorFor(failureCode(action, byCard)),
    });
    if (moved === null) throw new Error(`operation ${operation.id} cannot go on from ${payment.intent.status}`);
    const failedChallenge = action === 'failed' && operation.attempt !== null;
    const attemptCounts = failedChallenge ? failChallenge(operation.attempt, declineLimits, at.now) : [];
    return {
      changes: { ...changesOf(moved), operations: [closed(operation)], attemptCounts },
      result: { kind: 'moved' },
    };
  }
  const moved = move(payment, 'action_passed', at);
  if (moved === null) throw new Error(`operation ${operation.id} cannot go on from ${payment.intent.status}`);
  const started = operation.attempt && start(operation.attempt.keys, declineLimits, at.now);
  const next: Operation = {
    ...operation,
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
        refund: null,
      },
    },
    atLimit: full,
  };
}

function failureCode(action: Exclude<ActionOutcome, 'waiting'> | 'no_capacity', byCard: boolean): FailureCode {
  if (action === 'canceled') return 'customer_canceled';
  if (action !== 'failed') return 'processing_error';
  return byCard ? 'authentication_failed' : 'bank_declined';
}

function closed(operation: Operation): Operation {
  return { ...operation, status: 'failed', attempt: null, dueAt: null };
}
