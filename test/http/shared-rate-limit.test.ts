// Rate limits over a real Redis: all processes share one count, and none stops serving when Redis does.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryRateLimiter, rateLimitOf } from '../../src/http/rate-limit.ts';
import { redisRateLimiter } from '../../src/http/redis-rate-limit.ts';
import { type ApiClient, apiClient, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const settings = { PAYDESK_RATE_LIMIT: '10' };
const burst = 20;

/** How many of many concurrent requests each process admits. */
async function admitted(apis: readonly ApiClient[]): Promise<number[]> {
  const isAdmitted = async (api: ApiClient): Promise<boolean> => (await api.get('/me')).status === 200;
  // A key that a process has not seen before is limited by address as well.
  for (const api of apis) await until('the key is known', () => isAdmitted(api));
  const requests = (api: ApiClient) => Promise.all(Array.from({ length: 25 }, () => isAdmitted(api)));
  const results = await Promise.all(apis.map(requests));
  return results.map((own) => 1 + own.filter(Boolean).length);
}

describeOnEachEngine('A rate limit in Redis', (engine) => {
  it('is shared by all processes, which count separately while Redis is down', async (t) => {
    const redis = await startRedis(t);
    const paydesk = await startPaydesk(t, engine, { settings: { ...settings, REDIS_URL: redis.url } });
    const other = await paydesk.startAnother();
    const clients = async (): Promise<ApiClient[]> => {
      const { test } = await paydesk.newMerchant();
      return [test, apiClient({ url: other.url, key: test.key, contract: paydesk.contract })];
    };
    const logged = (text: string) =>
      [paydesk, other].every(({ logLines }) => logLines().some(({ msg }) => String(msg).includes(text)));
    let seen: number[] = [];
    /** Redis counts by its own clock, so a slow run admits a few more; far fewer than twice as many. */
    const isShared = async () => {
      seen = await admitted(await clients());
      const [here = 0, there = 0] = seen;
      return here + there >= burst && here + there < 1.5 * burst;
    };
    const oneCount = () => `both processes share one count: they admitted ${seen}`;

    await until(oneCount, isShared);

    await redis.kill();
    assert.deepEqual(await admitted(await clients()), [burst, burst], 'each counts separately');
    await until('both say that Redis is unavailable', () => logged('Redis is unavailable'));

    await redis.start();
    await until(oneCount, isShared);
    await until('both say that it is available again', () => logged('Redis is available again'));
  });

  it('that is unreachable from the start does not stop the service', async (t) => {
    const redis = await startRedis(t);
    await redis.kill();
    const { newMerchant, logLines } = await startPaydesk(t, engine, {
      settings: { ...settings, REDIS_URL: redis.url },
    });
    const { test } = await newMerchant();
    must(200, await test.get('/me'));
    await until('the log says so', () =>
      logLines().some(({ level, msg }) => level === 'error' && String(msg).includes('Redis is unavailable')),
    );
  });
});

describe('A Redis that stops responding', () => {
  it('delays the first request, not all of them, and is used again when it responds', async (t) => {
    const redis = await startRedis(t);
    let isShared = true;
    const limiter = redisRateLimiter({
      url: redis.url,
      fallback: memoryRateLimiter(rateLimitOf(1_000), { now: () => performance.now() }),
      onSharedChange: (shared) => {
        isShared = shared;
      },
    });
    t.after(() => limiter.close());
    await until('it counts in Redis', async () => (await limiter.take('one')).allowed && isShared);
    redis.pause();
    const takes = 60;
    const startedAt = performance.now();
    for (let count = 0; count < takes; count += 1) assert.ok((await limiter.take('two')).allowed);
    // A request waits for half a second at most, so all of them would take 30 s.
    assert.ok(performance.now() - startedAt < 15_000, 'later requests do not wait for it');
    assert.equal(isShared, false);
    redis.resume();
    await until('it counts in Redis again', async () => (await limiter.take('three')).allowed && isShared);
  });
});
