// Rate limits: a token bucket for each caller. One process counts in memory, workers of one supervisor count together
// (workers/), and with Redis, all processes share one count.

import type { Clock } from '../domain/moment.ts';

export interface RateLimit {
  /** How many requests a bucket regains per second. */
  readonly perSecond: number;
  /** The most requests that can be made at once. */
  readonly burst: number;
  /** The value of the RateLimit-Policy header. */
  readonly policy: string;
}

export interface RateLimitResult {
  readonly allowed: boolean;
  /** Tokens in the bucket after this request; may be a fraction. */
  readonly left: number;
}

export interface RateLimiter {
  readonly limit: RateLimit;
  take(bucket: string): RateLimitResult | Promise<RateLimitResult>;
}

/** Burst is twice the rate. */
export function rateLimitOf(perSecond: number): RateLimit {
  return { perSecond, burst: perSecond * 2, policy: `"default";q=${perSecond};w=1` };
}

const defaultMaxBuckets = 50_000;

export interface TokenBuckets {
  /** Takes up to this many tokens, in whole tokens. */
  take(bucket: string, tokens: number): { readonly taken: number; readonly left: number };
  /** Tokens that were taken but not used. */
  giveBack(bucket: string, tokens: number): void;
}

/** `steadyClock` must never step back: a bucket would stay empty for the length of the step. */
export function tokenBuckets(
  limit: RateLimit,
  steadyClock: Clock,
  maxBuckets: number = defaultMaxBuckets,
): TokenBuckets {
  /** Least recently used first, and evicted first: an unused bucket would be full again anyway. */
  const buckets = new Map<string, { left: number; at: number }>();

  function bucketOf(name: string, now: number): { left: number; at: number } {
    const known = buckets.get(name);
    if (known !== undefined) buckets.delete(name);
    else if (buckets.size >= maxBuckets) buckets.delete(buckets.keys().next().value ?? '');
    const bucket = known ?? { left: limit.burst, at: now };
    buckets.set(name, bucket);
    return bucket;
  }

  return {
    take(name, tokens) {
      const now = steadyClock.now();
      const bucket = bucketOf(name, now);
      const refilled = ((now - bucket.at) / 1000) * limit.perSecond;
      bucket.left = Math.min(limit.burst, bucket.left + refilled);
      bucket.at = now;
      const taken = Math.min(tokens, Math.floor(bucket.left));
      bucket.left -= taken;
      return { taken, left: bucket.left };
    },
    giveBack(name, tokens) {
      const bucket = buckets.get(name);
      if (bucket !== undefined) bucket.left = Math.min(limit.burst, bucket.left + tokens);
    },
  };
}

export function memoryRateLimiter(limit: RateLimit, steadyClock: Clock, maxBuckets?: number): RateLimiter {
  const buckets = tokenBuckets(limit, steadyClock, maxBuckets);
  return {
    limit,
    take(name) {
      const { taken, left } = buckets.take(name, 1);
      return { allowed: taken === 1, left };
    },
  };
}

/** Response headers (IETF draft "RateLimit header fields for HTTP"). */
export function rateLimitHeaders(
  { perSecond, burst, policy }: RateLimit,
  { allowed, left }: RateLimitResult,
): Record<string, string> {
  const headers: Record<string, string> = {
    'RateLimit-Policy': policy,
    RateLimit: `"default";r=${Math.floor(left)};t=${Math.ceil((burst - left) / perSecond)}`,
  };
  if (!allowed) headers['Retry-After'] = String(Math.max(1, Math.ceil((1 - left) / perSecond)));
  return headers;
}
