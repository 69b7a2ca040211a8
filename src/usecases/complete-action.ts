// The customer comes back from a challenge or a bank's page: the payment goes on, or the form is shown again.

import { move } from '../domain/life-cycle.ts';
import { firstInquiryAfterMs, inquiredOnSchedule, type Operation } from '../domain/operation.ts';
import { paymentErrorFor } from '../domain/payment-error.ts';
import { type ActionOutcome, ProcessorSilent } from '../processors/processor.ts';
import { decideAndCommit } from './decide-and-commit.ts';
import { type AcquirerDeps, authorise, changesOf } from './settle-operation.ts';

/** Whether the payment is still waiting for the customer. `scheduled`: asked by the job, and not by a visit. */
export async function completeAction(
  deps: AcquirerDeps,
  operationId: string,
  { scheduled = false }: { scheduled?: boolean } = {},
): Promise<'waiting' | 'moved'> {
  const action = await askAction(deps, operationId);
  const outcome = await decideAndCommit(deps.store, async () => {
    const operation = await deps.store.operation(operationId);
    if (operation === null || operation.status !== 'action_needed') return { changes: {}, result: 'moved' as const };
    return decide(deps, operation, action, scheduled);
  });
  if (!('done' in outcome)) throw new Error(`the action of ${operationId} could not be completed`);
  if (outcome.done !== 'passed') return outcome.done;
  await authorise(deps, operationId);
  return 'moved';
}

async function askAction({ processor }: AcquirerDeps, operationId: string): Promise<ActionOutcome> {
  try {
    return await processor.actionOf(operationId);
  } catch (error) {
    if (error instanceof ProcessorSilent) return 'waiting';
    throw error;
  }
}

async function decide(
  { store, moment }: AcquirerDeps,
  operation: Operation,
  action: ActionOutcome,
  scheduled: boolean,
) {
  const at = moment();
  const payment = await store.paymentOfIntent(operation, operation.paymentIntentId);
  const trigger = action === 'passed' ? 'action_passed' : 'action_failed';
  const failure = operation.paymentMethod?.type === 'card' ? 'authentication_failed' : 'bank_declined';
  if (payment === null || payment.intent.status !== 'requires_action' || payment.intent.operationId !== operation.id) {
    // The session expired meanwhile: nothing was authorised, and nothing will be.
    const closed: Operation = { ...operation, status: 'failed', dueAt: null };
    return { changes: { operations: [closed] }, result: 'moved' as const };
  }
  if (action === 'waiting') {
    // Customers come back as often as they like: that must neither put off the next inquiry nor make them more.
    const operations = scheduled ? [inquiredOnSchedule(operation, at.now)] : [];
    return { changes: { operations }, result: 'waiting' as const };
  }
  const passed = action === 'passed';
  const moved = move(payment, trigger, at, passed ? {} : { lastPaymentError: paymentErrorFor(failure) });
  if (moved === null) throw new Error(`operation ${operation.id} cannot go on from ${payment.intent.status}`);
  const next: Operation = passed
    ? { ...operation, status: 'pending', dueAt: at.now + firstInquiryAfterMs, inquiries: 0 }
    : { ...operation, status: 'failed', dueAt: null };
  return {
    changes: { ...changesOf(moved), operations: [next] },
    result: passed ? ('passed' as const) : ('moved' as const),
  };
}
