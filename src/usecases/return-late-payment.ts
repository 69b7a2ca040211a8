// Money that arrives for a payment that has already ended here goes back: what was captured is refunded, and what is only
// authorised is released. A provider that refuses is asked again for a while. Then the merchant is told, and can refund
// the payment themselves.

import type { Answer, MoneyOutcome } from '../acquirers/acquirer.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Moment } from '../domain/moment.ts';
import {
  latePaymentReason,
  newOperation,
  type Operation,
  type OperationKind,
  ofPayment,
  secondPaymentReason,
  sentAfter,
} from '../domain/operation.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import { openLateRefund, openSecondRefund } from '../domain/refund.ts';
import type { Store } from '../storage/store.ts';
import { type OpenedOperation, withAnswer } from './ask-acquirer.ts';
import type { Decision } from './decide-and-commit.ts';

/** Records money that arrived too late, and the refund or void that returns it: the job sends that immediately. */
export function returned(
  operation: Operation,
  payment: Payment,
  outcome: MoneyOutcome & { kind: 'done' | 'authorised' },
  moment: Moment,
): Decision<Payment> {
  const { intent, session } = payment;
  const endedUnpaid = hasEndedUnpaid(intent);
  const reason = endedUnpaid ? latePaymentReason : secondPaymentReason;
  if (outcome.kind === 'authorised') {
    const about = { ...ofPayment(operation), reason };
    const release = { ...returning('void', operation, about, moment), dueAt: moment.now };
    return { changes: { operations: [operation, release] }, result: payment };
  }
  const paid = { ...operation, amount: outcome.captured ?? operation.amount };
  const change = (endedUnpaid ? openLateRefund : openSecondRefund)(intent, paid.amount, moment);
  const about = { ...ofPayment(operation), reason, refundId: change.refund.id };
  const refund = { ...returning('refund', paid, about, moment), dueAt: moment.now };
  return {
    changes: {
      operations: [operation, refund],
      refunds: [change.refund],
      paymentIntents: [change.intent],
      events: change.events,
    },
    result: { intent: change.intent, session },
  };
}

/** The operation has failed here. If the provider has the money nevertheless, it is recorded and returned. */
export async function returnedAfterAll(
  store: Store,
  { operation: failed, intent, session }: OpenedOperation,
  answer: Answer,
  moment: Moment,
): Promise<ChangeSet> {
  const { outcome } = answer;
  if (failed.status !== 'failed' || (outcome.kind !== 'done' && outcome.kind !== 'authorised')) return {};
  const operation: Operation = { ...withAnswer(failed, answer), status: 'succeeded' };
  const payment = await asPaidBy(store, operation, { intent, session }, outcome);
  return returned(operation, payment, outcome, moment).changes;
}

function hasEndedUnpaid({ status, amountCaptured }: PaymentIntent): boolean {
  return (status === 'canceled' || status === 'expired') && amountCaptured === 0;
}

/**
 * The payment, if it has ended unpaid, as if the attempt that was paid had been its last: what the merchant refunds of it
 * is money of that attempt.
 */
export async function asPaidBy(
  store: Store,
  operation: Operation,
  payment: Payment,
  { kind }: MoneyOutcome,
): Promise<Payment> {
  const { intent } = payment;
  const { id, acquirerId, acquirerReference, paymentMethod } = operation;
  if (kind !== 'done' || intent.operationId === id || !hasEndedUnpaid(intent)) return payment;
  const account = acquirerId === null ? null : await store.find('acquirerAccounts', operation, acquirerId);
  // The sandbox calls a payment by our id.
  const acquirer =
    account === null
      ? { provider: 'sandbox', reference: id }
      : { provider: account.provider, reference: acquirerReference };
  return { ...payment, intent: { ...intent, operationId: id, acquirer, paymentMethod } };
}

/** Long enough to survive an outage, or for a merchant to fill up their balance at the provider. */
const refundsForMs = 24 * 3_600_000;
/** By then, banks have released the money by themselves. */
const releasesForMs = 30 * 24 * 3_600_000;

/** Also before the next try after a request that was lost: the provider did not refuse it. */
const shortestWaitMs = 60_000;
/** Providers keep idempotency keys for an hour at least, from which an operation that waited must have much left. */
const longestWaitMs = 30 * 60_000;

/**
 * The provider has not returned the money, and never will under this id: a refused request would be refused again, and a
 * lost one can no longer be repeated. It is made under a new id, for the same refund: after as long as it was tried before,
 * within limits. Null: it was tried for long enough. A request that was lost in a long outage gets another chance.
 */
export function returnedAgain(
  ended: Operation,
  outcome: MoneyOutcome,
  { since, moment }: { since: number; moment: Moment },
): ChangeSet | null {
  const isLost = outcome.kind === 'not_made';
  const triedForMs = (isLost ? ended.createdAt : moment.now) - since;
  if (triedForMs >= (ended.kind === 'refund' ? refundsForMs : releasesForMs)) return null;
  const { acquirerId, paymentOperationId, refundId, reason } = ended;
  const again = returning(ended.kind, ended, { acquirerId, paymentOperationId, refundId, reason }, moment);
  const waitMs = isLost ? shortestWaitMs : Math.min(Math.max(triedForMs, shortestWaitMs), longestWaitMs);
  return { operations: [ended, sentAfter(again, waitMs, moment.now)] };
}

function returning(
  kind: OperationKind,
  { merchantId, livemode, paymentIntentId, checkoutSessionId, amount }: Operation,
  about: Pick<Operation, 'acquirerId' | 'paymentOperationId' | 'reason'> & Partial<Pick<Operation, 'refundId'>>,
  moment: Moment,
): Operation {
  const fields = { kind, paymentIntentId, checkoutSessionId, amount, ...about };
  return newOperation(moment.newId('op'), { merchantId, livemode }, fields, moment);
}
