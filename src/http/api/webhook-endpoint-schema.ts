// Webhook endpoints as the API takes and gives them. The secret is in two answers only: on creation and on rotation.

import { type Static, Type } from 'typebox';
import { hostedCheckoutEventTypes, subscribableEventTypes } from '../../domain/event.ts';
import { isoTime } from '../../domain/moment.ts';
import { maxUrlLength } from '../../domain/webhook-address.ts';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint.ts';
import { defaultActivatesInSeconds, maxActivatesInSeconds } from '../../usecases/rotate-webhook-secret.ts';
import { id, nullable, nullableString, nullableTime, stringEnum, time } from './schemas.ts';

const url = Type.String({
  minLength: 1,
  maxLength: maxUrlLength,
  description: 'Where events are sent: a public http or https address, https in live mode.',
  examples: ['https://shop.example/webhooks'],
});

export const eventType = stringEnum(subscribableEventTypes, {
  title: 'Subscribable event type',
  description: 'A type of event.',
});

const enabledEvents = {
  minItems: 1,
  uniqueItems: true,
  description:
    'The types of events that are sent, by name. By default the four of hosted checkout; the others must be asked for.',
  examples: [['payment_intent.succeeded', 'payment_intent.payment_failed']],
};

const description = { maxLength: 500, description: 'What it is for, in your words.', examples: ['Order system'] };
const disabled = Type.Boolean({ description: 'Nothing is sent to a disabled endpoint, and nothing is queued for it.' });

export const createBody = Type.Object(
  {
    url,
    enabled_events: Type.Optional(Type.Array(eventType, { ...enabledEvents, default: [...hostedCheckoutEventTypes] })),
    description: Type.Optional(nullableString(description)),
    disabled: Type.Optional({ ...disabled, default: false }),
  },
  { additionalProperties: false },
);

export const patchBody = Type.Object(
  {
    url: Type.Optional(url),
    enabled_events: Type.Optional(Type.Array(eventType, enabledEvents)),
    description: Type.Optional(
      nullableString({ ...description, description: `${description.description} Null clears.` }),
    ),
    disabled: Type.Optional({ ...disabled, description: '`false` enables it again, whatever it was disabled for.' }),
  },
  { additionalProperties: false },
);

export const rotateBody = Type.Object(
  {
    activates_in: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxActivatesInSeconds,
        default: defaultActivatesInSeconds,
        description: `Seconds until the new secret signs, at most ${maxActivatesInSeconds}; 0: at once.`,
        examples: [defaultActivatesInSeconds],
      }),
    ),
  },
  { additionalProperties: false },
);

export const resendFailedBody = Type.Object(
  { since: time('From when on: an ISO 8601 time with its zone. Deliveries made at that time or later count.') },
  { additionalProperties: false },
);

const fields = {
  id: id('we'),
  object: Type.Literal('webhook_endpoint'),
  url,
  description: nullableString(description),
  enabled_events: Type.Array(eventType, enabledEvents),
  disabled,
  disabled_reason: nullable(
    stringEnum(['by_request', 'gone'], {
      description:
        '`by_request`: you disabled it. `gone`: it answered 410, so nothing more is sent until you enable it.',
    }),
  ),
  next_secret_activates_at: nullableTime('When the secret of the last rotation begins to sign; null if none waits.'),
  livemode: Type.Boolean({ description: 'False in test mode.' }),
  created_at: time('When it was created.'),
};

const endpointOptions = { additionalProperties: false };
export const endpointSchema = Type.Object(fields, {
  ...endpointOptions,
  $id: 'WebhookEndpoint',
  title: 'Webhook Endpoint',
});

export const endpointWithSecretSchema = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description: 'The key of the signatures, as it is, with its prefix. Keep it now: it is not shown again.',
      examples: ['whsec_0123456789abcdefghjkmnpqrstvwxyz01234567'],
    }),
  },
  { ...endpointOptions, $id: 'WebhookEndpointWithSecret', title: 'Webhook Endpoint with its secret' },
);

export const deletedSchema = Type.Object(
  {
    id: id('we'),
    object: Type.Literal('webhook_endpoint'),
    deleted: Type.Literal(true),
  },
  { title: 'Deleted Webhook Endpoint' },
);

export const resentSchema = Type.Object(
  {
    resent: Type.Integer({ minimum: 0, examples: [3], description: 'How many events are sent again.' }),
    has_more: Type.Boolean({ description: 'Whether some are left: make the same call again.' }),
  },
  { title: 'Resent' },
);

export function serialiseEndpoint(endpoint: WebhookEndpoint, now: number): Static<typeof endpointSchema> {
  const { id, url, description, enabledEvents, disabledReason, nextSecretAt, livemode, createdAt } = endpoint;
  return {
    id,
    object: 'webhook_endpoint',
    url,
    description,
    enabled_events: [...enabledEvents],
    disabled: disabledReason !== null,
    disabled_reason: disabledReason,
    next_secret_activates_at: nextSecretAt !== null && nextSecretAt > now ? isoTime(nextSecretAt) : null,
    livemode,
    created_at: isoTime(createdAt),
  };
}
