// A merchant gives an endpoint up: nothing is sent there any more, and its secrets are wiped.

import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { deleted, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { webhookEndpointNotFound } from './refusals.ts';

export function deleteWebhookEndpoint(
  { store, moment }: { store: Store; moment: () => Moment },
  scope: Scope,
  endpointId: string,
): Promise<Outcome<WebhookEndpoint>> {
  return decideAndCommit(store, async () => {
    const endpoint = await store.webhookEndpoint(scope, endpointId);
    if (endpoint === null) return webhookEndpointNotFound(endpointId);
    const gone = deleted(endpoint, moment().now);
    return { changes: { webhookEndpoints: [gone] }, result: gone };
  });
}
