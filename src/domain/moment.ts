// The one time of a decision, and the ids made in it. Rules get a moment instead of reading a clock or a random source.

import { type IdPrefix, newId, type Random } from './ids.ts';

export interface Moment {
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
  newId(prefix: IdPrefix): string;
}

export function momentAt(now: number, random: Random): Moment {
  return { now, newId: (prefix) => newId(prefix, now, random) };
}

/** ISO 8601 in UTC with milliseconds, the form of every time that leaves the service. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export interface Clock {
  now(): number;
}
