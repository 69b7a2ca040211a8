// Requests to send events again pass here: only so many a minute for each merchant and mode, and one after the other,
// so that each counts what those before it left waiting. Processes are kept apart by the commit.

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
    const whose = `resend:${scope.merchantId}:${scope.livemode ? 'live' : 'test'}`;
    const counted = await limiter.take(whose);
    if (!counted.allowed) {
      onRateLimited();
      const seconds = Number(rateLimitHeaders(limiter.limit, counted)['Retry-After']);
      return refuseUntilLater(
        seconds,
        `Too many requests to resend events: at most ${limiter.limit.burst} a minute for each account and mode. Wait for the number of seconds in Retry-After. \`POST /webhook-endpoints/{id}/resend-failed\` resends up to 1000 events in one request.`,
      );
    }
    const turn = Promise.resolve(last.get(whose)).then(resend);
    const ended = turn.catch(() => {});
    last.set(whose, ended);
    try {
      return await turn;
    } finally {
      if (last.get(whose) === ended) last.delete(whose);
    }
  };
}
