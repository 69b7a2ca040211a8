// Cleans up in reverse order: what was started last is stopped first.

import type { CleansUp } from './engines.ts';

export function cleanUpInReverse(test: CleansUp): CleansUp {
  const cleanUps: (() => Promise<void>)[] = [];
  test.after(async () => {
    for (const work of cleanUps.reverse()) await work();
  });
  return { after: (work) => cleanUps.push(work) };
}
