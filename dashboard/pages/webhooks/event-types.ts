// The types of events that endpoints can subscribe to, as the API has them.

import type { WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';

export type SubscribableEvent = WebhookEndpointBody['enabled_events'][number];

/** Chosen for a new endpoint: what a hosted checkout needs. */
export const usualEvents: readonly SubscribableEvent[] = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'checkout_session.completed',
  'checkout_session.expired',
];

export const furtherEvents: readonly SubscribableEvent[] = [
  'payment_intent.canceled',
  'refund.created',
  'refund.failed',
  'dispute.created',
  'dispute.updated',
  'dispute.closed',
];

export const testEvent = 'webhook_endpoint.test';
