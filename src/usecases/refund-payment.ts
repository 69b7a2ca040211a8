// Refunds all or part of a captured payment, repeatedly until nothing is left to refund.

import { isRefusal, type Refusal } from '../domain/errors.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { newOperation, ofPayment } from '../domain/operation.ts';
import { openRefund, type Refund } from '../domain/refund.ts';
import type { AcquirerDeps, OpenedOperation } from './ask-acquirer.ts';
import type { Decision, Outcome, Receipt } from './decide-and-commit.ts';
import { type Authorised, followUp } from './follow-up.ts';
import type { Settled } from './settle-operation.ts';

export interface RefundRequest {
  readonly paymentIntentId: string;
  readonly amount?: number | undefined;
  readonly reason?: string | undefined;
  /** Holds the Idempotency-Key of a request that has one. */
  readonly reservation?: IdempotencyRecord | undefined;
}

export async function refundPayment(
  deps: AcquirerDeps,
  scope: Scope,
  request: RefundRequest,
  receipt?: Receipt<Refund>,
): Promise<Outcome<Refund>> {
  const outcome = await followUp(
    deps,
    scope,
    {
      paymentIntentId: request.paymentIntentId,
      kind: 'refund',
      part: { amount: request.amount, param: 'amount' },
      reservation: request.reservation,
      matches: ({ amount }) => request.amount === undefined || request.amount === amount,
      open: (payment, operationId, moment) => open(payment, operationId, request, moment),
    },
    receipt && ((settled) => receipt(refundOf(settled))),
  );
  return 'done' in outcome ? { done: refundOf(outcome.done) } : outcome;
}

function refundOf({ refund, intent }: Settled): Refund {
  if (refund === null) throw new Error(`a refund of ${intent.id} is missing`);
  return refund;
}

function open(
  { intent, session, paymentOperation }: Authorised,
  operationId: string,
  { amount, reason }: RefundRequest,
  moment: Moment,
): Decision<OpenedOperation> | Refusal {
  const change = openRefund(
    intent,
    { ...(amount === undefined ? {} : { amount }), ...(reason === undefined ? {} : { reason }) },
    moment,
  );
  if (isRefusal(change)) return change;
  const { refund } = change;
  const about = {
    paymentIntentId: intent.id,
    checkoutSessionId: session.id,
    amount: refund.amount,
    refundId: refund.id,
    ...ofPayment(paymentOperation),
  };
  const operation = newOperation(operationId, intent, { kind: 'refund', ...about }, moment);
  return {
    changes: { operations: [operation], refunds: [refund], paymentIntents: [change.intent], events: change.events },
    result: { operation, paymentOperation, intent: change.intent, session, refund },
  };
}
