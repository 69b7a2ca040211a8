// Cleaning up in reverse: what was started last is stopped first.

import type { CleansUp } from './engines.ts';

export function lastFirst(test: CleansUp): CleansUp {
  const works: (() => Promise<void>)[] = [];
  test.after(async () => {
    for (const work of works.reverse()) await work();
  });
  return { after: (work) => works.push(work) };
}
