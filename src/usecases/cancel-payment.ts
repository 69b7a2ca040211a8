// A merchant calls a payment off before anything was paid; its open session expires with it.

import { refuse } from '../domain/errors.ts';
import { move } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { paymentIntentNotFound } from './refusals.ts';

export function cancelPayment(
  { store, moment }: { store: Store; moment: () => Moment },
  scope: Scope,
  request: { paymentIntentId: string; reason: string | null },
  receipt?: Receipt<PaymentIntent>,
): Promise<Outcome<PaymentIntent>> {
  return decideAndCommit(
    store,
    async () => {
      const payment = await store.paymentOfIntent(scope, request.paymentIntentId);
      if (payment === null) return paymentIntentNotFound(request.paymentIntentId);
      const moved = move(payment, 'cancel', moment(), { cancellationReason: request.reason });
      if (moved === null) {
        return refuse(
          'payment_not_cancelable',
          `A payment can be canceled while it is \`requires_payment_method\` or \`requires_capture\`; this one is \`${payment.intent.status}\`.`,
        );
      }
      return {
        changes: {
          paymentIntents: [moved.intent],
          checkoutSessions: moved.sessionMoved ? [moved.session] : [],
          events: moved.events,
        },
        result: moved.intent,
      };
    },
    receipt,
  );
}
