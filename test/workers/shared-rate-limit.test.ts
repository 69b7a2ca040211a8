// Workers that share a rate limit: together they admit what one process would, and rarely ask the supervisor.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type RateLimit, type RateLimiter, rateLimitOf } from '../../src/http/rate-limit.ts';
import { sharedBuckets } from '../../src/workers/shared-buckets.ts';
import { sharedRateLimiter } from '../../src/workers/shared-rate-limit.ts';
import { until } from '../support/until.ts';

interface Shared {
  readonly limiters: readonly RateLimiter[];
  /** Advances the clock of the buckets. */
  pass(ms: number): void;
  messages(): number;
}

/** Messages take one iteration of the event loop each way, as between processes. */
function sharedBy(workers: number, limit: RateLimit): Shared {
  let now = 0;
  let messages = 0;
  const buckets = sharedBuckets({ now: () => now }, workers);
  const nextIteration = () => new Promise((resolve) => setImmediate(resolve));
  const limiters = Array.from({ length: workers }, () =>
    sharedRateLimiter(limit, async (ofLimit, wanted, unused) => {
      messages += 1;
      await nextIteration();
      const results = buckets({ type: 'take', id: messages, limit: ofLimit, wanted, unused });
      await nextIteration();
      return results;
    }),
  );
  return {
    limiters,
    pass(ms) {
      now += ms;
    },
    messages: () => messages,
  };
}

async function admittedOf(limiters: readonly RateLimiter[], each: number, bucket = 'key'): Promise<number> {
  const results = await Promise.all(
    limiters.flatMap((limiter) => Array.from({ length: each }, () => limiter.take(bucket))),
  );
  return results.filter(({ allowed }) => allowed).length;
}

describe('A rate limit shared by workers', () => {
  it('admits exactly the burst, however it is distributed, and then what the rate allows', async () => {
    const { limiters, pass } = sharedBy(3, rateLimitOf(10));
    assert.equal(await admittedOf(limiters, 25), 20);
    assert.equal(await admittedOf(limiters, 5), 0);
    pass(500);
    assert.equal(await admittedOf(limiters, 25), 5);
    assert.equal(await admittedOf(limiters, 20, 'another key'), 20);
  });

  it('is never exceeded in total under constant load', async () => {
    const rate = 200;
    const { limiters, pass } = sharedBy(2, rateLimitOf(rate));
    let admitted = 0;
    let elapsedMs = 0;
    for (let round = 0; round < 200; round += 1) {
      admitted += await admittedOf(limiters, 1 + (round % 7));
      pass(10);
      elapsedMs += 10;
      const most = 2 * rate + (elapsedMs / 1000) * rate;
      assert.ok(admitted <= most, `${admitted} were admitted after ${elapsedMs} ms, at most ${most} may be`);
    }
    assert.ok(admitted > 0.9 * (2 * rate + (elapsedMs / 1000) * rate), `${admitted} were admitted`);
  });

  it('reports how many tokens are left', async () => {
    const { limiters } = sharedBy(1, rateLimitOf(2));
    const [limiter] = limiters as [RateLimiter];
    const results = await Promise.all(Array.from({ length: 5 }, () => limiter.take('key')));
    assert.deepEqual(
      results.map(({ allowed, left }) => [allowed, left]),
      [
        [true, 3],
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
      ],
    );
  });

  it('needs few messages for a busy caller', async () => {
    const { limiters, messages } = sharedBy(2, rateLimitOf(1_000_000));
    for (let at = 0; at < 1_000; at += 1) await limiters[0]?.take('key');
    assert.ok(messages() < 100, `${messages()} messages`);
  });

  it('makes unused tokens of one worker available to the others', async () => {
    const { limiters } = sharedBy(2, rateLimitOf(100));
    for (let at = 0; at < 50; at += 1) await limiters[0]?.take('key');
    let admitted = 50;
    await until('the other worker was admitted for the rest', async () => {
      admitted += await admittedOf(limiters.slice(1), 10);
      return admitted === 200;
    });
    assert.equal(await admittedOf(limiters, 10), 0);
  });
});
