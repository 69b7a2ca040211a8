// Events and their deliveries as the API returns them.

import { type Delivery, deliveryStatuses } from '../../domain/delivery.ts';
import { type EventType, eventTypes, testEventType } from '../../domain/event.ts';
import type { IdPrefix } from '../../domain/ids.ts';
import { isoTime } from '../../domain/moment.ts';
import { type Static, type TProperties, type TSchema, Type } from '../schema.ts';
import { sessionStatus } from './checkout-session-schema.ts';
import { disputeFields } from './disputes.ts';
import { lastPaymentError, paymentIntentStatus } from './payment-intents.ts';
import { refundStatus } from './refunds.ts';
import {
  amount,
  currency,
  id,
  metadata,
  nullable,
  nullableString,
  nullableTime,
  oneOf,
  stringEnum,
  time,
} from './schemas.ts';
import { eventType as subscribableEventType } from './webhook-endpoint-schema.ts';

export const eventType = stringEnum(eventTypes, { title: 'Event type', description: 'The type of the event.' });

/** An object as it was at the time of the event, with the fields that all kinds of objects share. */
const snapshot = <Properties extends TProperties>(prefix: IdPrefix, object: string, properties: Properties) =>
  Type.Object(
    { id: id(prefix), object: Type.Literal(object), ...properties },
    { description: 'The object that the event is about, as it was at that time.' },
  );

const money = { amount, currency };
const intentFields = { status: paymentIntentStatus, ...money, metadata };

function eventOf(title: string, types: readonly EventType[], data: TSchema) {
  return Type.Object(
    {
      id: id('evt', 'The same in every delivery of this event. Use it to skip events that you have already processed.'),
      type: stringEnum(types, { description: 'The type of the event.' }),
      created_at: time('When the event happened.'),
      livemode: Type.Boolean({ description: '`false` in test mode.' }),
      data,
    },
    { title, additionalProperties: false },
  );
}

export const eventSchema = oneOf(
  [
    eventOf(
      'Payment Intent event',
      ['payment_intent.succeeded', 'payment_intent.canceled'],
      snapshot('pi', 'payment_intent', intentFields),
    ),
    eventOf(
      'Payment failed event',
      ['payment_intent.payment_failed'],
      snapshot('pi', 'payment_intent', { ...intentFields, last_payment_error: lastPaymentError }),
    ),
    eventOf(
      'Checkout Session event',
      ['checkout_session.completed', 'checkout_session.expired'],
      snapshot('cs', 'checkout_session', {
        status: sessionStatus,
        ...money,
        metadata,
        payment_intent: id('pi', 'The payment intent of the session.'),
        expires_at: time('When the session expires or expired.'),
      }),
    ),
    eventOf(
      'Refund event',
      ['refund.created', 'refund.failed'],
      snapshot('re', 'refund', {
        payment_intent: id('pi', 'The refunded payment.'),
        ...money,
        status: refundStatus,
        reason: nullableString({ description: 'Your reason for the refund.' }),
      }),
    ),
    eventOf(
      'Dispute event',
      ['dispute.created', 'dispute.updated', 'dispute.closed'],
      snapshot('dp', 'dispute', disputeFields),
    ),
    eventOf(
      'Webhook Endpoint test event',
      [testEventType],
      snapshot('we', 'webhook_endpoint', {
        url: Type.String({ examples: ['https://shop.example/webhooks'] }),
        enabled_events: Type.Array(subscribableEventType),
      }),
    ),
  ],
  { $id: 'Event', title: 'Event' },
);

const attemptSchema = Type.Object(
  {
    at: time('When the attempt was made.'),
    status_code: nullable(
      Type.Integer({
        description: 'The HTTP status that your endpoint returned; null if it did not respond.',
        examples: [503],
      }),
    ),
    error: nullableString({
      description: 'Why there was no response, or why the response did not count as a success.',
    }),
    duration_ms: Type.Integer({ description: 'The duration of the attempt in milliseconds.', examples: [87] }),
    response_excerpt: nullableString({ description: 'The beginning of the response body.' }),
  },
  { title: 'Delivery attempt' },
);

export const deliverySchema = Type.Object(
  {
    id: id('del'),
    event: id('evt', 'The event being delivered.'),
    endpoint: id('we', 'The endpoint it is delivered to.'),
    status: stringEnum(deliveryStatuses, {
      title: 'Delivery status',
      description: '`failed` means that no attempts are left.',
    }),
    next_attempt_at: nullableTime('When the next attempt is due; null once the delivery has ended.'),
    attempts: Type.Array(attemptSchema, { description: 'Oldest first.' }),
  },
  { $id: 'Delivery', title: 'Delivery' },
);

export const resendBody = Type.Object(
  {
    endpoint: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The endpoint to send the event to. By default, every endpoint that subscribes to its type.',
        examples: ['we_01kabcd0efghjkmnpqrstvwxyz0123'],
      }),
    ),
  },
  { additionalProperties: false },
);

export function serialiseDelivery(delivery: Delivery): Static<typeof deliverySchema> {
  const { id, eventId, endpointId, status, dueAt, attempts } = delivery;
  return {
    id,
    event: eventId,
    endpoint: endpointId,
    status,
    next_attempt_at: dueAt === null ? null : isoTime(dueAt),
    attempts: attempts.map(({ at, statusCode, error, durationMs, responseExcerpt }) => ({
      at: isoTime(at),
      status_code: statusCode,
      error,
      duration_ms: durationMs,
      response_excerpt: responseExcerpt,
    })),
  };
}
