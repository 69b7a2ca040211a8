// The supervisor's side of a rate limit: the token buckets that all workers take from, so that together they never admit
// more than one process would.

import type { Clock } from '../domain/moment.ts';
import { type TokenBuckets, tokenBuckets } from '../http/rate-limit.ts';
import type { FromWorker, TakenTokens } from './messages.ts';

export type Take = Extract<FromWorker, { type: 'take' }>;

/** `workers`: how many share the buckets. */
export function sharedBuckets(steadyClock: Clock, workers: number): (take: Take) => TakenTokens[] {
  /** By policy. A limit that changed with a rolling restart starts with full buckets. */
  const byPolicy = new Map<string, TokenBuckets>();

  return ({ limit, wanted, unused }) => {
    const buckets = byPolicy.get(limit.policy) ?? tokenBuckets(limit, steadyClock);
    byPolicy.set(limit.policy, buckets);
    for (const { bucket, tokens } of unused) buckets.giveBack(bucket, tokens);
    return wanted.map(({ bucket, now, soon }) => {
      const { taken, left } = buckets.take(bucket, now);
      if (soon === 0 || left < 1) return { taken, left };
      // Leaves enough for the others: they cannot take the tokens that a worker holds until it returns them.
      const more = buckets.take(bucket, Math.min(soon, Math.floor(left / (2 * workers))));
      return { taken: taken + more.taken, left: more.left };
    });
  };
}
