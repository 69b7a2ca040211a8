// Remembers which pages of checkout sessions were opened for the first time, to be stored in groups, beside the requests:
// a page never waits for that, and each session costs one write at most. What was not stored when a process is killed is
// lost, and so is what exceeds the limit: this is only shown to merchants, and nothing depends on it.

import type { CheckoutSession } from '../../domain/checkout-session.ts';
import type { SessionOpening, Store } from '../../storage/store.ts';

export interface PageOpenings {
  opened(session: CheckoutSession, now: number): void;
  /** Stores what was opened since the last call. */
  record(): Promise<void>;
}

/** About a megabyte. */
const maxWaiting = 5_000;
/** A group that cannot take long to write. */
const maxTogether = 500;

export function pageOpenings(store: Pick<Store, 'markSessionsOpened'>): PageOpenings {
  const waiting = new Map<string, SessionOpening>();
  return {
    opened({ id, merchantId, livemode, openedAt }, now) {
      if (openedAt !== null || waiting.has(id) || waiting.size >= maxWaiting) return;
      waiting.set(id, { id, merchantId, livemode, openedAt: now });
    },
    async record() {
      while (waiting.size > 0) {
        const group = [...waiting.values()].slice(0, maxTogether);
        await store.markSessionsOpened(group);
        for (const { id } of group) waiting.delete(id);
      }
    },
  };
}
