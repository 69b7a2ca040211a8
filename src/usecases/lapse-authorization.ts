// An authorisation that nobody captured within 7 days is released at the acquirer, and the payment is canceled.

import { type Refusal, refuse } from '../domain/errors.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { lapseReason, newOperation } from '../domain/operation.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import type { Decision, Outcome } from './decide-and-commit.ts';
import { type Begun, followUp } from './follow-up.ts';
import { outcomeUnknown } from './refusals.ts';
import type { AcquirerDeps } from './settle-operation.ts';

export async function lapseAuthorization(
  deps: AcquirerDeps,
  scope: Scope,
  paymentIntentId: string,
): Promise<Outcome<PaymentIntent>> {
  const outcome = await followUp(deps, scope, {
    paymentIntentId,
    kind: 'void',
    refusals: { undone, unknown: outcomeUnknown('cancellation') },
    asksFor: () => false,
    open,
  });
  return 'done' in outcome ? { done: outcome.done.intent } : outcome;
}

const undone = refuse(
  'payment_not_cancelable',
  'The acquirer did not release this authorisation, which has lapsed. Check with the acquirer whether it was captured.',
);

/** Who captures or cancels at the last moment is left alone. */
function open({ intent, session }: Payment, operationId: string, moment: Moment): Decision<Begun> | Refusal {
  const { status, captureBefore, pendingOperationId } = intent;
  const due = status === 'requires_capture' && captureBefore !== null && captureBefore <= moment.now;
  if (!due || pendingOperationId !== null) return refuse('payment_in_progress', 'The authorisation has not lapsed.');
  const about = { paymentIntentId: intent.id, checkoutSessionId: session.id, amount: intent.amount };
  const operation = newOperation(operationId, intent, { kind: 'void', ...about, reason: lapseReason }, moment);
  const held = { ...intent, pendingOperationId: operation.id };
  return {
    changes: { operations: [operation], paymentIntents: [held] },
    result: { operation, intent: held, session, refund: null },
  };
}
