// Work that a job has begun and does not wait for. A piece that hangs, because its provider does, thus delays no other:
// the job goes on with what is due, as long as there is room. Calls to one account are limited by the account itself.

export interface WorkInProgress {
  /** Resolves when so many pieces may be begun; at the latest, when those that hang reach their deadlines. */
  roomFor(pieces: number): Promise<void>;
  /** `work` reports its own failures. */
  begin(work: Promise<void>): void;
  /** Resolves when nothing is in progress. */
  idle(): Promise<void>;
}

export function workInProgress(limit: number): WorkInProgress {
  const begun = new Set<Promise<void>>();
  let wake: (() => void) | null = null;

  async function atMost(pieces: number): Promise<void> {
    while (begun.size > Math.max(pieces, 0)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
    }
  }
  return {
    roomFor: (pieces) => atMost(limit - pieces),
    begin(work) {
      const ended = work.finally(() => {
        begun.delete(ended);
        wake?.();
      });
      begun.add(ended);
    },
    async idle() {
      while (begun.size > 0) await Promise.allSettled(begun);
    },
  };
}

export interface DueWork<K> {
  /** Absent: the job waits for what it has begun. */
  readonly progress?: WorkInProgress | undefined;
  readonly batch: number;
  readonly claim: (limit: number) => Promise<readonly K[]>;
  /** Reports its own failures. */
  readonly work: (key: K) => Promise<void>;
}

const noMore = (): void => {};

/** Claims one batch and begins it; returns whether there may be more to do now. */
export async function beginDue<K>({ progress, batch, claim, work }: DueWork<K>): Promise<boolean> {
  const begun = progress ?? workInProgress(batch);
  await begun.roomFor(batch);
  const claiming = claim(batch).then((due) => {
    for (const key of due) begun.begin(work(key));
    return due;
  });
  // What is claimed is in progress already.
  begun.begin(claiming.then(noMore, noMore));
  const due = await claiming;
  if (progress === undefined) await begun.idle();
  return due.length === batch;
}
