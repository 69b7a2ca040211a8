// Records the results of attempts, many in one commit: those that end while one group is being written form the next.

import { type AttemptRecord, StorageUnavailable, type Store } from '../storage/store.ts';

export interface Recorder {
  /**
   * Calls back when it is about to be written, which may be long after the attempt: the delivery may have been claimed
   * again meanwhile. Resolves with what became durable; null: it was claimed again, or recorded already. Rejects if the
   * record can never be written, or on any failure after `giveUp`.
   */
  record(recordNow: () => AttemptRecord): Promise<AttemptRecord | null>;
  /** From now on a failure is final: an unrecorded delivery stays due and is sent again. */
  giveUp(): void;
}

export interface RecorderDeps {
  readonly store: Pick<Store, 'deliveryQueue'>;
  readonly onError: (error: unknown) => void;
}

const maxGroup = 256;
const pauseAfterErrorMs = 1_000;

interface Waiting {
  readonly recordNow: () => AttemptRecord;
  readonly resolve: (record: AttemptRecord | null) => void;
  readonly reject: (error: unknown) => void;
}

export function recorder({ store, onError }: RecorderDeps): Recorder {
  const waiting: Waiting[] = [];
  let writing = false;
  let groupSize = maxGroup;
  let givingUp = false;
  let endPause = (): void => {};

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, groupSize);
      try {
        const records = group.map(({ recordNow }) => recordNow());
        const stored = await store.deliveryQueue.record(records);
        for (const [at, { resolve }] of group.entries()) {
          const record = records[at];
          resolve(record !== undefined && stored.has(record.delivery.id) ? record : null);
        }
      } catch (error) {
        onError(error);
        const isBadRecord = !(error instanceof StorageUnavailable);
        if (givingUp || (isBadRecord && group.length === 1)) {
          for (const { reject } of group) reject(error);
        } else {
          waiting.unshift(...group);
          // One of them cannot be written: alone, it does not block the others.
          if (isBadRecord) groupSize = 1;
          else await pause();
        }
      }
    }
    groupSize = maxGroup;
    writing = false;
  }
  function pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, pauseAfterErrorMs);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  return {
    record(recordNow) {
      const { promise, resolve, reject } = Promise.withResolvers<AttemptRecord | null>();
      waiting.push({ recordNow, resolve, reject });
      // After this tick of the event loop, so that all attempts that end in it are written together.
      if (!writing) {
        writing = true;
        setImmediate(writeAll);
      }
      return promise;
    },
    giveUp() {
      givingUp = true;
      endPause();
    },
  };
}
