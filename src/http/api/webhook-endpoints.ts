// Webhook endpoints over the API: create, retrieve, list, update, delete. For actions on them, see webhook-actions.ts.

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
import { Type } from '../schema.ts';
import { listOf, listResponse, pageQuery } from './list.ts';
import { type ApiResponse, type ApiRoute, apiRoute } from './route.ts';
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
  const toResponse = (endpoint: WebhookEndpoint): ApiResponse => ({ status: 200, body: serialise(endpoint) });
  const created = ({ endpoint, secret }: EndpointWithSecret): ApiResponse => ({
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
        'New events are sent to this endpoint. Each request carries `Service-Signature: t=<seconds>,v1=<hex>`, the HMAC-SHA256 of `<t>.<raw body>` with the `secret`, which is only returned in this response.',
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
      success: { status: 200, description: 'One page of the list.', body: listOf(endpointSchema, 'Webhook Endpoints') },
      errors: [],
      handle: ({ caller, query }) =>
        listResponse(
          query,
          'we',
          (page) => store.replica.list('webhookEndpoints', { scope: caller, ...page }),
          serialise,
        ),
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/webhook-endpoints/:id',
      operationId: 'getWebhookEndpoint',
      summary: 'Retrieve a webhook endpoint',
      description: 'Returns the endpoint without its secret.',
      id,
      success: { status: 200, description: 'The endpoint.', body: endpointSchema },
      errors: ['webhook_endpoint_not_found'],
      handle: async ({ caller, id }) => {
        const endpoint = await store.find('webhookEndpoints', caller, id);
        return endpoint === null ? webhookEndpointNotFound(id) : toResponse(endpoint);
      },
    }),
    apiRoute({
      ...shared,
      method: 'PATCH',
      path: '/webhook-endpoints/:id',
      operationId: 'updateWebhookEndpoint',
      summary: 'Update a webhook endpoint',
      description:
        'Takes a JSON Merge Patch. `enabled_events` applies to new events. A new `url` applies from the next attempt on, also to deliveries that are already waiting.',
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
        return 'done' in outcome ? toResponse(outcome.done) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      method: 'DELETE',
      path: '/webhook-endpoints/:id',
      operationId: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint',
      description: 'No more events are sent to it, and its secret is erased. Past deliveries can still be retrieved.',
      id,
      success: { status: 200, description: 'Confirmation of the deletion.', body: deletedSchema },
      errors: ['webhook_endpoint_not_found'],
      handle: async ({ caller, id }) => {
        const outcome = await deleteWebhookEndpoint(deps, caller, id);
        if (!('done' in outcome)) return outcome;
        return { status: 200, body: { id, object: 'webhook_endpoint', deleted: true } };
      },
    }),
  ];
}
