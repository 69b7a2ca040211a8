// An endpoint that answered 410 is left alone until its merchant enables it again. One that was changed since it was asked
// stays as it is: the answer came from where it no longer is.

import { endpointEntry, systemActor } from '../domain/audit-entry.ts';
import type { Moment } from '../domain/moment.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';

/** `asked`: as it was when the answer was asked for. Answers whether it was disabled. */
export function disableWebhookEndpoint(
  { store, moment }: { store: Store; moment: () => Moment },
  asked: WebhookEndpoint,
): Promise<Outcome<boolean>> {
  return decideAndCommit<boolean>(store, async () => {
    const endpoint = await store.webhookEndpoint(asked, asked.id);
    if (endpoint === null || endpoint.version !== asked.version) return { changes: {}, result: false };
    const disabled: WebhookEndpoint = { ...endpoint, disabledReason: 'gone' };
    const audit = endpointEntry(moment(), systemActor, 'webhook_endpoint.disabled', {
      endpoint,
      details: { reason: 'it answered 410' },
    });
    return { changes: { webhookEndpoints: [disabled], auditEntries: [audit] }, result: true };
  });
}
