// Captures an authorised payment: all of it, or a part, which releases the rest.

import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { newOperation, ofPayment } from '../domain/operation.ts';
import { amountToCapture, type PaymentIntent } from '../domain/payment-intent.ts';
import type { AcquirerDeps, OpenedOperation } from './ask-acquirer.ts';
import type { Decision, Outcome, Receipt } from './decide-and-commit.ts';
import { type Authorised, followUp } from './follow-up.ts';
import { operationInProgress, outcomeUnknown } from './refusals.ts';

export interface CaptureRequest {
  readonly paymentIntentId: string;
  readonly amount?: number | undefined;
  /** Holds the Idempotency-Key of a request that has one. */
  readonly reservation?: IdempotencyRecord | undefined;
}

export async function capturePayment(
  deps: AcquirerDeps,
  scope: Scope,
  request: CaptureRequest,
  receipt?: Receipt<PaymentIntent>,
): Promise<Outcome<PaymentIntent>> {
  const outcome = await followUp(
    deps,
    scope,
    {
      paymentIntentId: request.paymentIntentId,
      kind: 'capture',
      part: { amount: request.amount, param: 'amount_to_capture' },
      reservation: request.reservation,
      refusals: { undone: notCaptured, unknown: outcomeUnknown('capture') },
      matches: ({ amount }) => request.amount === undefined || request.amount === amount,
      open: (payment, operationId, moment) => openCapture(payment, operationId, request.amount, moment),
    },
    receipt && (({ intent }) => receipt(intent)),
  );
  return 'done' in outcome ? { done: outcome.done.intent } : outcome;
}

const notCaptured = refuse(
  'payment_not_capturable',
  'The acquirer did not capture this payment. Retrieve it; if it is still `requires_capture`, try again with a new Idempotency-Key.',
);

function openCapture(
  { intent, session, paymentOperation }: Authorised,
  operationId: string,
  requested: number | undefined,
  moment: Moment,
): Decision<OpenedOperation> | Refusal {
  if (intent.status !== 'requires_capture') {
    return refuse(
      'payment_not_capturable',
      `Only a payment with status \`requires_capture\` can be captured; this one is \`${intent.status}\`.`,
    );
  }
  if (intent.captureBefore !== null && intent.captureBefore <= moment.now) {
    return refuse(
      'payment_not_capturable',
      'This authorisation has lapsed because it was not captured in time. Create a new session.',
    );
  }
  if (intent.pendingOperationId !== null) return operationInProgress;
  const amount = amountToCapture(intent, requested);
  if (isRefusal(amount)) return amount;
  const about = {
    paymentIntentId: intent.id,
    checkoutSessionId: session.id,
    amount,
    ...ofPayment(paymentOperation),
  };
  const operation = newOperation(operationId, intent, { kind: 'capture', ...about }, moment);
  const locked = { ...intent, pendingOperationId: operation.id };
  return {
    changes: { operations: [operation], paymentIntents: [locked] },
    result: { operation, paymentOperation, intent: locked, session, refund: null },
  };
}
