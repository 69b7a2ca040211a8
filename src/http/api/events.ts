// Events over the API: retrieve, list, resend, and list their deliveries.

import type { Delivery } from '../../domain/delivery.ts';
import { eventBody } from '../../domain/event.ts';
import { eventNotFound } from '../../usecases/refusals.ts';
import type { ResendDeps } from '../../usecases/resend-capacity.ts';
import { resendEvent } from '../../usecases/resend-event.ts';
import type { ResendGate } from '../resend-gate.ts';
import { Type } from '../schema.ts';
import { deliverySchema, eventSchema, eventType, resendBody, serialiseDelivery } from './event-schema.ts';
import { listOf, listResponse, pageQuery } from './list.ts';
import { type ApiResponse, type ApiRoute, apiRoute } from './route.ts';

const eventsQuery = Type.Object(
  { ...pageQuery, type: Type.Optional({ ...eventType, description: 'Only events of this type.' }) },
  { additionalProperties: false },
);
const deliveriesQuery = Type.Object(pageQuery, { additionalProperties: false });

export function eventRoutes(deps: ResendDeps & { readonly resends: ResendGate }): ApiRoute[] {
  const { store } = deps;
  const resent = (deliveries: readonly Delivery[]): ApiResponse => ({
    status: 200,
    body: { data: deliveries.map(serialiseDelivery), has_more: false, next_cursor: null },
  });
  const id = { prefix: 'evt', notFound: eventNotFound } as const;
  const shared = { tag: 'Events' };
  return [
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/events',
      operationId: 'listEvents',
      summary: 'List events',
      description: 'Newest first, including events that were not sent to any endpoint.',
      query: eventsQuery,
      success: { status: 200, description: 'One page of the list.', body: listOf(eventSchema, 'Events') },
      errors: [],
      handle: ({ caller, query }) => {
        const { type } = query;
        return listResponse(
          query,
          'evt',
          (page) => store.replica.list('events', { ...page, scope: caller, where: { type } }),
          eventBody,
        );
      },
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/events/:id',
      operationId: 'getEvent',
      summary: 'Retrieve an event',
      description: 'Returns the event as sent to webhook endpoints.',
      id,
      success: { status: 200, description: 'The event.', body: eventSchema },
      errors: ['event_not_found'],
      handle: async ({ caller, id }) => {
        const event = await store.find('events', caller, id);
        return event === null ? eventNotFound(id) : { status: 200, body: eventBody(event) };
      },
    }),
    apiRoute({
      ...shared,
      method: 'POST',
      path: '/events/:id/resend',
      operationId: 'resendEvent',
      summary: 'Resend an event',
      description:
        'Sends the event to one endpoint, whatever it subscribes to, or to every enabled endpoint that now subscribes to its type. Each endpoint gets a new delivery with its own retries.',
      id,
      body: resendBody,
      idempotent: true,
      success: { status: 200, description: 'The new deliveries.', body: listOf(deliverySchema, 'Deliveries') },
      errors: ['event_not_found', 'webhook_endpoint_not_found', 'webhook_endpoint_disabled', 'event_has_no_endpoint'],
      handle: async ({ caller, id, body, once }) => {
        const { endpoint: endpointId } = body;
        const outcome = await deps.resends(caller, () =>
          resendEvent(
            deps,
            caller,
            { eventId: id, endpointId },
            once && ((deliveries) => once.receipt(resent(deliveries))),
          ),
        );
        return 'done' in outcome ? resent(outcome.done) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/events/:id/deliveries',
      operationId: 'listDeliveries',
      summary: 'List the deliveries of an event',
      description: 'Newest first: one delivery for each endpoint and each resend, with all of its attempts.',
      id,
      query: deliveriesQuery,
      success: { status: 200, description: 'One page of the list.', body: listOf(deliverySchema, 'Deliveries') },
      errors: ['event_not_found'],
      handle: async ({ caller, id, query }) => {
        if ((await store.find('events', caller, id)) === null) return eventNotFound(id);
        return listResponse(
          query,
          'del',
          (page) => store.replica.list('deliveries', { scope: caller, ...page, where: { eventId: id } }),
          serialiseDelivery,
        );
      },
    }),
  ];
}
