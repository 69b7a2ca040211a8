// Deletes expired data in small batches.

import { attemptKeysRetentionMs } from '../domain/attempt-counts.ts';
import type { DeclineLimits } from '../domain/decline-limits.ts';
import { idempotencyRetentionMs } from '../domain/idempotency.ts';
import { maxMailAgeMs } from '../domain/mail-message.ts';
import type { Clock } from '../domain/moment.ts';
import type { Retention } from '../domain/retention.ts';
import type { Store } from '../storage/store.ts';

export const pruneEveryMs = 60_000;
/** Of each kind. On SQLite, where a deletion blocks the process, the store splits it into shorter steps. */
const defaultBatch = 500;
/** Longer than any provider repeats a notification. */
const dayMs = 86_400_000;
const noticeRetentionMs = 30 * 24 * 60 * 60 * 1000;

export interface PruneDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: DeclineLimits;
  readonly retention: Omit<Retention, 'abandonedMs' | 'paymentsMs'>;
  /** 0: those that are left are deleted. */
  readonly requestLogDays: number;
  readonly batch?: number;
}

/** Deletes one batch of each kind; returns whether there is more. */
export async function prune({
  store,
  clock,
  limits,
  retention,
  requestLogDays,
  batch = defaultBatch,
}: PruneDeps): Promise<boolean> {
  const now = clock.now();
  const { deliveriesMs, eventsMs, auditEntriesMs, mailMs } = retention;
  const deleted = [
    await store.prune('idempotencyRecords', now - idempotencyRetentionMs, batch),
    deliveriesMs === null ? 0 : await store.deliveryQueue.prune(now - deliveriesMs, batch),
    eventsMs === null ? 0 : await store.prune('events', now - eventsMs, batch),
    auditEntriesMs === null ? 0 : await store.prune('auditEntries', now - auditEntriesMs, batch),
    // By that age, none is sent any more.
    mailMs === null ? 0 : await store.prune('mailMessages', now - Math.max(mailMs, maxMailAgeMs), batch),
    // They say themselves when nothing needs them any more.
    await store.prune('dashboardSessions', now, batch),
    await store.prune('oneTimeLinks', now, batch),
    await store.prune('signInCounters', now, batch),
    await store.prune('acquirerNotices', now - noticeRetentionMs, batch),
    await store.prune('requestRecords', now - requestLogDays * dayMs, batch),
    await store.eraseAttempts(now, now - attemptKeysRetentionMs(limits), batch),
  ];
  return deleted.some((count) => count >= batch);
}
