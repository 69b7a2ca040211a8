// Measures alternately what is compared, so that noise on the machine affects all sides.

import type { LoadResult } from './load.ts';
import { median } from './report.ts';

/** Many short rounds reduce the effect of noise. */
const rounds = 9;
export const roundMs = 1_200;

export async function alternate<Name extends string>(
  sides: Record<Name, () => Promise<LoadResult>>,
): Promise<Record<Name, LoadResult[]>> {
  const names = Object.keys(sides) as Name[];
  for (const name of names) await sides[name](); // Warm-up, not counted.
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, LoadResult[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results[name].push(await sides[name]());
  }
  return results;
}

export function rate(results: readonly LoadResult[]): number {
  return median(results.map(({ perSecond }) => perSecond));
}
