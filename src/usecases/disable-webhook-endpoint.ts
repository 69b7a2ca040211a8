// An endpoint that answered 410 is left alone until its merchant enables it again. One that was changed since it was asked
// stays as it is: the answer came from where it no longer is.

import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';

/** `asked`: as it was when the answer was asked for. Answers whether it was disabled. */
export function disableWebhookEndpoint({ store }: { store: Store }, asked: WebhookEndpoint): Promise<Outcome<boolean>> {
  return decideAndCommit<boolean>(store, async () => {
    const endpoint = await store.webhookEndpoint(asked, asked.id);
    if (endpoint === null || endpoint.version !== asked.version) return { changes: {}, result: false };
    const disabled: WebhookEndpoint = { ...endpoint, disabledReason: 'gone' };
    return { changes: { webhookEndpoints: [disabled] }, result: true };
  });
}
