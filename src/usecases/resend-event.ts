// Resends an event to one endpoint, or to all that currently subscribe to its type.

import { type Delivery, resend } from '../domain/delivery.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import { type Event, testEventType } from '../domain/event.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { eventNotFound, webhookEndpointDisabled, webhookEndpointNotFound } from './refusals.ts';
import { type ResendDeps, resendCapacity } from './resend-capacity.ts';
import { subscriptionsOf } from './subscriptions.ts';

export function resendEvent(
  deps: ResendDeps,
  scope: Scope,
  { eventId, endpointId }: { eventId: string; endpointId: string | undefined },
  receipt?: Receipt<readonly Delivery[]>,
): Promise<Outcome<readonly Delivery[]>> {
  const { store } = deps;
  return decideAndCommit(
    store,
    async () => {
      const event = await store.find('events', scope, eventId);
      if (event === null) return eventNotFound(eventId);
      const receivers =
        endpointId === undefined ? await subscribers(store, event) : await oneEndpoint(store, scope, endpointId);
      if (isRefusal(receivers)) return receivers;
      const capacity = await resendCapacity(deps, scope, receivers.length);
      if (isRefusal(capacity)) return capacity;
      const moment = deps.moment();
      const deliveries = receivers.map((id) => resend(event, id, moment));
      return { changes: { merchants: [capacity.merchant], deliveries }, result: deliveries };
    },
    receipt,
  );
}

async function oneEndpoint(store: Store, scope: Scope, id: string): Promise<readonly string[] | Refusal> {
  const endpoint = await store.find('webhookEndpoints', scope, id);
  if (endpoint === null) return webhookEndpointNotFound(id);
  return endpoint.disabledReason === null ? [id] : webhookEndpointDisabled(endpoint);
}

async function subscribers(store: Store, event: Event): Promise<readonly string[] | Refusal> {
  const all = await subscriptionsOf(store, event);
  const ids = all.filter(({ enabledEvents }) => enabledEvents.some((type) => type === event.type)).map(({ id }) => id);
  if (ids.length > 0) return ids;
  if (event.type === testEventType) {
    return refuse('event_has_no_endpoint', 'A test event is sent to a single endpoint. Set `endpoint` to its id.');
  }
  return refuse(
    'event_has_no_endpoint',
    `No enabled endpoint subscribes to \`${event.type}\`. Add it to the \`enabled_events\` of an endpoint, or set \`endpoint\`.`,
  );
}
