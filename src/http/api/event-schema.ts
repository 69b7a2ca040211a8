// Events and their deliveries as the API gives them.

import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { type Delivery, deliveryStatuses } from '../../domain/delivery.ts';
import { type EventType, eventTypes, testEventType } from '../../domain/event.ts';
import type { IdPrefix } from '../../domain/ids.ts';
import { isoTime } from '../../domain/moment.ts';
import { sessionStatus } from './checkout-session-schema.ts';
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

export const eventType = stringEnum(eventTypes, { title: 'Event type', description: 'What happened.' });

/** What an event says of its subject, with the fields that every kind of subject has. */
const snapshot = <Properties extends TProperties>(prefix: IdPrefix, object: string, properties: Properties) =>
  Type.Object(
    { id: id(prefix), object: Type.Literal(object), ...properties },
    { description: 'What it happened to, as it was then.' },
  );

const money = { amount, currency };
const intentFields = { status: paymentIntentStatus, ...money, metadata };

function eventOf(title: string, types: readonly EventType[], data: TSchema) {
  return Type.Object(
    {
      id: id('evt', 'The same in every delivery of this event: skip what you have seen.'),
      type: stringEnum(types, { description: 'What happened.' }),
      created_at: time('When it happened.'),
      livemode: Type.Boolean({ description: 'False in test mode.' }),
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
        expires_at: time('When it expires, or expired.'),
      }),
    ),
    eventOf(
      'Refund event',
      ['refund.created', 'refund.failed'],
      snapshot('re', 'refund', {
        payment_intent: id('pi', 'The payment that is refunded.'),
        ...money,
        status: refundStatus,
        reason: nullableString({ description: 'Why, in your words.' }),
      }),
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
    at: time('When it was made.'),
    status_code: nullable(
      Type.Integer({ description: 'What your endpoint answered; null where no answer came.', examples: [503] }),
    ),
    error: nullableString({ description: 'Why no answer came, or why it did not count.' }),
    duration_ms: Type.Integer({ description: 'How long it took, in milliseconds.', examples: [87] }),
    response_excerpt: nullableString({ description: 'The beginning of what your endpoint answered.' }),
  },
  { title: 'Delivery attempt' },
);

export const deliverySchema = Type.Object(
  {
    id: id('del'),
    event: id('evt', 'The event that is sent.'),
    endpoint: id('we', 'The endpoint that it is sent to.'),
    status: stringEnum(deliveryStatuses, {
      title: 'Delivery status',
      description: '`failed`: no attempt is left.',
    }),
    next_attempt_at: nullableTime('When it is tried next; null once it is over.'),
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
        description: 'The endpoint to send it to; by default all that subscribe to its type.',
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
