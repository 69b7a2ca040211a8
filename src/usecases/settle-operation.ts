// Applies the acquirer's outcome of an operation to the payment, with its events, in one commit. Repeating it has no
// effect: an operation that has an outcome keeps it.

import { decline, uncount } from '../domain/attempt-counts.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { DeclineLimits } from '../domain/decline-limits.ts';
import { isAnswered } from '../domain/idempotency.ts';
import { type Moved, move, type Payment, type Trigger } from '../domain/life-cycle.ts';
import type { Moment } from '../domain/moment.ts';
import {
  inquiredOffSchedule,
  inquiredOnSchedule,
  lapseReason,
  type Operation,
  type OperationStatus,
} from '../domain/operation.ts';
import { paymentErrorFor } from '../domain/payment-error.ts';
import { authorisationLifeMs, nextReleaseAt } from '../domain/payment-intent.ts';
import { type Refund, settleRefund } from '../domain/refund.ts';
import { type MoneyOutcome, type Processor, ProcessorSilent } from '../processors/processor.ts';
import { StorageUnavailable } from '../storage/store.ts';
import type { CountingDeps } from './count-attempt.ts';
import { type Decision, decideAndCommit, type Receipt } from './decide-and-commit.ts';

export interface AcquirerDeps extends CountingDeps {
  readonly processor: Processor;
  /** Called for an operation that was committed and sent, but could not be settled: it is reconciled later. */
  readonly onUnsettled: (operationId: string, error: unknown) => void;
}

export interface Settling {
  /** Stores the response to a request with an Idempotency-Key. */
  readonly receipt?: Receipt<Settled> | undefined;
  /**
   * An inquiry of the job, after which it waits longer for the next one. Other inquiries do not lengthen the wait.
   */
  readonly scheduled?: boolean;
  /** As they were just committed: they need not be read, and if they have changed since, the commit conflicts. */
  readonly known?: OpenedOperation | undefined;
}

/** A committed operation, with the records it refers to as of then. */
export interface OpenedOperation extends Payment {
  readonly operation: Operation;
  readonly refund: Refund | null;
}

/** The outcome if the acquirer did not respond. */
export const noResponse: MoneyOutcome = { outcome: 'pending', customerDone: false };

/** The payment after an operation, the refund if it was one, and the status of the operation. */
export interface Settled extends Payment {
  readonly refund: Refund | null;
  readonly operation: OperationStatus;
}

/** Authorises a committed payment operation, and commits the outcome. */
export function authorise(deps: AcquirerDeps, known: OpenedOperation): Promise<Settled> {
  const { id, livemode } = known.operation;
  return askAndSettle(deps, id, () => deps.processor.authorise(id, livemode), { known });
}

export async function askAndSettle(
  deps: AcquirerDeps,
  operationId: string,
  ask: () => Promise<MoneyOutcome>,
  settling: Settling = {},
): Promise<Settled> {
  let outcome: MoneyOutcome;
  try {
    outcome = await ask();
  } catch (error) {
    if (!(error instanceof ProcessorSilent)) throw error;
    outcome = noResponse;
  }
  return settleOperation(deps, operationId, outcome, settling);
}

/** Returns the payment as it is afterwards. */
export async function settleOperation(
  { store, moment, declineLimits }: AcquirerDeps,
  operationId: string,
  outcome: MoneyOutcome,
  { receipt, scheduled = false, known }: Settling = {},
): Promise<Settled> {
  async function read(): Promise<OpenedOperation> {
    const operation = await store.findBy('operations', 'id', operationId);
    const payment = operation && (await store.find('paymentsByIntent', operation, operation.paymentIntentId));
    if (operation === null || payment === null) throw new Error(`there is no operation ${operationId}`);
    const refund = operation.refundId === null ? null : await store.find('refunds', operation, operation.refundId);
    return { ...payment, operation, refund };
  }

  async function decideOutcome(fromMemory?: OpenedOperation): Promise<Decision<Settled>> {
    const { operation, refund, ...payment } = fromMemory ?? (await read());
    const before: Settled = { ...payment, refund, operation: operation.status };
    if (operation.status !== 'pending') return { changes: {}, result: before };
    const at = { moment: moment(), scheduled };
    const decision =
      refund === null
        ? counted(operation, decide(operation, payment, outcome, at), outcome, declineLimits, at.moment.now)
        : settleRefundOperation(operation, { ...payment, refund }, outcome, at);
    if (decision !== null) {
      const [{ status } = operation] = decision.changes.operations ?? [];
      return { changes: decision.changes, result: { refund: null, ...decision.result, operation: status } };
    }
    if (fromMemory !== undefined) return decideOutcome();
    // It was settled concurrently between these reads: writing the stale version makes the commit conflict, so we read
    // again.
    const { version } = (await store.findBy('operations', 'id', operationId)) ?? operation;
    if (version === operation.version) throw new Error(`operation ${operationId} cannot end as ${outcome.outcome}`);
    return { changes: { operations: [operation] }, result: before };
  }

  const settled = await decideAndCommit(store, async (round) => {
    const { changes, result } = await decideOutcome(round === 0 ? known : undefined);
    const answer = receipt?.(result) ?? null;
    const stored = answer && (await store.find('idempotencyRecords', answer, answer.key));
    // The outcome is committed even if another request with the key was answered first.
    const answeredBefore = stored !== null && (isAnswered(stored) || stored.fingerprint !== answer?.fingerprint);
    if (answer === null || answeredBefore) return { changes, result: { settled: result, answeredBefore } };
    const record = { ...answer, version: stored?.version ?? 0 };
    return { changes: { ...changes, idempotencyRecords: [record] }, result: { settled: result, answeredBefore } };
  });
  if ('refused' in settled) throw new StorageUnavailable(settled.message);
  if ('answeredBefore' in settled || settled.done.answeredBefore) throw new AnsweredMeanwhile();
  return settled.done.settled;
}

/** A request with the same idempotency key was answered first. */
export class AnsweredMeanwhile extends Error {
  override readonly name = 'AnsweredMeanwhile';
}

const succeeds = ({ outcome }: MoneyOutcome): boolean => outcome === 'done' || outcome === 'authorised';

function closed(operation: Operation, outcome: MoneyOutcome): Operation {
  return { ...operation, status: succeeds(outcome) ? 'succeeded' : 'failed', dueAt: null };
}

/** When an outcome is settled, and whether by a scheduled inquiry. */
interface Settlement {
  readonly moment: Moment;
  readonly scheduled: boolean;
}

/**
 * Counts the attempt once it has ended, or once its outcome will follow later, which is no sign of card testing. The
 * operation then drops the keys that the attempt was counted by.
 */
function counted(
  { attempt }: Operation,
  decision: Decision<Payment> | null,
  outcome: MoneyOutcome,
  limits: DeclineLimits,
  now: number,
): Decision<Payment> | null {
  const inProgress = outcome.outcome === 'pending' && !outcome.customerDone;
  if (decision === null || attempt === null || inProgress) return decision;
  const operations = decision.changes.operations?.map((operation) => ({ ...operation, attempt: null })) ?? [];
  const attemptCounts = isCardDeclined(outcome) ? decline(attempt, limits, now) : uncount(attempt, limits, now);
  return { ...decision, changes: { ...decision.changes, operations, attemptCounts } };
}

/** The bank declined the card. A processing error says nothing about the card. */
function isCardDeclined(outcome: MoneyOutcome): boolean {
  return outcome.outcome === 'declined' && outcome.code !== 'processing_error';
}

/** Null, here and below: no such transition. */
function decide(
  operation: Operation,
  payment: Payment,
  outcome: MoneyOutcome,
  settlement: Settlement,
): Decision<Payment> | null {
  const { moment } = settlement;
  if (outcome.outcome === 'pending') return stillPending(operation, payment, outcome.customerDone, settlement);
  const ended = closed(operation, outcome);
  if (operation.kind === 'payment') return settlePayment(ended, payment, outcome, moment);
  if (!succeeds(outcome)) return stillHeld(ended, payment, outcome, moment);
  if (operation.kind === 'capture') return moved(ended, payment, 'capture', moment);
  return moved(ended, payment, operation.reason === lapseReason ? 'authorisation_lapsed' : 'cancel', moment);
}

function settleRefundOperation(
  operation: Operation,
  { intent, session, refund }: Payment & { refund: Refund },
  outcome: MoneyOutcome,
  settlement: Settlement,
): Decision<Payment & { refund: Refund }> | null {
  if (outcome.outcome === 'pending') {
    const { changes } = stillPending(operation, { intent, session }, false, settlement);
    return { changes, result: { intent, session, refund } };
  }
  const change = settleRefund(intent, refund, succeeds(outcome) ? 'succeeded' : 'failed', settlement.moment);
  if (change === null) return null;
  return {
    changes: {
      operations: [closed(operation, outcome)],
      refunds: [change.refund],
      // Its amount was reserved when the refund was opened, so hundreds of concurrent successes do not conflict on the
      // intent.
      ...(change.intent === intent ? {} : { paymentIntents: [change.intent] }),
      events: change.events,
    },
    result: { intent: change.intent, session, refund: change.refund },
  };
}

/** The customer may be done even so: then the session completes, and the outcome follows. */
function stillPending(
  operation: Operation,
  payment: Payment,
  customerDone: boolean,
  { moment, scheduled }: Settlement,
): Decision<Payment> {
  const later = scheduled ? inquiredOnSchedule(operation, moment.now) : inquiredOffSchedule(operation, moment.now);
  const operations = later === operation ? [] : [later];
  const completes = operation.kind === 'payment' && customerDone && payment.session.status === 'open';
  const done = completes ? move(payment, 'customer_done', moment) : null;
  if (done === null) return { changes: { operations }, result: payment };
  return { changes: { ...changesOf(done), operations }, result: done };
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
    ...(operation.kind === 'void' ? { cancellationReason: operation.reason } : {}),
  });
  if (result === null) return null;
  return { changes: { ...changesOf(result), operations: [operation] }, result };
}

/** A failed capture or void leaves the authorisation unchanged; if it has lapsed, it is voided again later. */
function stillHeld(
  operation: Operation,
  payment: Payment,
  { outcome }: MoneyOutcome,
  { now }: Moment,
): Decision<Payment> {
  const { captureBefore } = payment.intent;
  const lapsed = operation.kind === 'void' && captureBefore !== null && captureBefore <= now;
  const intent = {
    ...payment.intent,
    pendingOperationId: null,
    captureBefore: lapsed ? nextReleaseAt(outcome === 'not_made' ? 'lost' : 'refused', now) : captureBefore,
  };
  return { changes: { operations: [operation], paymentIntents: [intent] }, result: { ...payment, intent } };
}

export function changesOf({ intent, session, sessionMoved, events }: Moved): ChangeSet {
  return { paymentIntents: [intent], checkoutSessions: sessionMoved ? [session] : [], events };
}
