// An authorisation that nobody captured within 7 days is gone: the payment is canceled.

import { refuse } from '../domain/errors.ts';
import { move } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { paymentIntentNotFound } from './refusals.ts';
import { changesOf } from './settle-operation.ts';

export function lapseAuthorization(
  { store, moment }: { store: Store; moment: () => Moment },
  scope: Scope,
  paymentIntentId: string,
): Promise<Outcome<PaymentIntent>> {
  return decideAndCommit(store, async () => {
    const payment = await store.paymentOfIntent(scope, paymentIntentId);
    if (payment === null) return paymentIntentNotFound(paymentIntentId);
    const at = moment();
    const { captureBefore, pendingOperationId } = payment.intent;
    const due = captureBefore !== null && captureBefore <= at.now && pendingOperationId === null;
    const moved = due
      ? move(payment, 'authorisation_lapsed', at, { cancellationReason: 'authorization_expired', captureBefore: null })
      : null;
    if (moved === null) return refuse('payment_in_progress', 'The authorisation has not lapsed.');
    return { changes: changesOf(moved), result: moved.intent };
  });
}
