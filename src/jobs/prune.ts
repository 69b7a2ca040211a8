// Deletes expired data in small batches, and erases customers from old payments.

import { attemptKeysRetentionMs } from '../domain/attempt-counts.ts';
import type { DeclineLimits } from '../domain/decline-limits.ts';
import { idempotencyRetentionMs } from '../domain/idempotency.ts';
import { maxMailAgeMs } from '../domain/mail-message.ts';
import type { Clock } from '../domain/moment.ts';
import type { Retention } from '../domain/retention.ts';
import type { Store } from '../storage/store.ts';
import { eraseDetails } from '../usecases/erase-customer.ts';

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

const erasureLeaseMs = 60_000;

/** From payments that were created before that time and have ended. Leases are counted from there too. */
async function eraseCustomers(store: Store, before: number, limit: number): Promise<number> {
  const claim = { now: before, leaseMs: erasureLeaseMs, limit };
  const old = await store.claim('checkoutSessions', 'withCustomer', claim);
  for (const session of old) await eraseDetails(store, session, session.id);
  return old.length;
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
  const { deliveriesMs, eventsMs, auditEntriesMs, mailMs, customersMs } = retention;
  /** Each kind on its own: one that cannot be deleted must not keep the others. */
  const kinds = [
    () => store.prune('idempotencyRecords', now - idempotencyRetentionMs, batch),
    () => (deliveriesMs === null ? 0 : store.deliveryQueue.prune(now - deliveriesMs, batch)),
    () => (eventsMs === null ? 0 : store.prune('events', now - eventsMs, batch)),
    () => (auditEntriesMs === null ? 0 : store.prune('auditEntries', now - auditEntriesMs, batch)),
    // By that age, none is sent any more.
    () => (mailMs === null ? 0 : store.prune('mailMessages', now - Math.max(mailMs, maxMailAgeMs), batch)),
    // They say themselves when nothing needs them any more.
    () => store.prune('dashboardSessions', now, batch),
    () => store.prune('oneTimeLinks', now, batch),
    () => store.prune('signInCounters', now, batch),
    () => store.prune('acquirerNotices', now - noticeRetentionMs, batch),
    () => store.prune('requestRecords', now - requestLogDays * dayMs, batch),
    () => store.eraseAttempts(now, now - attemptKeysRetentionMs(limits), batch),
    () => (customersMs === null ? 0 : eraseCustomers(store, now - customersMs, batch)),
  ];
  let hasMore = false;
  const failures: unknown[] = [];
  for (const deleteSome of kinds) {
    try {
      if ((await deleteSome()) >= batch) hasMore = true;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, String(failures[0]));
  if (failures.length === 1) throw failures[0];
  return hasMore;
}
