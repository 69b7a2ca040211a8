// Refusals that several use cases give, worded once.

import type { CheckoutSession } from '../domain/checkout-session.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';

/** An id goes back into a message only if it is short: it may be anything. */
const shown = (id: string): string => (id.length <= 64 ? ` \`${id}\`` : ' that long');

export function sessionNotFound(id: string): Refusal {
  return refuse(
    'checkout_session_not_found',
    `There is no checkout session${shown(id)} for this account and mode. Check the id, and that test ids go with a test key.`,
  );
}

export function paymentIntentNotFound(id: string): Refusal {
  return refuse(
    'payment_intent_not_found',
    `There is no payment intent${shown(id)} for this account and mode. Check the id, and that test ids go with a test key.`,
  );
}

export function refundNotFound(id: string): Refusal {
  return refuse(
    'refund_not_found',
    `There is no refund${shown(id)} for this account and mode. Check the id, and that test ids go with a test key.`,
  );
}

export function webhookEndpointNotFound(id: string): Refusal {
  return refuse(
    'webhook_endpoint_not_found',
    `There is no webhook endpoint${shown(id)} for this account and mode. Check the id, and that test ids go with a test key.`,
  );
}

export function eventNotFound(id: string): Refusal {
  return refuse(
    'event_not_found',
    `There is no event${shown(id)} for this account and mode. Check the id, and that test ids go with a test key.`,
  );
}

export function webhookEndpointDisabled({ id, disabledReason }: WebhookEndpoint): Refusal {
  const why = disabledReason === 'gone' ? ': it answered 410, which says that nobody listens there any more' : '';
  return refuse(
    'webhook_endpoint_disabled',
    `The endpoint \`${id}\` is disabled${why}. Enable it first: PATCH it with \`disabled: false\`.`,
  );
}

export const operationUnderWay: Refusal = refuse(
  'payment_in_progress',
  'A capture or cancellation of this payment is under way. Look the payment up to see how it ends.',
);

export function sessionNotOpen(session: CheckoutSession): Refusal {
  const status = session.status === 'open' ? 'expired' : session.status;
  return refuse('session_not_open', `This session is ${status}; only an open one can change. Create a new session.`);
}
