// Webhook endpoints as the API accepts and returns them. Only creation and rotation return the secret.

import { hostedCheckoutEventTypes, subscribableEventTypes } from '../../domain/event.ts';
import { isoTime } from '../../domain/moment.ts';
import { maxUrlLength } from '../../domain/webhook-address.ts';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint.ts';
import { defaultActivatesInSeconds, maxActivatesInSeconds } from '../../usecases/rotate-webhook-secret.ts';
import { type Static, Type } from '../schema.ts';
import { id, nullable, nullableString, nullableTime, stringEnum, time } from './schemas.ts';

const url = Type.String({
  minLength: 1,
  maxLength: maxUrlLength,
  description: 'The URL that events are sent to: a public http or https address, https in live mode.',
  examples: ['https://shop.example/webhooks'],
});

export const eventType = stringEnum(subscribableEventTypes, {
  title: 'Subscribable event type',
  description: 'An event type.',
});

const enabledEvents = {
  minItems: 1,
  uniqueItems: true,
  description:
    'The event types to send to this endpoint. By default, the four of hosted checkout; the others must be listed explicitly.',
  examples: [['payment_intent.succeeded', 'payment_intent.payment_failed']],
};

const description = {
  maxLength: 500,
  description: 'Your own description of the endpoint.',
  examples: ['Order system'],
};
const disabled = Type.Boolean({ description: 'No events are sent to a disabled endpoint or queued for it.' });

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
      nullableString({ ...description, description: `${description.description} Null clears it.` }),
    ),
    disabled: Type.Optional({
      ...disabled,
      description: '`false` enables the endpoint again, for whatever reason it was disabled.',
    }),
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
        description: `Seconds until the new secret starts signing, at most ${maxActivatesInSeconds}; 0 means immediately.`,
        examples: [defaultActivatesInSeconds],
      }),
    ),
  },
  { additionalProperties: false },
);

export const resendFailedBody = Type.Object(
  { since: time('An ISO 8601 time with a time zone. Deliveries created at that time or later are included.') },
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
        '`by_request`: you disabled it. `gone`: it responded with 410, so nothing is sent until you enable it again.',
    }),
  ),
  next_secret_activates_at: nullableTime('When the new secret starts signing; null if no rotation is pending.'),
  livemode: Type.Boolean({ description: '`false` in test mode.' }),
  created_at: time('When the endpoint was created.'),
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
      description: 'The signing key: use the whole string, including its prefix. Store it now; it is not shown again.',
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
    resent: Type.Integer({ minimum: 0, examples: [3], description: 'The number of events resent.' }),
    has_more: Type.Boolean({ description: 'Whether more failed events are left. If so, call again.' }),
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
