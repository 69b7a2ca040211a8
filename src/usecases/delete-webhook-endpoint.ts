// Deletes a webhook endpoint: nothing is sent to it any more, and its secrets are erased.

import { type ApiActor, endpointEntry } from '../domain/audit-entry.ts';
import type { Moment } from '../domain/moment.ts';
import { deleted, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { webhookEndpointNotFound } from './refusals.ts';

export function deleteWebhookEndpoint(
  { store, moment }: { store: Store; moment: () => Moment },
  scope: ApiActor,
  endpointId: string,
): Promise<Outcome<WebhookEndpoint>> {
  return decideAndCommit(store, async () => {
    const endpoint = await store.find('webhookEndpoints', scope, endpointId);
    if (endpoint === null) return webhookEndpointNotFound(endpointId);
    const at = moment();
    const gone = deleted(endpoint, at.now);
    const audit = endpointEntry(at, scope.keyId, 'webhook_endpoint.deleted', { endpoint });
    return { changes: { webhookEndpoints: [gone], auditEntries: [audit] }, result: gone };
  });
}
