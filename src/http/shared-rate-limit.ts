// Rate limits that all processes of an installation share, if there is a Redis server; otherwise each counts on its own.

import type { Logger } from '../log.ts';
import type { RateLimiter } from './rate-limit.ts';

export async function sharedOverRedis(
  fallback: RateLimiter,
  url: string | null,
  log: Logger,
): Promise<{ limiter: RateLimiter; close(): Promise<void> }> {
  if (url === null) return { limiter: fallback, close: async () => {} };
  const { redisRateLimiter } = await import('./redis-rate-limit.ts');
  const limiter = redisRateLimiter({
    url,
    fallback,
    onSharedChange(shared, err) {
      if (shared) log.info('Redis is available again: rate limits are shared between processes');
      else log.error({ err }, 'Redis is unavailable: until it is back, this service counts rate limits on its own');
    },
  });
  return { limiter, close: () => limiter.close() };
}
