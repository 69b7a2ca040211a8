// A Paydesk whose acquirer or storage can be made to fail in the middle of an operation. The sandbox keeps its records
// in the same storage, through calls of its own, so that each can fail without the other.

import { AcquirerSilent } from '../../src/acquirers/acquirer.ts';
import type { ChangeSet } from '../../src/domain/change-set.ts';
import { StorageUnavailable, type Store } from '../../src/storage/store.ts';

export interface Faults {
  /** `unreachable`: captures, voids, refunds and inquiries do not arrive. `silent`: it acts, but does not respond. */
  acquirer: 'healthy' | 'unreachable' | 'silent';
  /** Awaited by captures, voids, refunds and inquiries before they reach the acquirer. */
  beforeAcquirer: Promise<void>;
  /** Commits that match fail, as if storage were unavailable. */
  failsToCommit: (changes: object) => boolean;
}

/** As after the deadline of a call. */
const noAnswer = (): never => {
  throw new AcquirerSilent('no answer');
};

export function unreliable(): { faults: Faults; storage: (store: Store) => Store } {
  const faults: Faults = { acquirer: 'healthy', beforeAcquirer: Promise.resolve(), failsToCommit: () => false };
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
        async commit(changes) {
          const outcome = await failing(books.commit)(changes);
          return faults.acquirer === 'silent' && 'followUps' in changes ? noAnswer() : outcome;
        },
        async findBy(source, field, value) {
          if (source !== 'followUps') return books.findBy(source, field, value);
          await faults.beforeAcquirer;
          if (faults.acquirer === 'unreachable') noAnswer();
          // The sandbox reads a reference before it acts on it, and to respond to an inquiry.
          if (faults.acquirer === 'silent' && seen.has(value)) noAnswer();
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
