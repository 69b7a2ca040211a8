// A worker's side of a rate limit. The supervisor counts for all of its workers. Asking it for each request would cost
// more than the request, so a busy caller's tokens are taken a moment in advance: as many as the caller used in the
// previous one. Taken tokens are no longer in the shared bucket, so the sum over all workers stays within the limit.

import type { RateLimit, RateLimiter, RateLimitResult } from '../http/rate-limit.ts';
import type { TakenTokens, UnusedTokens, WantedTokens } from './messages.ts';

/** Takes tokens from the supervisor, and returns unused ones. */
export type AskForTokens = (
  limit: RateLimit,
  wanted: readonly WantedTokens[],
  unused: readonly UnusedTokens[],
) => Promise<readonly TakenTokens[]>;

/** How far in advance tokens are taken, and after how long unused ones are returned. */
export const momentMs = 50;

interface Caller {
  /** Taken in advance and not used yet. */
  tokens: number;
  /** In the shared bucket when it was last asked. */
  left: number;
  /** Requests in the current moment, and in the previous one. */
  used: number;
  usedBefore: number;
  /** The supervisor has been asked and has not answered yet. */
  isAsked: boolean;
  waiting: ((result: RateLimitResult) => void)[];
}

export function sharedRateLimiter(limit: RateLimit, ask: AskForTokens): RateLimiter {
  const callers = new Map<string, Caller>();
  const waiting = new Set<string>();
  let isAsking = false;
  let timer: NodeJS.Timeout | null = null;

  function callerOf(bucket: string): Caller {
    const known = callers.get(bucket);
    if (known !== undefined) return known;
    const caller: Caller = { tokens: 0, left: 0, used: 0, usedBefore: 0, isAsked: false, waiting: [] };
    callers.set(bucket, caller);
    timer ??= setInterval(endMoment, momentMs).unref();
    return caller;
  }

  /** One message at a time: everything that arrives in the meantime goes into the next. */
  async function askForWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const asked = [...waiting].map((bucket) => ({ bucket, caller: callerOf(bucket) }));
      waiting.clear();
      const requests = asked.map(({ caller }) => caller.waiting.splice(0));
      const wanted = asked.map(({ bucket, caller }, at) => ({
        bucket,
        now: requests[at]?.length ?? 0,
        soon: Math.max(caller.used, caller.usedBefore),
      }));
      for (const { caller } of asked) caller.isAsked = true;
      const results = await ask(limit, wanted, []);
      for (const [at, { bucket, caller }] of asked.entries()) {
        caller.isAsked = false;
        const { taken = 0, left = 0 } = results[at] ?? {};
        caller.tokens += taken;
        caller.left = left;
        for (const resolve of requests[at] ?? []) resolve(use(caller));
        while (caller.tokens > 0 && caller.waiting.length > 0) caller.waiting.shift()?.(use(caller));
        if (caller.waiting.length === 0) waiting.delete(bucket);
      }
    }
    isAsking = false;
  }

  function use(caller: Caller): RateLimitResult {
    if (caller.tokens === 0) return { allowed: false, left: caller.left };
    caller.tokens -= 1;
    caller.used += 1;
    return { allowed: true, left: caller.left + caller.tokens };
  }

  function endMoment(): void {
    const unused: UnusedTokens[] = [];
    for (const [bucket, caller] of callers) {
      const surplus = caller.tokens - caller.used;
      if (surplus > 0) {
        unused.push({ bucket, tokens: surplus });
        caller.tokens -= surplus;
      }
      const isNeeded = caller.isAsked || caller.waiting.length > 0 || caller.used > 0 || caller.usedBefore > 0;
      if (!isNeeded) callers.delete(bucket);
      caller.usedBefore = caller.used;
      caller.used = 0;
    }
    if (unused.length > 0) void ask(limit, [], unused);
    if (callers.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  }

  return {
    limit,
    take(bucket) {
      const caller = callerOf(bucket);
      if (caller.tokens > 0) return use(caller);
      const { promise, resolve } = Promise.withResolvers<RateLimitResult>();
      caller.waiting.push(resolve);
      waiting.add(bucket);
      if (!isAsking) {
        isAsking = true;
        // After this turn of the event loop, so that its requests share a message.
        setImmediate(() => void askForWaiting());
      }
      return promise;
    },
  };
}
