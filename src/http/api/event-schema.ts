// Events and their deliveries as the API gives them.

import { type Static, Type } from 'typebox';
import { type Delivery, deliveryStatuses } from '../../domain/delivery.ts';
import { type EventType, eventTypes } from '../../domain/event.ts';
import { isoTime } from '../../domain/moment.ts';
import { nullableString, nullableTime, time } from './schemas.ts';

export const eventType = Type.Unsafe<EventType>({ type: 'string', enum: eventTypes, description: 'What happened.' });

export const eventSchema = Type.Object(
  {
    id: Type.String({
      description: 'The same in every delivery of this event: skip what you have seen.',
      examples: ['evt_01kabcd0efghjkmnpqrstvwxyz0123'],
    }),
    type: eventType,
    created_at: time('When it happened.'),
    livemode: Type.Boolean({ description: 'False in test mode.' }),
    data: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'What it happened to, as it was then: a payment intent, a checkout session, a refund.',
      examples: [
        {
          id: 'pi_01kabcd0efghjkmnpqrstvwxyz0123',
          object: 'payment_intent',
          status: 'succeeded',
          amount: 1250,
          currency: 'EUR',
          metadata: { order: '6735' },
        },
      ],
    }),
  },
  { $id: 'Event', title: 'Event', additionalProperties: false },
);

const attemptSchema = Type.Object({
  at: time('When it was made.'),
  status_code: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'What your endpoint answered; null where no answer came.',
    examples: [503],
  }),
  error: nullableString({ description: 'Why no answer came, or why it did not count.' }),
  duration_ms: Type.Integer({ description: 'How long it took, in milliseconds.', examples: [87] }),
  response_excerpt: nullableString({ description: 'The beginning of what your endpoint answered.' }),
});

export const deliverySchema = Type.Object(
  {
    id: Type.String({ examples: ['del_01kabcd0efghjkmnpqrstvwxyz0123'] }),
    event: Type.String({ description: 'The event that is sent.' }),
    endpoint: Type.String({ description: 'The endpoint that it is sent to.' }),
    status: Type.Unsafe<Delivery['status']>({
      type: 'string',
      enum: deliveryStatuses,
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
