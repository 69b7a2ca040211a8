// Erases old payments, if a setting says so: merchant by merchant, in small batches.

import type { Merchant } from '../domain/merchant.ts';
import type { Clock } from '../domain/moment.ts';
import type { Retention } from '../domain/retention.ts';
import type { OldPayments, Store } from '../storage/store.ts';

export const prunePaymentsEveryMs = 3_600_000;
const defaultBatch = 200;

export interface PrunePaymentsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly retention: Pick<Retention, 'abandonedMs' | 'paymentsMs'>;
  readonly batch?: number;
}

/** One batch per call; returns whether merchants are left in this pass. */
export function paymentPruning({ store, clock, retention, batch = defaultBatch }: PrunePaymentsDeps) {
  const kinds = [
    { kind: 'abandoned', keptMs: retention.abandonedMs },
    { kind: 'completed', keptMs: retention.paymentsMs },
    { kind: 'late', keptMs: retention.paymentsMs },
  ] as const;
  let merchant: Merchant | null = null;
  let lists: OldPayments[] = [];

  /** Lists of the next merchant; none at the end of the pass. */
  async function nextLists(): Promise<OldPayments[]> {
    [merchant = null] = await store.walk('merchants', merchant, 1);
    const merchantId = merchant?.id;
    if (merchantId === undefined) return [];
    const now = clock.now();
    return kinds.flatMap(({ kind, keptMs }) =>
      keptMs === null
        ? []
        : [false, true].map((livemode) => ({
            ...{ scope: { merchantId, livemode }, kind },
            ...{ before: now - keptMs, after: '', limit: batch },
          })),
    );
  }

  return async (): Promise<boolean> => {
    if (retention.abandonedMs === null && retention.paymentsMs === null) return false;
    if (lists.length === 0) lists = await nextLists();
    const [list, ...others] = lists;
    if (list === undefined) return false;
    const { next } = await store.prunePayments(list);
    lists = next === null ? others : [{ ...list, after: next }, ...others];
    return true;
  };
}
