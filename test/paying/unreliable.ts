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
  failsToCommit: (changes: object) => boolean;
}

const never = <T>(): Promise<T> => new Promise(() => {});

export function unreliable(): { faults: Faults; storage: (store: Store) => Store } {
  const faults: Faults = { acquirer: 'well', onTheWay: Promise.resolve(), failsToCommit: () => false };
  const seen = new Set<string>();
  const failing =
    <C extends object, R>(commit: (changes: C) => R) =>
    (changes: C): R => {
      if (faults.failsToCommit(changes)) throw new StorageUnavailable('out of reach');
      return commit(changes);
    };
  const storage = (store: Store): Store => ({
    ...store,
    commit: async (changes) => failing(store.commit)(changes),
    recordsOf(sources) {
      const books = store.recordsOf(sources);
      return {
        ...books,
        commit: async (changes) => failing(books.commit)(changes),
        async findBy(source, field, value) {
          if (source !== 'followUps') return books.findBy(source, field, value);
          await faults.onTheWay;
          if (faults.acquirer === 'deaf') return never();
          // It looks a reference up before it acts on it, and again to answer.
          if (faults.acquirer === 'mute' && seen.has(value)) return never();
          seen.add(value);
          return books.findBy(source, field, value);
        },
      };
    },
  });
  return { faults, storage };
}

/** Commits the outcome of a capture, void or refund. */
export function settles(changes: object): boolean {
  const { operations = [] } = changes as ChangeSet;
  return operations.some(({ version, kind }) => version > 0 && kind !== 'payment');
}
