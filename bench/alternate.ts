// Measures alternately what is compared, so that noise on the machine affects all sides.

import type { LoadResult } from './load.ts';
import { type Figure, median } from './report.ts';

/**
 * A shared machine changes its speed within seconds, so turns are short, and many. Measured with lookups on a noisy one: from
 * run to run, the share of nine turns of 1 200 ms was between 0.82 and 1.00, and that of 72 turns of 150 ms between 0.87 and
 * 0.92.
 */
export const shortTurns: Turns = { count: 40, warmUp: 16, ms: 250 };
/** For whole payments, of which several are made in a turn by each customer. */
export const paymentTurns: Turns = { count: 20, warmUp: 8, ms: 600 };
/** For what takes longer to start, or comes in large portions. */
export const longTurns: Turns = { count: 9, warmUp: 1, ms: 1_200 };

/**
 * Two processes that do the same can differ in speed by 15 %, depending on what V8 optimises in which order, so each side is
 * measured with several. Five pairs with the same 10 000 payments had 0.83 to 1.05 of each other's lookups.
 */
export const generations = 5;
export const perGeneration = (turns: Turns): Turns => ({ ...turns, count: turns.count / generations });

export interface Turns {
  readonly count: number;
  /**
   * Not counted. A new process takes some seconds until V8 has optimised what it does: lookups on PostgreSQL reached 0.26 of
   * bare `node:http` in the first 1.5 s, 0.38 in the next 2.5 s, and 0.42 from then on.
   */
  readonly warmUp: number;
  /** How long each side of a turn takes. */
  readonly ms: number;
}

export interface Rate {
  readonly perSecond: number;
}

export async function alternate<Name extends string, Result extends Rate>(
  sides: Record<Name, () => Promise<Result>>,
  { count, warmUp }: Pick<Turns, 'count' | 'warmUp'> = shortTurns,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(sides) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let turn = -warmUp; turn < count; turn++) {
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const result = await sides[name]();
      if (turn >= 0) results[name].push(result);
    }
  }
  return results;
}

/** The turns of several runs. */
export function together<Name extends string, Result>(
  runs: readonly Record<Name, readonly Result[]>[],
): Record<Name, Result[]> {
  const names = Object.keys(runs[0] ?? {}) as Name[];
  const joined = names.map((name) => [name, runs.flatMap((run) => run[name])]);
  return Object.fromEntries(joined) as Record<Name, Result[]>;
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
