// Deletes what has served its time, in small bites.

import { attemptKeysKeptMs } from '../domain/attempt-counts.ts';
import type { DeclineLimits } from '../domain/decline-limits.ts';
import { deliveryRetentionMs } from '../domain/delivery.ts';
import { idempotencyRetentionMs } from '../domain/idempotency.ts';
import type { Clock } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';

export const pruneEveryMs = 60_000;
/** On SQLite the process does nothing else meanwhile: this many took 4 ms, with the sync to disk. */
const bite = 50;

/** One bite; answers whether there is more. */
export async function prune(store: Store, clock: Clock, limits: DeclineLimits): Promise<boolean> {
  const now = clock.now();
  const records = await store.prune('idempotencyRecords', now - idempotencyRetentionMs, bite);
  const deliveries = await store.deliveryQueue.prune(now - deliveryRetentionMs, bite);
  const attempts = await store.eraseAttempts(now, now - attemptKeysKeptMs(limits), bite);
  return records === bite || deliveries === bite || attempts === bite;
}
