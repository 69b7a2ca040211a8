// Events with their deliveries and each attempt.

import { eventBody } from '../../domain/event.ts';
import type { Store } from '../../storage/store.ts';
import { eventNotFound } from '../../usecases/refusals.ts';
import { deliverySchema, eventSchema, serialiseDelivery } from '../api/event-schema.ts';
import { id, nullableString } from '../api/schemas.ts';
import { type Static, Type } from '../schema.ts';
import type { Mount } from './mounted.ts';
import { type DashboardRoute, dashboardRoute } from './route.ts';

const eventDelivery = Type.Object({
  ...deliverySchema.properties,
  endpoint_url: nullableString({ description: 'Null if the endpoint was deleted.' }),
});
const eventDetail = Type.Object({
  event: eventSchema,
  payment_intent: Type.Union([id('pi', 'The payment that it is about.'), Type.Null()]),
  deliveries: Type.Array(eventDelivery, { description: 'Newest first.' }),
  deliveries_has_more: Type.Boolean({ description: 'Older deliveries were left out.' }),
});
export type EventBody = Static<typeof eventSchema>;
export type EventDetail = Static<typeof eventDetail>;

const maxDeliveries = 100;

export function eventRoutes({ store }: { readonly store: Store }, mount: Mount): DashboardRoute[] {
  return [
    mount('listEvents', { may: 'develop' }),
    dashboardRoute({
      method: 'GET',
      path: '/events/:id',
      may: 'develop',
      id: { prefix: 'evt', notFound: eventNotFound },
      handle: async ({ staff, id }) => {
        const event = await store.find('events', staff, id);
        if (event === null) return eventNotFound(id);
        const where = { eventId: id };
        const deliveries = await store.list('deliveries', { scope: staff, where, limit: maxDeliveries + 1 });
        const shown = deliveries.slice(0, maxDeliveries);
        const endpointIds = [...new Set(shown.map(({ endpointId }) => endpointId))];
        const endpoints = await Promise.all(
          endpointIds.map((endpointId) => store.find('webhookEndpoints', staff, endpointId)),
        );
        const urls = new Map(endpoints.flatMap((endpoint) => (endpoint === null ? [] : [[endpoint.id, endpoint.url]])));
        const body: EventDetail = {
          event: eventBody(event) as EventBody,
          payment_intent: event.paymentIntentId,
          deliveries: shown.map((delivery) => ({
            ...serialiseDelivery(delivery),
            endpoint_url: urls.get(delivery.endpointId) ?? null,
          })),
          deliveries_has_more: deliveries.length > maxDeliveries,
        };
        return { status: 200, body };
      },
    }),
    mount('resendEvent', { may: 'develop', audit: 'event.resent', shows: ['endpoint'] }),
  ];
}
