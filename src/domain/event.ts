// Events, which notify merchants. An event exists only as part of the change that it reports.

import type { CheckoutSession } from './checkout-session.ts';
import type { Dispute } from './dispute.ts';
import { isoTime, type Moment } from './moment.ts';
import type { PaymentIntent } from './payment-intent.ts';
import type { Refund } from './refund.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** Sent to every endpoint by default. */
export const hostedCheckoutEventTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'checkout_session.completed',
  'checkout_session.expired',
] as const;
/** Sent only to endpoints that subscribe to them by name. */
export const optInEventTypes = [
  'payment_intent.canceled',
  'refund.created',
  'refund.failed',
  'dispute.created',
  'dispute.updated',
  'dispute.closed',
] as const;
export const subscribableEventTypes = [...hostedCheckoutEventTypes, ...optInEventTypes] as const;
export type SubscribableEventType = (typeof subscribableEventTypes)[number];
/** Sent to one endpoint on request. It has its own type so that no order is ever shipped because of a test. */
export const testEventType = 'webhook_endpoint.test';
export const eventTypes = [...subscribableEventTypes, testEventType] as const;
export type EventType = (typeof eventTypes)[number];

export interface Event {
  readonly id: string;
  readonly merchantId: string;
  readonly livemode: boolean;
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** The payment that it is about; null: none, or of an earlier version. */
  readonly paymentIntentId: string | null;
  readonly createdAt: number;
}

/** An event with its position, from 1 up, in the commit order of its merchant's events in that mode. */
export interface PositionedEvent extends Event {
  readonly position: number;
}

export function paymentIntentEvent(
  type: Extract<EventType, `payment_intent.${string}`>,
  intent: PaymentIntent,
  moment: Moment,
): Event {
  const { id, status, amount, currency, metadata } = intent;
  const data = { id, object: 'payment_intent', status, amount, currency, metadata };
  const failed = type === 'payment_intent.payment_failed';
  return newEvent(
    type,
    { ...intent, paymentIntentId: id },
    failed ? { ...data, last_payment_error: intent.lastPaymentError } : data,
    moment,
  );
}

export function checkoutSessionEvent(
  type: Extract<EventType, `checkout_session.${string}`>,
  session: CheckoutSession,
  moment: Moment,
): Event {
  const { id, status, amount, currency, metadata } = session;
  return newEvent(
    type,
    session,
    {
      id,
      object: 'checkout_session',
      status,
      amount,
      currency,
      metadata,
      payment_intent: session.paymentIntentId,
      expires_at: isoTime(session.expiresAt),
    },
    moment,
  );
}

export function refundEvent(type: Extract<EventType, `refund.${string}`>, refund: Refund, moment: Moment): Event {
  const { id, amount, currency, status, reason } = refund;
  return newEvent(
    type,
    refund,
    { id, object: 'refund', payment_intent: refund.paymentIntentId, amount, currency, status, reason },
    moment,
  );
}

export function disputeEvent(type: Extract<EventType, `dispute.${string}`>, dispute: Dispute, moment: Moment): Event {
  const { id, amount, currency, status, reason, evidenceDueBy } = dispute;
  const data = { id, object: 'dispute', payment_intent: dispute.paymentIntentId, amount, currency, status, reason };
  const evidence_due_by = evidenceDueBy === null ? null : isoTime(evidenceDueBy);
  return newEvent(type, dispute, { ...data, evidence_due_by }, moment);
}

export function endpointTestEvent(endpoint: WebhookEndpoint, moment: Moment): Event {
  const { id, url, enabledEvents } = endpoint;
  const data = { id, object: 'webhook_endpoint', url, enabled_events: enabledEvents };
  return newEvent(testEventType, { ...endpoint, paymentIntentId: null }, data, moment);
}

/** Reassigns the ids of events from one moment so that they sort in the given order. */
export function inOrder(events: readonly Event[]): readonly Event[] {
  if (events.length < 2) return events;
  const ids = events.map(({ id }) => id).sort();
  return events.map((event, at) => ({ ...event, id: ids[at] ?? event.id }));
}

/** The event as merchants receive it: exactly these fields. */
export function eventBody({ id, type, createdAt, livemode, data }: Event) {
  return { id, type, created_at: isoTime(createdAt), livemode, data };
}

function newEvent(
  type: EventType,
  { merchantId, livemode, paymentIntentId }: Pick<Event, 'merchantId' | 'livemode' | 'paymentIntentId'>,
  data: Event['data'],
  moment: Moment,
): Event {
  return { id: moment.newId('evt'), merchantId, livemode, type, data, paymentIntentId, createdAt: moment.now };
}
