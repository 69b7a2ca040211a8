// A merchant whose endpoint was down asks for what it missed: every event whose last delivery to it failed is sent again.

import { resend } from '../domain/delivery.ts';
import { isRefusal } from '../domain/errors.ts';
import type { Scope } from '../domain/merchant.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { webhookEndpointDisabled, webhookEndpointNotFound } from './refusals.ts';
import { type ResendDeps, roomForResends } from './room-for-resends.ts';

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
  deps: ResendDeps,
  scope: Scope,
  { endpointId, since }: { endpointId: string; since: number },
): Promise<Outcome<Resent>> {
  let count = 0;
  let from = since;
  for (let batches = 1; ; batches++) {
    const outcome = await resendSome(deps, scope, endpointId, from);
    // What was sent again already is told; the next call hears why there is no more.
    if (isRefusal(outcome) && outcome.refused === 'rate_limited' && count > 0)
      return { done: { count, hasMore: true } };
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
function resendSome(deps: ResendDeps, scope: Scope, endpointId: string, since: number): Promise<Outcome<Batch>> {
  const { store, moment } = deps;
  return decideAndCommit<Batch>(store, async () => {
    const endpoint = await store.webhookEndpoint(scope, endpointId);
    if (endpoint === null) return webhookEndpointNotFound(endpointId);
    if (endpoint.disabledReason !== null) return webhookEndpointDisabled(endpoint);
    const found = await store.failedDeliveries(scope, endpointId, since, batch + 1);
    if (found.length === 0) return { changes: {}, result: { count: 0, hasMore: false, upTo: since } };
    const room = await roomForResends(deps, scope, 1);
    if (isRefusal(room)) return room;
    const failed = found.slice(0, Math.min(batch, room.deliveries));
    const upTo = failed.at(-1)?.createdAt ?? since;
    const result = { count: failed.length, hasMore: found.length > failed.length, upTo };
    const now = moment();
    const deliveries = failed.map((delivery) => resend({ ...delivery, id: delivery.eventId }, endpointId, now));
    return { changes: { merchants: [room.merchant], webhookEndpoints: [endpoint], deliveries }, result };
  });
}
