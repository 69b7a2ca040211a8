// Measures alternately what is compared, so that noise on the machine affects all sides.

import type { LoadResult } from './load.ts';
import { type Figure, median } from './report.ts';

/** Many short rounds reduce the effect of noise. */
const usualRounds = 9;
export const roundMs = 1_200;

export interface Rate {
  readonly perSecond: number;
}

export async function alternate<Name extends string, Result extends Rate>(
  sides: Record<Name, () => Promise<Result>>,
  rounds = usualRounds,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(sides) as Name[];
  for (const name of names) await sides[name](); // Warm-up, not counted.
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results[name].push(await sides[name]());
  }
  return results;
}

export function rate(results: readonly Rate[]): number {
  return median(results.map(({ perSecond }) => perSecond));
}

/**
 * The share is that of the median turn. The sides of a turn are measured within seconds: a machine that becomes slower in
 * the course of a run, as shared ones do, changes both.
 */
export function compared(
  measured: readonly Rate[],
  limit: readonly Rate[],
): Required<Pick<Figure, 'measured' | 'limit' | 'ratio'>> {
  const shares = measured.map(({ perSecond }, turn) => perSecond / (limit[turn]?.perSecond ?? Number.NaN));
  return { measured: rate(measured), limit: rate(limit), ratio: median(shares) };
}

export function latencies(results: readonly LoadResult[]): string {
  const of = (which: 'p50Ms' | 'p99Ms') => median(results.map((result) => result[which])).toFixed(1);
  return `p50 ${of('p50Ms')} ms p99 ${of('p99Ms')} ms`;
}
