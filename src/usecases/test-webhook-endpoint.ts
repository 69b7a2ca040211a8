// Tests an endpoint with an event of a dedicated type, sent to this endpoint only.

import { resend } from '../domain/delivery.ts';
import { isRefusal } from '../domain/errors.ts';
import { type Event, endpointTestEvent } from '../domain/event.ts';
import type { Scope } from '../domain/merchant.ts';
import { decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { webhookEndpointDisabled, webhookEndpointNotFound } from './refusals.ts';
import { type ResendDeps, resendCapacity } from './resend-capacity.ts';

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
      const capacity = await resendCapacity(deps, scope, 1);
      if (isRefusal(capacity)) return capacity;
      const moment = deps.moment();
      const event = endpointTestEvent(endpoint, moment);
      const deliveries = [resend(event, endpoint.id, moment)];
      return { changes: { merchants: [capacity.merchant], events: [event], deliveries }, result: event };
    },
    receipt,
  );
}
