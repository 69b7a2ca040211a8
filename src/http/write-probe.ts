// Checks whether storage accepts writes: with a full disk every read succeeds and every payment fails. Writes a small
// value, at most once a second. After a commit has failed because storage was unavailable, a larger value must fit
// before storage counts as available again, because a small update may succeed where a new row does not fit.

import { StorageUnavailable, type Store } from '../storage/store.ts';

export interface WriteProbe {
  /** Throws if storage accepts no writes. */
  check(): Promise<void>;
  /** Must be called for each failed commit. */
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

  /** Another process may write at the same moment; it does not matter which of them succeeds. */
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
