// A merchant tries an endpoint out: an event of a type of its own, sent to this endpoint and to no other.

import { resend } from '../domain/delivery.ts';
import { type Event, endpointTestEvent } from '../domain/event.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { webhookEndpointDisabled, webhookEndpointNotFound } from './refusals.ts';

export function testWebhookEndpoint(
  deps: { store: Store; moment: () => Moment },
  scope: Scope,
  endpointId: string,
  receipt?: Receipt<Event>,
): Promise<Outcome<Event>> {
  return decideAndCommit(
    deps.store,
    async () => {
      const endpoint = await deps.store.webhookEndpoint(scope, endpointId);
      if (endpoint === null) return webhookEndpointNotFound(endpointId);
      if (endpoint.disabledReason !== null) return webhookEndpointDisabled(endpoint);
      const moment = deps.moment();
      const event = endpointTestEvent(endpoint, moment);
      return { changes: { events: [event], deliveries: [resend(event, endpoint.id, moment)] }, result: event };
    },
    receipt,
  );
}
