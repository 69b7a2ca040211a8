// Refusals shared by several use cases.

import type { CheckoutSession } from '../domain/checkout-session.ts';
import { type ErrorCode, type Refusal, refuse, refuseForNow } from '../domain/errors.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';

export const sessionNotFound = notFound('checkout_session_not_found', 'checkout session');
export const paymentIntentNotFound = notFound('payment_intent_not_found', 'payment intent');
export const refundNotFound = notFound('refund_not_found', 'refund');
export const disputeNotFound = notFound('dispute_not_found', 'dispute');
export const paymentLinkNotFound = notFound('payment_link_not_found', 'payment link');
export const webhookEndpointNotFound = notFound('webhook_endpoint_not_found', 'webhook endpoint');
export const eventNotFound = notFound('event_not_found', 'event');
export const apiKeyNotFound = notFound('api_key_not_found', 'API key');
export const acquirerAccountNotFound = notFound('acquirer_account_not_found', 'acquirer account');
export const merchantNotFound = notFound('merchant_not_found', 'merchant');

/** The message quotes an id only if it is short, because it may be arbitrary text. */
function notFound(code: Extract<ErrorCode, `${string}_not_found`>, what: string): (id: string) => Refusal {
  return (id) => {
    const shown = id.length <= 64 ? ` \`${id}\`` : ' with this id';
    return refuse(
      code,
      `No ${what}${shown} exists for this account and mode. Check the id, and use a test key for test ids.`,
    );
  };
}

export function webhookEndpointDisabled({ id, disabledReason }: WebhookEndpoint): Refusal {
  const why = disabledReason === 'gone' ? ' because it responded with 410 Gone' : '';
  return refuse(
    'webhook_endpoint_disabled',
    `The endpoint \`${id}\` is disabled${why}. Enable it first by updating it with \`disabled: false\`.`,
  );
}

export const keyReused: Refusal = refuse(
  'idempotency_key_reused',
  'This Idempotency-Key was already used for a different request. Use a new key for each new request.',
);

export const operationInProgress: Refusal = refuse(
  'payment_in_progress',
  'A capture or cancellation of this payment is in progress. Retrieve the payment in a few seconds to see the outcome.',
);

const retryAfterSeconds = 2;

/** Requested, with an unknown outcome: neither the old state nor the new one would be a correct response. */
export function outcomeUnknown(what: 'capture' | 'cancellation'): Refusal {
  return refuseForNow(
    'payment_in_progress',
    retryAfterSeconds,
    `The acquirer has not confirmed this ${what} yet. Retry the same request with the same Idempotency-Key in a few seconds, or retrieve the payment to see the outcome.`,
  );
}

export function sessionNotOpen(session: CheckoutSession): Refusal {
  const status = session.status === 'open' ? 'expired' : session.status;
  return refuse(
    'session_not_open',
    `This session is ${status}. Only open sessions can be changed. Create a new session.`,
  );
}
