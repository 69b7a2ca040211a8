// An authorised payment can be captured or released at the provider without us, in its dashboard for example.

import type { MoneyOutcome } from '../acquirers/acquirer.ts';
import { move, type Payment } from '../domain/life-cycle.ts';
import type { Moment } from '../domain/moment.ts';
import { importReason, type Operation } from '../domain/operation.ts';
import { type AcquirerDeps, inquireAt, type OpenedOperation, readOperation } from './ask-acquirer.ts';
import { decideAndCommitOrThrow } from './decide-and-commit.ts';
import { withMail } from './queue-mail.ts';
import type { Settled } from './settle-operation.ts';
import { changesOf } from './settlement.ts';

/** Asks the provider about an authorised payment that no operation of ours is about to change. */
export async function importCapture(deps: AcquirerDeps, { id }: Operation): Promise<void> {
  const opened = await readOperation(deps.store, id);
  if (opened === null || !isHeld(opened)) return;
  const { outcome } = await inquireAt(deps, opened);
  await decideAndCommitOrThrow(deps.store, async () => {
    const current = await readOperation(deps.store, id);
    const moved = current !== null && isHeld(current) ? movedBy(outcome, current, deps.moment()) : null;
    return current === null || moved === null ? {} : withMail(deps, current, changesOf(moved));
  });
}

/**
 * A capture or void of ours fails if the payment was captured or released at the provider before. The notification of
 * that may have come while ours was in progress, or never. An error is only reported: what failed stays failed, and the
 * provider is asked again when the authorisation lapses.
 */
export async function importAfterFailure(
  deps: AcquirerDeps,
  { operation, paymentOperation }: OpenedOperation,
  settled: Settled,
): Promise<void> {
  const isOfHeldPayment = operation.kind === 'capture' || operation.kind === 'void';
  if (settled.operation !== 'failed' || !isOfHeldPayment || paymentOperation === null) return;
  try {
    await importCapture(deps, paymentOperation);
  } catch (error) {
    deps.onUnsettled(operation.id, error);
  }
}

function isHeld({ operation, intent }: OpenedOperation): boolean {
  const isOurs = intent.status === 'requires_capture' && intent.operationId === operation.id;
  return isOurs && intent.pendingOperationId === null;
}

/** Null if the payment is still held. */
function movedBy(outcome: MoneyOutcome, { operation, intent, session }: OpenedOperation, moment: Moment) {
  const payment: Payment = { intent, session };
  if (outcome.kind === 'done') {
    const amountCaptured = intent.amountCaptured + (outcome.captured ?? operation.amount);
    return move(payment, 'capture', moment, { amountCaptured, captureBefore: null });
  }
  if (outcome.kind !== 'not_made' && outcome.kind !== 'abandoned') return null;
  return move(payment, 'cancel', moment, { captureBefore: null, cancellationReason: importReason });
}
