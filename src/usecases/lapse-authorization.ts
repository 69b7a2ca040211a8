// Releases an authorisation that was not captured in time, and cancels the payment.

import { type Refusal, refuse } from '../domain/errors.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { lapseReason, newOperation, ofPayment } from '../domain/operation.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import type { AcquirerDeps, OpenedOperation } from './ask-acquirer.ts';
import type { Decision, Outcome } from './decide-and-commit.ts';
import { type Authorised, followUp } from './follow-up.ts';
import { outcomeUnknown } from './refusals.ts';

export async function lapseAuthorization(
  deps: AcquirerDeps,
  scope: Scope,
  paymentIntentId: string,
): Promise<Outcome<PaymentIntent>> {
  const outcome = await followUp(deps, scope, {
    paymentIntentId,
    kind: 'void',
    refusals: { undone: notReleased, unknown: outcomeUnknown('cancellation') },
    matches: () => false,
    open: (payment, operationId, moment) =>
      deps.acquirers.availability(payment.paymentOperation?.acquirerId ?? null) === 'down'
        ? notNow
        : open(payment, operationId, moment),
  });
  if ('done' in outcome) return { done: outcome.done.intent };
  if (outcome !== notReleased) return outcome;
  // It was captured or released at the acquirer, which is recorded now.
  const intent = await deps.store.find('paymentIntents', scope, paymentIntentId);
  return intent !== null && intent.status !== 'requires_capture' ? { done: intent } : outcome;
}

const notReleased = refuse(
  'payment_not_cancelable',
  'The acquirer did not release this authorisation, which has lapsed. Check with the acquirer whether it was captured.',
);

const notNow = refuse('payment_in_progress', 'The acquirer does not respond. The authorisation is released later.');

/** Does nothing if the merchant captures or cancels at the last moment. */
function open(
  { intent, session, paymentOperation }: Authorised,
  operationId: string,
  moment: Moment,
): Decision<OpenedOperation> | Refusal {
  const { status, captureBefore, pendingOperationId } = intent;
  const due = status === 'requires_capture' && captureBefore !== null && captureBefore <= moment.now;
  if (!due || pendingOperationId !== null) return refuse('payment_in_progress', 'The authorisation has not lapsed.');
  const about = {
    paymentIntentId: intent.id,
    checkoutSessionId: session.id,
    amount: intent.amount,
    ...ofPayment(paymentOperation),
  };
  const operation = newOperation(operationId, intent, { kind: 'void', ...about, reason: lapseReason }, moment);
  const locked = { ...intent, pendingOperationId: operation.id };
  return {
    changes: { operations: [operation], paymentIntents: [locked] },
    result: { operation, paymentOperation, intent: locked, session, refund: null },
  };
}
