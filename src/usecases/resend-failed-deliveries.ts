// A merchant whose endpoint was down asks for what it missed: every event whose last delivery to it failed is sent again.

import { resend } from '../domain/delivery.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { webhookEndpointDisabled, webhookEndpointNotFound } from './refusals.ts';

const batch = 100;
const maxBatches = 10;

export interface Resent {
  readonly count: number;
  /** Whether some are left for another call. */
  readonly hasMore: boolean;
}

interface Batch extends Resent {
  /** When the last of them was made: the next batch begins there. */
  readonly upTo: number;
}

export async function resendFailedDeliveries(
  deps: { store: Store; moment: () => Moment },
  scope: Scope,
  { endpointId, since }: { endpointId: string; since: number },
): Promise<Outcome<Resent>> {
  let count = 0;
  let from = since;
  for (let batches = 1; ; batches++) {
    const outcome = await resendSome(deps, scope, endpointId, from);
    if (!('done' in outcome)) return outcome;
    const { hasMore, upTo } = outcome.done;
    count += outcome.done.count;
    from = upTo;
    if (!hasMore || batches === maxBatches) return { done: { count, hasMore } };
  }
}

/**
 * The endpoint is read first and written with what is sent: of two calls at once, one finds that it has changed and
 * reads again what is left.
 */
function resendSome(
  { store, moment }: { store: Store; moment: () => Moment },
  scope: Scope,
  endpointId: string,
  since: number,
): Promise<Outcome<Batch>> {
  return decideAndCommit<Batch>(store, async () => {
    const endpoint = await store.webhookEndpoint(scope, endpointId);
    if (endpoint === null) return webhookEndpointNotFound(endpointId);
    if (endpoint.disabledReason !== null) return webhookEndpointDisabled(endpoint);
    const found = await store.failedDeliveries(scope, endpointId, since, batch + 1);
    const failed = found.slice(0, batch);
    const upTo = failed.at(-1)?.createdAt ?? since;
    const result = { count: failed.length, hasMore: found.length > batch, upTo };
    if (failed.length === 0) return { changes: {}, result };
    const now = moment();
    const deliveries = failed.map((delivery) => resend({ ...delivery, id: delivery.eventId }, endpointId, now));
    return { changes: { webhookEndpoints: [endpoint], deliveries }, result };
  });
}
