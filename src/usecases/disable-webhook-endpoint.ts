// An endpoint that answered 410 is left alone until its merchant enables it again. Disabling twice is disabling once.

import type { Scope } from '../domain/merchant.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';

/** The endpoint as it stands then; null where it was deleted meanwhile. */
export function disableWebhookEndpoint(
  { store }: { store: Store },
  scope: Scope,
  endpointId: string,
): Promise<Outcome<WebhookEndpoint | null>> {
  return decideAndCommit<WebhookEndpoint | null>(store, async () => {
    const endpoint = await store.webhookEndpoint(scope, endpointId);
    if (endpoint === null || endpoint.disabledReason !== null) return { changes: {}, result: endpoint };
    const disabled: WebhookEndpoint = { ...endpoint, disabledReason: 'gone' };
    return { changes: { webhookEndpoints: [disabled] }, result: disabled };
  });
}
