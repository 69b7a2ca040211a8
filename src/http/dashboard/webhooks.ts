// Webhook endpoints with their health, their failed deliveries, and what users do with them.

import type { Refusal } from '../../domain/errors.ts';
import type { Scope } from '../../domain/merchant.ts';
import { isoTime } from '../../domain/moment.ts';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint.ts';
import { endpointHealth, noDeliveries } from '../../domain/webhook-health.ts';
import type { WebhookEndpointDeps } from '../../usecases/create-webhook-endpoint.ts';
import { webhookEndpointNotFound } from '../../usecases/refusals.ts';
import { updateWebhookEndpoint } from '../../usecases/update-webhook-endpoint.ts';
import { type deliverySchema, serialiseDelivery } from '../api/event-schema.ts';
import { listResponse, pageQuery } from '../api/list.ts';
import type { ApiResponse } from '../api/route.ts';
import { noBody, nullable, stringEnum, time } from '../api/schemas.ts';
import {
  type createBody,
  endpointSchema,
  type endpointWithSecretSchema,
  type patchBody,
  serialiseEndpoint,
} from '../api/webhook-endpoint-schema.ts';
import { type Static, Type } from '../schema.ts';
import type { Mount } from './mounted.ts';
import { type DashboardRoute, dashboardRoute, type Staff } from './route.ts';

const healthSchema = Type.Object({
  since: time('Deliveries of events from then on are counted: 24 hours.'),
  delivered: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 }),
  waiting: Type.Integer({ minimum: 0 }),
  median_ms: nullable(Type.Integer()),
  p95_ms: nullable(Type.Integer()),
  sampled: Type.Boolean({ description: 'There were very many: only the newest were counted, over all endpoints.' }),
});
const endpointWithHealth = Type.Object({ ...endpointSchema.properties, health: healthSchema });
export type EndpointHealthBody = Static<typeof healthSchema>;
export type WebhookEndpointBody = Static<typeof endpointWithHealth>;
export type NewWebhookEndpoint = Static<typeof createBody>;
export type WebhookEndpointPatch = Static<typeof patchBody>;
export type WebhookEndpointWithSecretBody = Static<typeof endpointWithSecretSchema>;
export type DeliveryBody = Static<typeof deliverySchema>;

const endpointsQuery = Type.Object(pageQuery, { additionalProperties: false });
const failedQuery = Type.Object(
  { ...pageQuery, status: Type.Optional(stringEnum(['failed'])) },
  { additionalProperties: false },
);

const dayMs = 86_400_000;
/** About 15 ms on SQLite, during which nothing else is served. */
const maxCounted = 5_000;

export function webhookRoutes(deps: WebhookEndpointDeps, mount: Mount): DashboardRoute[] {
  const { store, moment } = deps;
  const byId = { prefix: 'we', notFound: webhookEndpointNotFound } as const;

  /** Of all endpoints of a merchant and mode: one read, however many there are. */
  async function readHealth(scope: Scope): Promise<(endpoint: WebhookEndpoint) => WebhookEndpointBody> {
    const { now } = moment();
    const since = now - dayMs;
    const results = await store.deliveryQueue.recent(scope, since, maxCounted);
    const health = endpointHealth(results);
    const sampled = results.length === maxCounted;
    return (endpoint) => {
      const { delivered, failed, waiting, medianMs, p95Ms } = health.get(endpoint.id) ?? noDeliveries;
      const counted = { delivered, failed, waiting, median_ms: medianMs, p95_ms: p95Ms };
      return { ...serialiseEndpoint(endpoint, now), health: { since: isoTime(since), ...counted, sampled } };
    };
  }

  async function found(staff: Staff, id: string): Promise<ApiResponse | Refusal> {
    const endpoint = await store.find('webhookEndpoints', staff, id);
    if (endpoint === null) return webhookEndpointNotFound(id);
    return { status: 200, body: (await readHealth(staff))(endpoint) };
  }

  const switching = (path: string, disabled: boolean): DashboardRoute =>
    dashboardRoute({
      method: 'POST',
      path,
      may: 'develop',
      id: byId,
      body: noBody,
      handle: async ({ staff, id }) => {
        const kept = { url: undefined, enabledEvents: undefined, description: undefined };
        const outcome = await updateWebhookEndpoint(deps, staff, id, { ...kept, disabled });
        return 'done' in outcome ? found(staff, id) : outcome;
      },
    });

  return [
    dashboardRoute({
      method: 'GET',
      path: '/webhook-endpoints',
      may: 'develop',
      query: endpointsQuery,
      handle: async ({ staff, query }) => {
        const withHealth = await readHealth(staff);
        return listResponse(
          query,
          'we',
          (page) => store.list('webhookEndpoints', { scope: staff, ...page }),
          withHealth,
        );
      },
    }),
    dashboardRoute({
      method: 'GET',
      path: '/webhook-endpoints/:id',
      may: 'develop',
      id: byId,
      handle: ({ staff, id }) => found(staff, id),
    }),
    mount('createWebhookEndpoint', { may: 'develop' }),
    mount('updateWebhookEndpoint', { may: 'develop' }),
    mount('deleteWebhookEndpoint', { may: 'develop' }),
    mount('rotateWebhookSecret', { may: 'develop', sensitive: true }),
    mount('testWebhookEndpoint', { may: 'develop', audit: 'webhook_endpoint.test_sent' }),
    mount('resendFailedDeliveries', { may: 'develop', audit: 'webhook_endpoint.failed_resent', shows: ['since'] }),
    switching('/webhook-endpoints/:id/disable', true),
    switching('/webhook-endpoints/:id/enable', false),
    dashboardRoute({
      method: 'GET',
      path: '/webhook-endpoints/:id/deliveries',
      may: 'develop',
      id: byId,
      query: failedQuery,
      handle: async ({ staff, id, query: { status: _, ...page } }) => {
        if ((await store.find('webhookEndpoints', staff, id)) === null) return webhookEndpointNotFound(id);
        const where = { endpointId: id };
        return listResponse(
          page,
          'del',
          (wanted) => store.list('failedDeliveries', { scope: staff, where, ...wanted }),
          serialiseDelivery,
        );
      },
    }),
  ];
}
