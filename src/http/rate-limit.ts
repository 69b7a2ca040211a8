// Rate limits: a token bucket for each caller. One process counts in memory; with Redis, all processes share one count.

import type { Clock } from '../domain/moment.ts';

export interface RateLimit {
  /** Requests a second that a bucket refills by. */
  readonly perSecond: number;
  /** The most that can be taken at once. */
  readonly burst: number;
  /** As the answers tell it. */
  readonly policy: string;
}

export interface RateAnswer {
  readonly allowed: boolean;
  /** Tokens in the bucket after this request; may be a fraction. */
  readonly left: number;
}

export interface RateLimiter {
  readonly limit: RateLimit;
  take(bucket: string): RateAnswer | Promise<RateAnswer>;
}

/** Burst is twice the rate. */
export function rateLimitOf(perSecond: number): RateLimit {
  return { perSecond, burst: perSecond * 2, policy: `"default";q=${perSecond};w=1` };
}

const maxBuckets = 50_000;

export function memoryRateLimiter(limit: RateLimit, clock: Clock): RateLimiter {
  const buckets = new Map<string, { left: number; at: number }>();

  /** A bucket that nobody asked of for as long as it takes to fill is as good as none. */
  function forgetFull(now: number): void {
    for (const [name, { left, at }] of buckets) {
      if (left + ((now - at) / 1000) * limit.perSecond >= limit.burst) buckets.delete(name);
    }
    if (buckets.size >= maxBuckets) buckets.clear();
  }

  return {
    limit,
    take(name) {
      const now = clock.now();
      let bucket = buckets.get(name);
      if (bucket === undefined) {
        if (buckets.size >= maxBuckets) forgetFull(now);
        bucket = { left: limit.burst, at: now };
        buckets.set(name, bucket);
      }
      const refilled = (Math.max(0, now - bucket.at) / 1000) * limit.perSecond;
      bucket.left = Math.min(limit.burst, bucket.left + refilled);
      bucket.at = now;
      const allowed = bucket.left >= 1;
      if (allowed) bucket.left -= 1;
      return { allowed, left: bucket.left };
    },
  };
}

/** The headers of an answer (IETF draft "RateLimit header fields for HTTP"). */
export function rateLimitHeaders(
  { perSecond, burst, policy }: RateLimit,
  { allowed, left }: RateAnswer,
): Record<string, string> {
  const headers: Record<string, string> = {
    'RateLimit-Policy': policy,
    RateLimit: `"default";r=${Math.floor(left)};t=${Math.ceil((burst - left) / perSecond)}`,
  };
  if (!allowed) headers['Retry-After'] = String(Math.max(1, Math.ceil((1 - left) / perSecond)));
  return headers;
}
