// One count for all processes, kept in Redis. While Redis is unreachable, each process counts on its own, or with the
// other workers of its supervisor, and reports it.

import { Redis } from 'ioredis';
import type { RateLimiter } from './rate-limit.ts';

/** Uses Redis's clock, so that all processes refill buckets at the same rate. */
const takeScript = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local per_second, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
  local bucket = redis.call('HMGET', KEYS[1], 'left', 'at')
  local left = tonumber(bucket[1]) or burst
  local at = tonumber(bucket[2]) or now
  left = math.min(burst, left + math.max(0, now - at) / 1000 * per_second)
  local allowed = 0
  if left >= 1 then
    allowed = 1
    left = left - 1
  end
  redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', now)
  redis.call('PEXPIRE', KEYS[1], math.ceil(burst / per_second * 1000) + 1000)
  return { allowed, tostring(left) }`;

/** How long a request waits for a Redis that does not respond. */
const responseMs = 500;

export interface RedisRateLimiter extends RateLimiter {
  close(): Promise<void>;
}

export interface RedisLimiterOptions {
  readonly url: string;
  /** Counts while Redis is unreachable. */
  readonly fallback: RateLimiter;
  /** Called when counting falls back to this process alone, and when it is shared again. */
  readonly onSharedChange: (shared: boolean, error?: Error) => void;
}

export function redisRateLimiter({ url, fallback, onSharedChange }: RedisLimiterOptions): RedisRateLimiter {
  const { limit } = fallback;
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectTimeout: 2_000,
    commandTimeout: responseMs,
    // Also closes the connection, so that later requests neither wait nor queue up behind the first one.
    socketTimeout: responseMs,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
  });
  let shared = true;

  function report(now: boolean, error?: Error): void {
    if (now === shared) return;
    shared = now;
    onSharedChange(now, error);
  }
  redis.on('error', (error: Error) => report(false, error));

  return {
    limit,
    async take(bucket) {
      try {
        const [allowed, left] = (await redis.eval(
          takeScript,
          1,
          `paydesk:rate:${bucket}`,
          limit.perSecond,
          limit.burst,
        )) as [number, string];
        report(true);
        return { allowed: allowed === 1, left: Number(left) };
      } catch (error) {
        report(false, error as Error);
        return fallback.take(bucket);
      }
    },
    close: async () => redis.disconnect(),
  };
}
