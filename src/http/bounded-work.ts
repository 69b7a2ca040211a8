// Limits how many tasks of one kind run at once, and how many may wait.

import { atMost } from '../domain/at-most.ts';

export interface WorkLimits {
  readonly atOnce: number;
  readonly waiting: number;
}

/** Null: too many tasks are already waiting, and this one will not run. */
export type BoundedWork = <T>(work: () => Promise<T>) => Promise<T> | null;

export function boundedWork({ atOnce, waiting: maxWaiting }: WorkLimits): BoundedWork {
  const { run, waiting } = atMost(atOnce);
  return (work) => (waiting() >= maxWaiting ? null : run(work));
}
