// Actions on a webhook endpoint over the API: rotate its secret, send a test event, resend failed deliveries.

import { refuse } from '../../domain/errors.ts';
import { type Event, eventBody } from '../../domain/event.ts';
import { readTime } from '../../domain/moment.ts';
import type { EndpointWithSecret, WebhookEndpointDeps } from '../../usecases/create-webhook-endpoint.ts';
import { webhookEndpointNotFound } from '../../usecases/refusals.ts';
import type { ResendDeps } from '../../usecases/resend-capacity.ts';
import { type Resent, resendFailedDeliveries } from '../../usecases/resend-failed-deliveries.ts';
import { defaultActivatesInSeconds, rotateWebhookSecret } from '../../usecases/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from '../../usecases/test-webhook-endpoint.ts';
import type { ResendGate } from '../resend-gate.ts';
import { eventSchema } from './event-schema.ts';
import { type ApiResponse, type ApiRoute, apiRoute } from './route.ts';
import { noBody } from './schemas.ts';
import {
  endpointWithSecretSchema,
  resendFailedBody,
  resentSchema,
  rotateBody,
  serialiseEndpoint,
} from './webhook-endpoint-schema.ts';

export function webhookActionRoutes(
  deps: WebhookEndpointDeps & ResendDeps & { readonly resends: ResendGate },
): ApiRoute[] {
  const rotated = ({ endpoint, secret }: EndpointWithSecret): ApiResponse => ({
    status: 200,
    body: { ...serialiseEndpoint(endpoint, deps.moment().now), secret },
  });
  const tested = (event: Event): ApiResponse => ({ status: 201, body: eventBody(event) });
  const resent = ({ count, hasMore }: Resent): ApiResponse => ({
    status: 200,
    body: { resent: count, has_more: hasMore },
  });
  const id = { prefix: 'we', notFound: webhookEndpointNotFound } as const;
  const shared = { tag: 'Webhook endpoints', method: 'POST' } as const;
  return [
    apiRoute({
      ...shared,
      path: '/webhook-endpoints/:id/rotate-secret',
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'Returns the new `secret` immediately. It signs webhooks from `next_secret_activates_at` on; the old one signs until then, so make your receiver accept both in the meantime. Rotating again replaces a secret that is not active yet.',
      id,
      body: rotateBody,
      idempotent: true,
      success: { status: 200, description: 'The endpoint, with its next secret.', body: endpointWithSecretSchema },
      errors: ['webhook_endpoint_not_found'],
      handle: async ({ caller, id, body, once }) => {
        const { activates_in: activatesInSeconds = defaultActivatesInSeconds } = body;
        const outcome = await rotateWebhookSecret(
          deps,
          caller,
          { endpointId: id, activatesInSeconds },
          once && ((made) => once.receipt(rotated(made))),
        );
        return 'done' in outcome ? rotated(outcome.done) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      path: '/webhook-endpoints/:id/test',
      operationId: 'testWebhookEndpoint',
      summary: 'Send a test event to a webhook endpoint',
      description:
        'Sends an event of type `webhook_endpoint.test` to this endpoint only. `GET /events/{id}/deliveries` shows the result.',
      id,
      body: noBody,
      idempotent: true,
      success: { status: 201, description: 'The test event.', body: eventSchema },
      errors: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled'],
      handle: async ({ caller, id, once }) => {
        const outcome = await deps.resends(caller, () =>
          testWebhookEndpoint(deps, caller, id, once && ((event) => once.receipt(tested(event)))),
        );
        return 'done' in outcome ? tested(outcome.done) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      path: '/webhook-endpoints/:id/resend-failed',
      operationId: 'resendFailedDeliveries',
      summary: 'Resend failed deliveries to a webhook endpoint',
      description:
        'Resends every event whose last delivery to this endpoint failed and was created at or after `since`, oldest first, up to 1000 per call. While `has_more` is true, call again with a new Idempotency-Key; events already resent are not resent again.',
      id,
      body: resendFailedBody,
      idempotent: true,
      success: { status: 200, description: 'The number of events resent.', body: resentSchema },
      errors: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled'],
      handle: async ({ caller, id, body, once }) => {
        const since = readTime(body.since);
        if (since === null) {
          return refuse(
            'parameter_invalid',
            '`since` must be an ISO 8601 time with a time zone, such as 2026-11-15T09:30:00Z.',
            'since',
          );
        }
        const outcome = await deps.resends(caller, () =>
          resendFailedDeliveries(
            deps,
            caller,
            { endpointId: id, since },
            once && { ...once, receipt: (total) => once.receipt(resent(total)) },
          ),
        );
        return 'done' in outcome ? resent(outcome.done) : outcome;
      },
    }),
  ];
}
