// A merchant tries an endpoint out: an event of a type of its own, sent to this endpoint and to no other.

import { resend } from '../domain/delivery.ts';
import { isRefusal } from '../domain/errors.ts';
import { type Event, endpointTestEvent } from '../domain/event.ts';
import type { Scope } from '../domain/merchant.ts';
import { decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { webhookEndpointDisabled, webhookEndpointNotFound } from './refusals.ts';
import { type ResendDeps, roomForResends } from './room-for-resends.ts';

export function testWebhookEndpoint(
  deps: ResendDeps,
  scope: Scope,
  endpointId: string,
  receipt?: Receipt<Event>,
): Promise<Outcome<Event>> {
  return decideAndCommit(
    deps.store,
    async () => {
      const endpoint = await deps.store.find('webhookEndpoints', scope, endpointId);
      if (endpoint === null) return webhookEndpointNotFound(endpointId);
      if (endpoint.disabledReason !== null) return webhookEndpointDisabled(endpoint);
      const room = await roomForResends(deps, scope, 1);
      if (isRefusal(room)) return room;
      const moment = deps.moment();
      const event = endpointTestEvent(endpoint, moment);
      const deliveries = [resend(event, endpoint.id, moment)];
      return { changes: { merchants: [room.merchant], events: [event], deliveries }, result: event };
    },
    receipt,
  );
}
