// Disables an endpoint that responded with 410 until its merchant enables it again. An endpoint that was changed since
// the request was sent stays enabled: the response may have come from its old URL.

import { endpointEntry, systemActor } from '../domain/audit-entry.ts';
import type { Moment } from '../domain/moment.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';

/** `contacted`: the endpoint as it was when the request was sent. Returns whether it was disabled. */
export function disableWebhookEndpoint(
  { store, moment }: { store: Store; moment: () => Moment },
  contacted: WebhookEndpoint,
): Promise<Outcome<boolean>> {
  return decideAndCommit<boolean>(store, async () => {
    const endpoint = await store.find('webhookEndpoints', contacted, contacted.id);
    if (endpoint === null || endpoint.version !== contacted.version) return { changes: {}, result: false };
    const disabled: WebhookEndpoint = { ...endpoint, disabledReason: 'gone' };
    const audit = endpointEntry(moment(), systemActor, 'webhook_endpoint.disabled', {
      endpoint,
      details: { reason: 'it responded with 410' },
    });
    return { changes: { webhookEndpoints: [disabled], auditEntries: [audit] }, result: true };
  });
}
