// Admits requests to resend events: a limited number per minute for each merchant and mode, and one after the other, so
// that each counts what the previous ones queued. Across processes, the commit resolves conflicts.

import { type Refusal, refuseUntilLater } from '../domain/errors.ts';
import type { Scope } from '../domain/merchant.ts';
import { type RateLimit, type RateLimiter, rateLimitHeaders } from './rate-limit.ts';

export type ResendGate = <T>(scope: Scope, resend: () => Promise<T>) => Promise<T | Refusal>;

export function resendsPerMinute(count: number): RateLimit {
  return { perSecond: count / 60, burst: count, policy: `"resends";q=${count};w=60` };
}

export function resendGate(limiter: RateLimiter, onRateLimited: () => void): ResendGate {
  const last = new Map<string, Promise<unknown>>();

  return async (scope, resend) => {
    const scopeKey = `resend:${scope.merchantId}:${scope.livemode ? 'live' : 'test'}`;
    const counted = await limiter.take(scopeKey);
    if (!counted.allowed) {
      onRateLimited();
      const seconds = Number(rateLimitHeaders(limiter.limit, counted)['Retry-After']);
      return refuseUntilLater(
        seconds,
        `Too many requests to resend events: at most ${limiter.limit.burst} a minute for each account and mode. Wait for the number of seconds in Retry-After. \`POST /webhook-endpoints/{id}/resend-failed\` resends up to 1000 events in one request.`,
      );
    }
    const result = Promise.resolve(last.get(scopeKey)).then(resend);
    const settled = result.catch(() => {});
    last.set(scopeKey, settled);
    try {
      return await result;
    } finally {
      if (last.get(scopeKey) === settled) last.delete(scopeKey);
    }
  };
}
