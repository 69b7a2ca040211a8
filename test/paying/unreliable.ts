// A Paydesk whose acquirer or storage can be told to fail in the middle of an operation. The sandbox keeps its books in
// the same storage, through calls of its own, so each can be made to fail without the other.

import type { ChangeSet } from '../../src/domain/change-set.ts';
import { StorageUnavailable, type Store } from '../../src/storage/store.ts';

export interface Faults {
  /** `deaf`: captures, voids, refunds and inquiries do not reach the acquirer. `mute`: it acts, but does not answer. */
  acquirer: 'well' | 'deaf' | 'mute';
  /** What captures, voids, refunds and inquiries wait for on their way to the acquirer. */
  onTheWay: Promise<void>;
  /** Commits for which this holds are not made: storage is out of reach. */
  failsToCommit: (changes: ChangeSet) => boolean;
}

const never = <T>(): Promise<T> => new Promise(() => {});

export function unreliable(): { faults: Faults; storage: (store: Store) => Store } {
  const faults: Faults = { acquirer: 'well', onTheWay: Promise.resolve(), failsToCommit: () => false };
  const seen = new Set<string>();
  const storage = (store: Store): Store => ({
    ...store,
    async sandboxFollowUp(reference) {
      await faults.onTheWay;
      if (faults.acquirer === 'deaf') return never();
      // It looks a reference up before it acts on it, and again to answer.
      if (faults.acquirer === 'mute' && seen.has(reference)) return never();
      seen.add(reference);
      return store.sandboxFollowUp(reference);
    },
    async commit(changes) {
      if (faults.failsToCommit(changes)) throw new StorageUnavailable('out of reach');
      return store.commit(changes);
    },
  });
  return { faults, storage };
}

/** Commits the outcome of a capture, void or refund. */
export function settles({ operations = [] }: ChangeSet): boolean {
  return operations.some(({ version, kind }) => version > 0 && kind !== 'payment');
}
