// Splits work on many rows into steps that hold the event loop for at most 5 ms each. Every step has its own transaction
// and is measured, including its sync to disk; the next one is sized by that, because rows of different tables, files
// and disks take very different times.

import type { GroupCommit } from './group-commit.ts';

const maxHeldMs = 5;
/**
 * Steps grow only below this, so that one that takes four times as long as the last one stays within the limit. Measured
 * with 200 000 events beside 8 writers: 0.5 % of the steps took longer than 5 ms, and 4 % with half of the limit.
 */
const growBelowMs = maxHeldMs / 4;
const firstSize = 16;
/** Below this, a step takes no less time: most of it is the sync to disk. */
const minSize = 8;
const maxSize = 1_000;

export interface ShortStepsDeps {
  readonly alone: GroupCommit['alone'];
  /** Without it, steps are not measured and keep their first size. */
  readonly monotonicMs?: (() => number) | undefined;
}

/** Runs one step on at most `atMost` rows; `write` gets how many it may examine. */
export type ShortStep = <T extends { readonly examined: number }>(
  write: (limit: number) => T,
  atMost: number,
) => Promise<T>;

/** Each kind of work gets its own size. */
export function shortSteps({ alone, monotonicMs }: ShortStepsDeps): () => ShortStep {
  return () => {
    let size = firstSize;
    return async (write, atMost) => {
      const limit = Math.min(size, atMost);
      let beganAt = 0;
      const result = await alone(() => {
        beganAt = monotonicMs?.() ?? 0;
        return write(limit);
      });
      if (monotonicMs === undefined) return result;
      const heldMs = monotonicMs() - beganAt;
      if (heldMs > maxHeldMs) size = Math.max(minSize, Math.floor(size / 2));
      else if (heldMs < growBelowMs && result.examined >= size) size = Math.min(maxSize, Math.ceil(size * 1.125));
      return result;
    };
  };
}
