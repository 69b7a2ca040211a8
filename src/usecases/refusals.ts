// Refusals that several use cases give, worded once.

import type { CheckoutSession } from '../domain/checkout-session.ts';
import { type ErrorCode, type Refusal, refuse, refuseForNow } from '../domain/errors.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';

export const sessionNotFound = notFound('checkout_session_not_found', 'checkout session');
export const paymentIntentNotFound = notFound('payment_intent_not_found', 'payment intent');
export const refundNotFound = notFound('refund_not_found', 'refund');
export const webhookEndpointNotFound = notFound('webhook_endpoint_not_found', 'webhook endpoint');
export const eventNotFound = notFound('event_not_found', 'event');

/** An id goes back into the message only if it is short: it may be anything. */
function notFound(code: Extract<ErrorCode, `${string}_not_found`>, what: string): (id: string) => Refusal {
  return (id) => {
    const shown = id.length <= 64 ? ` \`${id}\`` : ' that long';
    return refuse(
      code,
      `There is no ${what}${shown} for this account and mode. Check the id, and that test ids go with a test key.`,
    );
  };
}

export function webhookEndpointDisabled({ id, disabledReason }: WebhookEndpoint): Refusal {
  const why = disabledReason === 'gone' ? ': it answered 410, which says that nobody listens there any more' : '';
  return refuse(
    'webhook_endpoint_disabled',
    `The endpoint \`${id}\` is disabled${why}. Enable it first: PATCH it with \`disabled: false\`.`,
  );
}

export const keyReused: Refusal = refuse(
  'idempotency_key_reused',
  'This Idempotency-Key was used for another request. Use a new key for each new request.',
);

export const operationUnderWay: Refusal = refuse(
  'payment_in_progress',
  'A capture or cancellation of this payment is under way. Retrieve the payment in a few seconds to see how it ended.',
);

const askAgainAfterSeconds = 2;

/** Asked for, and not known to be done: neither the old state nor the new one would be a true answer. */
export function outcomeUnknown(what: 'capture' | 'cancellation'): Refusal {
  return refuseForNow(
    'payment_in_progress',
    askAgainAfterSeconds,
    `The acquirer has not confirmed this ${what} yet. Send the same request with the same Idempotency-Key again in a few seconds, or retrieve the payment to see how it ended.`,
  );
}

export function sessionNotOpen(session: CheckoutSession): Refusal {
  const status = session.status === 'open' ? 'expired' : session.status;
  return refuse('session_not_open', `This session is ${status}; only an open one can change. Create a new session.`);
}
