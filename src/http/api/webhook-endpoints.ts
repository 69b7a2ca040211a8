// Webhook endpoints over the API: create, look up, list, update, delete. What can be done with one: webhook-actions.ts.

import { Type } from 'typebox';
import { hostedCheckoutEventTypes } from '../../domain/event.ts';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint.ts';
import {
  createWebhookEndpoint,
  type EndpointWithSecret,
  type WebhookEndpointDeps,
} from '../../usecases/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from '../../usecases/delete-webhook-endpoint.ts';
import { webhookEndpointNotFound } from '../../usecases/refusals.ts';
import { updateWebhookEndpoint } from '../../usecases/update-webhook-endpoint.ts';
import { answerList, listOf, pageQuery } from './list.ts';
import { type Answer, type ApiRoute, apiRoute } from './route.ts';
import {
  createBody,
  deletedSchema,
  endpointSchema,
  endpointWithSecretSchema,
  patchBody,
  serialiseEndpoint,
} from './webhook-endpoint-schema.ts';

const endpointsQuery = Type.Object(pageQuery, { additionalProperties: false });

export function webhookEndpointRoutes(deps: WebhookEndpointDeps): ApiRoute[] {
  const { store } = deps;
  const serialise = (endpoint: WebhookEndpoint) => serialiseEndpoint(endpoint, deps.moment().now);
  const answer = (endpoint: WebhookEndpoint): Answer => ({ status: 200, body: serialise(endpoint) });
  const created = ({ endpoint, secret }: EndpointWithSecret): Answer => ({
    status: 201,
    body: { ...serialise(endpoint), secret },
  });
  const id = { prefix: 'we', notFound: webhookEndpointNotFound } as const;
  const shared = { tag: 'Webhook endpoints' };
  return [
    apiRoute({
      ...shared,
      method: 'POST',
      path: '/webhook-endpoints',
      operationId: 'createWebhookEndpoint',
      summary: 'Create a webhook endpoint',
      description:
        'Events are sent there from now on. Each carries `Service-Signature: t=<seconds>,v1=<hex>`, the HMAC-SHA256 of `<t>.<raw body>` with the `secret`, which comes back now and never again.',
      body: createBody,
      idempotent: true,
      success: { status: 201, description: 'The endpoint, with its secret.', body: endpointWithSecretSchema },
      errors: ['webhook_endpoint_limit_reached'],
      handle: async ({ caller, body, once }) => {
        const outcome = await createWebhookEndpoint(
          deps,
          caller,
          {
            url: body.url,
            enabledEvents: body.enabled_events ?? hostedCheckoutEventTypes,
            description: body.description ?? null,
            disabled: body.disabled ?? false,
          },
          once && ((made) => once.receipt(created(made))),
        );
        return 'done' in outcome ? created(outcome.done) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/webhook-endpoints',
      operationId: 'listWebhookEndpoints',
      summary: 'List webhook endpoints',
      description: 'Newest first, without their secrets.',
      query: endpointsQuery,
      success: { status: 200, description: 'A page.', body: listOf(endpointSchema, 'Webhook Endpoints') },
      errors: [],
      handle: ({ caller, query }) => answerList(query, 'we', (page) => store.webhookEndpoints(caller, page), serialise),
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/webhook-endpoints/:id',
      operationId: 'getWebhookEndpoint',
      summary: 'Look a webhook endpoint up',
      description: 'As it stands now, without its secret.',
      id,
      success: { status: 200, description: 'The endpoint.', body: endpointSchema },
      errors: ['webhook_endpoint_not_found'],
      handle: async ({ caller, id }) => {
        const endpoint = await store.webhookEndpoint(caller, id);
        return endpoint === null ? webhookEndpointNotFound(id) : answer(endpoint);
      },
    }),
    apiRoute({
      ...shared,
      method: 'PATCH',
      path: '/webhook-endpoints/:id',
      operationId: 'updateWebhookEndpoint',
      summary: 'Update a webhook endpoint',
      description: 'A JSON Merge Patch. Events from now on are sent as it then says.',
      id,
      body: patchBody,
      success: { status: 200, description: 'The updated endpoint.', body: endpointSchema },
      errors: ['webhook_endpoint_not_found'],
      handle: async ({ caller, id, body }) => {
        const outcome = await updateWebhookEndpoint(deps, caller, id, {
          url: body.url,
          enabledEvents: body.enabled_events,
          description: body.description,
          disabled: body.disabled,
        });
        return 'done' in outcome ? answer(outcome.done) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      method: 'DELETE',
      path: '/webhook-endpoints/:id',
      operationId: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint',
      description: 'Nothing more is sent there, and its secret is wiped. What was sent can still be looked up.',
      id,
      success: { status: 200, description: 'It is gone.', body: deletedSchema },
      errors: ['webhook_endpoint_not_found'],
      handle: async ({ caller, id }) => {
        const outcome = await deleteWebhookEndpoint(deps, caller, id);
        if (!('done' in outcome)) return outcome;
        return { status: 200, body: { id, object: 'webhook_endpoint', deleted: true } };
      },
    }),
  ];
}
