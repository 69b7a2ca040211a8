// Splits work on many rows into steps that hold the event loop for at most 5 ms each. Every step has its own transaction
// and is measured, including its sync to disk.

import type { GroupCommit } from './group-commit.ts';
import { stepSize } from './step-size.ts';

/** Below the minimum, a step takes no less time: most of it is the sync to disk. */
const limits = { first: 16, min: 8, max: 1_000 };

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
    const size = stepSize(limits);
    return async (write, atMost) => {
      const limit = size.upTo(atMost);
      let beganAt = 0;
      const result = await alone(() => {
        beganAt = monotonicMs?.() ?? 0;
        return write(limit);
      });
      if (monotonicMs === undefined) return result;
      size.took(monotonicMs() - beganAt, result.examined);
      return result;
    };
  };
}
