// Splits reads of many rows into steps that hold the event loop for about 5 ms each. All of a process take turns, one in
// each tick of the event loop: however many pages staff open at once, payments wait for one step at most.

import { setImmediate as nextTick } from 'node:timers/promises';
import { type SizeLimits, stepSize } from './step-size.ts';

/** Reads one step of at most `atMost` rows; `read` gets how many it may examine, which may be fewer. */
export type ShortRead = <T extends { readonly examined: number }>(
  read: (limit: number) => T,
  atMost: number,
) => Promise<T>;

/** Without a clock, steps keep their first size. Each kind of read gets its own size. */
export function shortReads(monotonicMs?: () => number): (limits: SizeLimits) => ShortRead {
  let last: Promise<unknown> = Promise.resolve();
  return (limits) => {
    const size = stepSize(limits);
    return (read, atMost) => {
      const step = async () => {
        await nextTick();
        const beganAt = monotonicMs?.() ?? 0;
        const result = read(size.upTo(atMost));
        if (monotonicMs !== undefined) size.took(monotonicMs() - beganAt, result.examined);
        return result;
      };
      const turn = last.then(step);
      // Whoever waits for the step is told that it failed; the next one is read all the same.
      last = turn.catch(() => {});
      return turn;
    };
  };
}
