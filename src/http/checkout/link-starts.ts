// Limits how many checkouts can be started from one address and link, so that a public link cannot be used to fill the
// database. Counted like API requests: across processes with Redis, and across the workers of a supervisor.

import { clientNetwork } from '../../domain/client-network.ts';
import { type RateLimit, type RateLimiter, rateLimitHeaders } from '../rate-limit.ts';

export function linkStartsPerMinute(count: number): RateLimit {
  return { perSecond: count / 60, burst: count, policy: `"link-starts";q=${count};w=60` };
}

/** Null if another one may be started; otherwise the seconds to wait. */
export type LinkStartGate = (linkId: string, address: string) => Promise<number | null>;

export function linkStartGate(limiter: RateLimiter, onRateLimited: () => void): LinkStartGate {
  return async (linkId, address) => {
    const counted = await limiter.take(`link:${linkId}:${clientNetwork(address)}`);
    if (counted.allowed) return null;
    onRateLimited();
    return Number(rateLimitHeaders(limiter.limit, counted)['Retry-After']);
  };
}
