// Deletes expired data in small batches.

import { attemptKeysRetentionMs } from '../domain/attempt-counts.ts';
import type { DeclineLimits } from '../domain/decline-limits.ts';
import { deliveryRetentionMs } from '../domain/delivery.ts';
import { idempotencyRetentionMs } from '../domain/idempotency.ts';
import type { Clock } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';

export const pruneEveryMs = 60_000;
/** On SQLite a deletion blocks the process: this many rows took 4 ms, including the sync to disk. */
const batch = 50;

/** Deletes one batch; returns whether there is more. */
export async function prune(store: Store, clock: Clock, limits: DeclineLimits): Promise<boolean> {
  const now = clock.now();
  const records = await store.prune('idempotencyRecords', now - idempotencyRetentionMs, batch);
  const deliveries = await store.deliveryQueue.prune(now - deliveryRetentionMs, batch);
  const attempts = await store.eraseAttempts(now, now - attemptKeysRetentionMs(limits), batch);
  return records === batch || deliveries === batch || attempts === batch;
}
