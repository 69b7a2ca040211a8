// What the acquirer said of an operation becomes the payment's state, with its events, in one commit. Said twice, it
// counts once: an operation that has its outcome keeps it.

import { decline, giveBack } from '../domain/attempt-counts.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { DeclineLimits } from '../domain/decline-limits.ts';
import { type Moved, move, type Payment, type Trigger } from '../domain/life-cycle.ts';
import type { Moment } from '../domain/moment.ts';
import { nextInquiryAt, type Operation, type OperationStatus } from '../domain/operation.ts';
import { paymentErrorFor } from '../domain/payment-error.ts';
import { authorisationLifeMs } from '../domain/payment-intent.ts';
import { type Refund, settleRefund } from '../domain/refund.ts';
import { type MoneyOutcome, type Processor, ProcessorSilent } from '../processors/processor.ts';
import type { CountingDeps } from './count-attempt.ts';
import { type Decision, decideAndCommit, type Receipt } from './decide-and-commit.ts';

export interface AcquirerDeps extends CountingDeps {
  readonly processor: Processor;
}

/** The payment after an operation, the refund that the operation was for, and how the operation stands. */
export interface Settled extends Payment {
  readonly refund: Refund | null;
  readonly operation: OperationStatus;
}

/** Asks for the money of a committed payment operation, and commits what came of it. */
export function authorise(deps: AcquirerDeps, operationId: string, livemode: boolean): Promise<Settled> {
  return askAndSettle(deps, operationId, () => deps.processor.authorise(operationId, livemode));
}

export async function askAndSettle(
  deps: AcquirerDeps,
  operationId: string,
  ask: () => Promise<MoneyOutcome>,
  receipt?: Receipt<Settled>,
): Promise<Settled> {
  let outcome: MoneyOutcome;
  try {
    outcome = await ask();
  } catch (error) {
    if (!(error instanceof ProcessorSilent)) throw error;
    outcome = { outcome: 'pending', customerDone: false };
  }
  return settleOperation(deps, operationId, outcome, receipt);
}

/** Answers the payment as it is afterwards. */
export async function settleOperation(
  { store, moment, declineLimits }: AcquirerDeps,
  operationId: string,
  outcome: MoneyOutcome,
  receipt?: Receipt<Settled>,
): Promise<Settled> {
  const settled = await decideAndCommit<Settled>(
    store,
    async () => {
      const operation = await store.operation(operationId);
      const payment = operation && (await store.paymentOfIntent(operation, operation.paymentIntentId));
      if (operation === null || payment === null) throw new Error(`there is no operation ${operationId}`);
      const refund = operation.refundId === null ? null : await store.refund(operation, operation.refundId);
      const before: Settled = { ...payment, refund, operation: operation.status };
      if (operation.status !== 'pending') return { changes: {}, result: before };
      const at = moment();
      const decision =
        refund === null
          ? counted(operation, decide(operation, payment, outcome, at), outcome, declineLimits, at.now)
          : settleRefundOperation(operation, { ...payment, refund }, outcome, at);
      if (decision !== null) {
        const [{ status } = operation] = decision.changes.operations ?? [];
        return { changes: decision.changes, result: { refund: null, ...decision.result, operation: status } };
      }
      // Another settled it between these reads: writing it as it was read makes the commit conflict, and we read again.
      const { version } = (await store.operation(operationId)) ?? operation;
      if (version === operation.version) throw new Error(`operation ${operationId} cannot end as ${outcome.outcome}`);
      return { changes: { operations: [operation] }, result: before };
    },
    receipt,
  );
  if ('done' in settled) return settled.done;
  if ('answeredBefore' in settled) throw new AnsweredMeanwhile();
  throw new Error(`operation ${operationId} could not be settled: ${settled.message}`);
}

/** A request with the same idempotency key was answered first. */
export class AnsweredMeanwhile extends Error {
  override readonly name = 'AnsweredMeanwhile';
}

const succeeds = ({ outcome }: MoneyOutcome): boolean => outcome === 'done' || outcome === 'authorised';

function closed(operation: Operation, outcome: MoneyOutcome): Operation {
  return { ...operation, status: succeeds(outcome) ? 'succeeded' : 'failed', dueAt: null };
}

/**
 * The attempt is over, or its outcome is for later and no sign of card testing: then it counts as what it came to, and
 * the operation forgets by what it was counted.
 */
function counted(
  { attempt }: Operation,
  decision: Decision<Payment> | null,
  outcome: MoneyOutcome,
  limits: DeclineLimits,
  now: number,
): Decision<Payment> | null {
  const goesOn = outcome.outcome === 'pending' && !outcome.customerDone;
  if (decision === null || attempt === null || goesOn) return decision;
  const operations = decision.changes.operations?.map((operation) => ({ ...operation, attempt: null })) ?? [];
  const attemptCounts = isCardDeclined(outcome) ? decline(attempt, limits, now) : giveBack(attempt, limits, now);
  return { ...decision, changes: { ...decision.changes, operations, attemptCounts } };
}

/** The bank said no to the card. An error on the way there is none of the card's. */
function isCardDeclined(outcome: MoneyOutcome): boolean {
  return outcome.outcome === 'declined' && outcome.code !== 'processing_error';
}

/** Null, here and below: the payment cannot move so. */
function decide(
  operation: Operation,
  payment: Payment,
  outcome: MoneyOutcome,
  moment: Moment,
): Decision<Payment> | null {
  if (outcome.outcome === 'pending') return stillPending(operation, payment, outcome.customerDone, moment);
  const ended = closed(operation, outcome);
  if (operation.kind === 'payment') return settlePayment(ended, payment, outcome, moment);
  if (!succeeds(outcome)) return released(ended, payment);
  return moved(ended, payment, operation.kind === 'capture' ? 'capture' : 'cancel', moment);
}

function settleRefundOperation(
  operation: Operation,
  { intent, session, refund }: Payment & { refund: Refund },
  outcome: MoneyOutcome,
  moment: Moment,
): Decision<Payment & { refund: Refund }> | null {
  if (outcome.outcome === 'pending') {
    const { changes } = stillPending(operation, { intent, session }, false, moment);
    return { changes, result: { intent, session, refund } };
  }
  const change = settleRefund(intent, refund, succeeds(outcome) ? 'succeeded' : 'failed', moment);
  if (change === null) return null;
  return {
    changes: {
      operations: [closed(operation, outcome)],
      refunds: [change.refund],
      paymentIntents: [change.intent],
      events: change.events,
    },
    result: { intent: change.intent, session, refund: change.refund },
  };
}

/** The customer's part may be over all the same: then the session completes, and the outcome follows. */
function stillPending(
  operation: Operation,
  payment: Payment,
  customerDone: boolean,
  moment: Moment,
): Decision<Payment> {
  const later: Operation = {
    ...operation,
    dueAt: nextInquiryAt(operation.inquiries, moment.now),
    inquiries: operation.inquiries + 1,
  };
  const completes = operation.kind === 'payment' && customerDone && payment.session.status === 'open';
  const done = completes ? move(payment, 'customer_done', moment) : null;
  if (done === null) return { changes: { operations: [later] }, result: payment };
  return { changes: { ...changesOf(done), operations: [later] }, result: done };
}

function settlePayment(
  operation: Operation,
  payment: Payment,
  outcome: MoneyOutcome,
  moment: Moment,
): Decision<Payment> | null {
  switch (outcome.outcome) {
    case 'done':
      return moved(operation, payment, 'captured', moment);
    case 'authorised':
      return moved(operation, payment, 'authorised', moment);
    case 'declined':
      return moved(operation, payment, 'declined', moment, outcome.code);
    default:
      return moved(operation, payment, 'declined', moment, 'processing_error');
  }
}

function moved(
  operation: Operation,
  payment: Payment,
  trigger: Trigger,
  moment: Moment,
  declineCode?: Parameters<typeof paymentErrorFor>[0],
): Decision<Payment> | null {
  const captures = trigger === 'captured' || trigger === 'capture';
  const result = move(payment, trigger, moment, {
    pendingOperationId: null,
    captureBefore: trigger === 'authorised' ? moment.now + authorisationLifeMs : null,
    lastPaymentError: declineCode === undefined ? null : paymentErrorFor(declineCode),
    ...(captures ? { amountCaptured: operation.amount } : {}),
    ...(trigger === 'cancel' ? { cancellationReason: operation.reason } : {}),
  });
  if (result === null) return null;
  return { changes: { ...changesOf(result), operations: [operation] }, result };
}

/** A capture or void that the acquirer refused leaves the authorisation as it was. */
function released(operation: Operation, payment: Payment): Decision<Payment> {
  const intent = { ...payment.intent, pendingOperationId: null };
  return { changes: { operations: [operation], paymentIntents: [intent] }, result: { ...payment, intent } };
}

export function changesOf({ intent, session, sessionMoved, events }: Moved): ChangeSet {
  return { paymentIntents: [intent], checkoutSessions: sessionMoved ? [session] : [], events };
}
