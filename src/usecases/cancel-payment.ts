// Cancels a payment: if it is unpaid, its open session expires with it; if it is authorised, the hold is released.

import { type Refusal, refuse } from '../domain/errors.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import { move } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { newOperation, ofPayment } from '../domain/operation.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import type { AcquirerDeps, OpenedOperation } from './ask-acquirer.ts';
import { type Decision, decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { type Authorised, followUp } from './follow-up.ts';
import { operationInProgress, outcomeUnknown, paymentIntentNotFound } from './refusals.ts';
import { changesOf } from './settlement.ts';

export interface CancelRequest {
  readonly paymentIntentId: string;
  readonly reason: string | null;
  /** Holds the Idempotency-Key of a request that has one. */
  readonly reservation?: IdempotencyRecord | undefined;
}

export async function cancelPayment(
  deps: AcquirerDeps,
  scope: Scope,
  request: CancelRequest,
  receipt?: Receipt<PaymentIntent>,
): Promise<Outcome<PaymentIntent>> {
  const intent = await deps.store.find('paymentIntents', scope, request.paymentIntentId);
  if (
    intent?.captureMethod === 'manual' &&
    intent.operationId !== null &&
    intent.status !== 'requires_payment_method'
  ) {
    return voidAuthorisation(deps, scope, request, receipt);
  }
  return decideAndCommit(
    deps.store,
    async () => {
      const payment = await deps.store.find('paymentsByIntent', scope, request.paymentIntentId);
      if (payment === null) return paymentIntentNotFound(request.paymentIntentId);
      const unpaid = payment.intent.status === 'requires_payment_method';
      const moved = unpaid ? move(payment, 'cancel', deps.moment(), { cancellationReason: request.reason }) : null;
      return moved === null ? notCancelable(payment.intent) : { changes: changesOf(moved), result: moved.intent };
    },
    receipt,
  );
}

async function voidAuthorisation(
  deps: AcquirerDeps,
  scope: Scope,
  { paymentIntentId, reason, reservation }: CancelRequest,
  receipt?: Receipt<PaymentIntent>,
): Promise<Outcome<PaymentIntent>> {
  const outcome = await followUp(
    deps,
    scope,
    {
      paymentIntentId,
      kind: 'void',
      reservation,
      refusals: { undone: notVoided, unknown: outcomeUnknown('cancellation') },
      matches: (operation) => operation.reason === reason,
      open: (payment, operationId, moment) => openVoid(payment, operationId, reason, moment),
    },
    receipt && (({ intent }) => receipt(intent)),
  );
  return 'done' in outcome ? { done: outcome.done.intent } : outcome;
}

const notVoided = refuse(
  'payment_not_cancelable',
  'The acquirer did not release this authorisation. Retrieve the payment; if it is still `requires_capture`, try again with a new Idempotency-Key.',
);

function openVoid(
  { intent, session, paymentOperation }: Authorised,
  operationId: string,
  reason: string | null,
  moment: Moment,
): Decision<OpenedOperation> | Refusal {
  if (intent.status !== 'requires_capture') return notCancelable(intent);
  if (intent.pendingOperationId !== null) return operationInProgress;
  const about = { paymentIntentId: intent.id, checkoutSessionId: session.id, amount: intent.amount, reason };
  const operation = newOperation(
    operationId,
    intent,
    { kind: 'void', ...about, ...ofPayment(paymentOperation) },
    moment,
  );
  const locked = { ...intent, pendingOperationId: operation.id };
  return {
    changes: { operations: [operation], paymentIntents: [locked] },
    result: { operation, paymentOperation, intent: locked, session, refund: null },
  };
}

function notCancelable({ status }: PaymentIntent): Refusal {
  const instead = status === 'succeeded' ? ' Refund it instead.' : '';
  return refuse(
    'payment_not_cancelable',
    `Only a payment with status \`requires_payment_method\` or \`requires_capture\` can be canceled; this one is \`${status}\`.${instead}`,
  );
}
