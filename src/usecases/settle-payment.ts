// What the outcome of a payment operation changes: the payment that waits for it, or, if that has already ended, nothing
// but the return of the money.

import type { MoneyOutcome } from '../acquirers/acquirer.ts';
import { type CountChange, decline, failChallenge, uncount } from '../domain/attempt-counts.ts';
import { type MoveDetails, move, type Payment, type Trigger } from '../domain/life-cycle.ts';
import { type Operation, withStep } from '../domain/operation.ts';
import { authorisationLifeMs, type PaymentError } from '../domain/payment-intent.ts';
import type { Decision } from './decide-and-commit.ts';
import { returned } from './return-late-payment.ts';
import { changesOf, closed, errorOf, inquiredAgain, type Settlement } from './settlement.ts';

/** The payment intent waits for this operation: it is `processing` or `requires_action`. */
export function settlePayment(
  operation: Operation,
  payment: Payment,
  outcome: MoneyOutcome,
  settlement: Settlement,
): Decision<Payment> {
  const known = withReference(operation, payment);
  const { now } = settlement.moment;
  switch (outcome.kind) {
    case 'action':
      return withIntent(known, payment, waitForAction(operation, known, outcome.url, settlement));
    case 'ready':
    case 'pending':
      return withIntent(known, payment, stillPending(operation, known, outcome, settlement));
    case 'done':
      return ended(operation, known, outcome, settlement, {
        trigger: 'captured',
        details: {
          captureBefore: null,
          amountCaptured: payment.intent.amountCaptured + (outcome.captured ?? operation.amount),
        },
      });
    case 'authorised':
      return ended(operation, known, outcome, settlement, {
        trigger: 'authorised',
        details: { captureBefore: outcome.captureBefore ?? now + authorisationLifeMs },
      });
    default:
      if (expiresWith(outcome, payment, now)) {
        const { lastPaymentError: error } = known.intent;
        return ended(operation, known, outcome, settlement, { trigger: 'session_expired', details: {}, error });
      }
      return ended(operation, known, outcome, settlement, {
        trigger: payment.intent.status === 'requires_action' ? 'action_failed' : 'declined',
        details: { captureBefore: null },
        error: errorOf(outcome, operation),
      });
  }
}

/** The payment intent has ended, or was paid by another operation: money that arrives now is returned. */
export function settleEndedPayment(
  operation: Operation,
  payment: Payment,
  outcome: MoneyOutcome,
  settlement: Settlement,
): Decision<Payment> {
  if (outcome.kind === 'pending' || outcome.kind === 'action' || outcome.kind === 'ready') {
    return { changes: { operations: inquiredAgain(operation, settlement) }, result: payment };
  }
  const last = { ...closed(operation, outcome, settlement.moment.now), attempt: null };
  const attemptCounts = countsOf(operation, outcome, settlement);
  if (outcome.kind !== 'done' && outcome.kind !== 'authorised') {
    return { changes: { operations: [last], attemptCounts }, result: payment };
  }
  const { changes, result } = returned(last, payment, outcome, settlement.moment);
  return { changes: { ...changes, attemptCounts }, result };
}

/** The reference that merchants see follows the operation. */
function withReference({ acquirerReference }: Operation, payment: Payment): Payment {
  const { acquirer } = payment.intent;
  if (acquirer === null || acquirerReference === null || acquirer.reference === acquirerReference) return payment;
  return { ...payment, intent: { ...payment.intent, acquirer: { ...acquirer, reference: acquirerReference } } };
}

/** The intent is written even if its status stays the same, if there is something new to store. */
function withIntent({ intent }: Payment, stored: Payment, decision: Decision<Payment>): Decision<Payment> {
  const { changes } = decision;
  if (intent === stored.intent || (changes.paymentIntents ?? []).length > 0) return decision;
  return { ...decision, changes: { ...changes, paymentIntents: [intent] } };
}

/** The customer has to act, now or still. The attempt counts again when the payment is sent for authorisation. */
function waitForAction(operation: Operation, payment: Payment, url: string, settlement: Settlement): Decision<Payment> {
  const { moment, scheduled, limits, before } = settlement;
  const waits = before.status === 'action_needed';
  if (waits && before.actionUrl === url) {
    // Customers may return as often as they like: that must neither delay the next inquiry nor add more of them.
    const operations = scheduled ? inquiredAgain(operation, settlement) : operation === before ? [] : [operation];
    return { changes: { operations }, result: payment };
  }
  const { attempt } = operation;
  const sent: Operation = {
    ...operation,
    status: 'action_needed',
    actionUrl: url,
    attempt: attempt && { ...attempt, slot: null },
  };
  const next = withStep(sent, { at: moment.now, step: 'action_needed' });
  const operations = inquiredAgain(next, settlement);
  const moved = waits ? null : move(payment, 'action_needed', moment);
  if (moved === null) return { changes: { operations }, result: payment };
  const attemptCounts = attempt === null ? [] : uncount(attempt, limits, moment.now);
  return { changes: { ...changesOf(moved), operations, attemptCounts }, result: moved };
}

/** The customer may be done even so: then the session completes, and the outcome follows. */
function stillPending(
  operation: Operation,
  payment: Payment,
  outcome: MoneyOutcome & { kind: 'pending' | 'ready' },
  settlement: Settlement,
): Decision<Payment> {
  const customerDone = outcome.kind === 'pending' && outcome.customerDone;
  const isOver = operation.status === 'action_needed' && outcome.kind === 'pending';
  const pending: Operation = isOver
    ? withStep({ ...operation, status: 'pending', inquiries: 0 }, { at: settlement.moment.now, step: 'action_done' })
    : operation;
  // An outcome that follows later is no sign of card testing.
  const uncounted = customerDone && pending.attempt !== null ? { ...pending, attempt: null } : pending;
  const operations = inquiredAgain(uncounted, settlement);
  const processing = isOver ? afterAction(payment, settlement) : payment;
  const completes = customerDone && payment.session.status === 'open';
  const done = completes ? move(processing, 'customer_done', settlement.moment) : null;
  const attemptCounts = customerDone ? countsOf(operation, outcome, settlement) : [];
  if (done !== null) return { changes: { ...changesOf(done), operations, attemptCounts }, result: done };
  const paymentIntents = operations.length > 0 && processing.intent !== payment.intent ? [processing.intent] : [];
  return { changes: { operations, paymentIntents, attemptCounts }, result: processing };
}

/**
 * Nobody completed the action, and the session's time is up. Expiry cancels the payment at the provider, whose notification
 * may arrive before that is committed: the session expires either way, and there is no failed attempt to report.
 */
function expiresWith({ kind }: MoneyOutcome, { intent, session }: Payment, now: number): boolean {
  const isUnanswered = intent.status === 'requires_action' && (kind === 'not_made' || kind === 'abandoned');
  return isUnanswered && session.status === 'open' && session.expiresAt <= now;
}

interface Ending {
  readonly trigger: Trigger;
  readonly details: MoveDetails;
  readonly error?: PaymentError | null;
}

function ended(
  operation: Operation,
  payment: Payment,
  outcome: MoneyOutcome,
  settlement: Settlement,
  { trigger, details, error }: Ending,
): Decision<Payment> {
  const last = { ...closed(operation, outcome, settlement.moment.now), attempt: null };
  const isAfterAction = trigger !== 'action_failed' && trigger !== 'session_expired';
  const from = isAfterAction ? afterAction(payment, settlement) : payment;
  const moved = move(from, trigger, settlement.moment, {
    ...details,
    pendingOperationId: null,
    lastPaymentError: error ?? null,
  });
  if (moved === null) throw new Error(`${payment.intent.status} has no transition ${trigger}`);
  return {
    changes: { ...changesOf(moved), operations: [last], attemptCounts: countsOf(operation, outcome, settlement) },
    result: moved,
  };
}

/** The money can move while the customer is at the provider: then both transitions are one commit. */
function afterAction(payment: Payment, { moment }: Settlement): Payment {
  return payment.intent.status === 'requires_action' ? (move(payment, 'action_passed', moment) ?? payment) : payment;
}

/** Counts the attempt once it has ended. The operation then drops the keys that the attempt was counted by. */
function countsOf(
  { attempt, status }: Operation,
  outcome: MoneyOutcome,
  { limits, moment: { now } }: Settlement,
): CountChange[] {
  if (attempt === null) return [];
  const failed = outcome.kind === 'abandoned' && outcome.reason === 'failed';
  if (status === 'action_needed') return failed || isCardDeclined(outcome) ? failChallenge(attempt, limits, now) : [];
  return isCardDeclined(outcome) ? decline(attempt, limits, now) : uncount(attempt, limits, now);
}

/** The bank declined the card. A processing error says nothing about the card. */
function isCardDeclined(outcome: MoneyOutcome): boolean {
  return outcome.kind === 'declined' && outcome.decline.code !== 'processing_error';
}
