// Whether storage takes writes: a full disk answers every read, and refuses every payment. Asked by writing something
// small, at most once a second. After a commit failed for lack of storage, something larger must fit before storage
// counts as good again, for a small row may find room where a new one does not.

import { StorageUnavailable, type Store } from '../storage/store.ts';

export interface WriteProbe {
  /** Throws where storage takes no writes. */
  check(): Promise<void>;
  /** To be told of each commit that failed. */
  failed(error: unknown): void;
}

const everyMs = 1_000;
const largeCharacters = 64 * 1024;

export function writeProbe(
  store: Pick<Store, 'findBy' | 'moveFact' | 'commit'>,
  now: () => number = () => performance.now(),
): WriteProbe {
  let isFailing = false;
  let count = 0;
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  /** Another process may do the same at this moment: who moved it does not matter. */
  async function write(): Promise<void> {
    const before = (await store.findBy('facts', 'name', 'write_probe'))?.value ?? null;
    count += 1;
    const small = `${count}`;
    if (before === null) await store.commit({ facts: [{ name: 'write_probe', value: small }] });
    else if (!isFailing) await store.moveFact('write_probe', before, before === small ? '' : small);
    else {
      const large = `${count}`.padEnd(largeCharacters, '.');
      await store.moveFact('write_probe', before, large);
      await store.moveFact('write_probe', large, small);
      isFailing = false;
    }
  }

  return {
    check() {
      const at = now();
      if (last === undefined || at - last.at >= everyMs) {
        const outcome = write().catch((error: unknown) => {
          isFailing = true;
          throw error;
        });
        last = { at, outcome };
      }
      return last.outcome;
    },
    failed(error) {
      if (!(error instanceof StorageUnavailable) || isFailing) return;
      isFailing = true;
      last = undefined;
    },
  };
}
