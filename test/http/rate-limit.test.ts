// Rate limits: a token bucket per API key, reported in every response.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { momentAt } from '../../src/domain/moment.ts';
import { memoryRateLimiter, rateLimitOf } from '../../src/http/rate-limit.ts';
import { createApiKey } from '../../src/usecases/create-api-key.ts';
import { type ApiClient, type ApiResponse, apiClient, assertRefused, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

/** How many requests are admitted before the first refusal. */
async function admitted(api: ApiClient, path = '/me'): Promise<number> {
  for (let count = 0; count < 100; count += 1) {
    if ((await api.get(path)).status === 429) return count;
  }
  return assert.fail('no request was refused');
}

const limitHeaders = ({ headers }: ApiResponse) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

describeOnEachEngine('A rate limit', (engine) => {
  const paydesk = paydeskForSuite(engine, {
    settings: { PAYDESK_RATE_LIMIT: '5', PAYDESK_TRUSTED_PROXIES: '127.0.0.1' },
  });

  it('admits a burst of twice the rate, reports what is left, and then says when to retry', async () => {
    const { test } = await paydesk().newMerchant();
    for (let left = 9; left >= 0; left -= 1) {
      const response = await test.get('/me');
      must(200, response);
      assert.deepEqual(limitHeaders(response), [
        '"default";q=5;w=1',
        `"default";r=${left};t=${Math.ceil((10 - left) / 5)}`,
      ]);
      assert.equal(response.headers.get('retry-after'), null);
    }
    const refused = await test.get('/me');
    assertRefused(refused, { status: 429, code: 'rate_limited' });
    assert.equal(refused.error.type, 'rate_limit_error');
    assert.deepEqual(limitHeaders(refused), ['"default";q=5;w=1', '"default";r=0;t=2']);
    assert.equal(refused.headers.get('retry-after'), '1');
  });

  it('refills with time, never above the burst', async () => {
    const { test } = await paydesk().newMerchant();
    const { clock } = paydesk();
    assert.equal(await admitted(test), 10);
    clock.advance(199);
    assert.equal(await admitted(test), 0);
    clock.advance(1);
    assert.equal(await admitted(test), 1);
    clock.advance(1_000);
    assert.equal(await admitted(test), 5);
    clock.advance(3_600_000);
    assert.equal(await admitted(test), 10);
  });

  it('counts each key separately', async () => {
    const { store, clock, url, contract } = paydesk();
    const one = await paydesk().newMerchant();
    const other = await paydesk().newMerchant();
    const moment = () => momentAt(clock.now(), randomBytes);
    const second = await createApiKey({ store, moment, random: randomBytes, actor: 'test' }, one.scope, null);
    assert.equal(await admitted(one.test), 10);
    for (const api of [one.live, other.test, apiClient({ url, key: second.secret, contract })]) {
      assert.equal(await admitted(api), 10);
    }
  });

  it('counts every kind of response, and lets nothing take effect beyond the limit', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { id } = await newSession();
    assert.equal((await test.post('/checkout-sessions', { amount: -1 })).status, 400);
    assert.equal((await test.get('/checkout-sessions/cs_none')).status, 404);
    assert.equal(await admitted(test, '/checkout-sessions'), 7);
    assertRefused(await test.post(`/checkout-sessions/${id}/expire`), { status: 429, code: 'rate_limited' });
    paydesk().clock.advance(1_000);
    assert.equal(must(200, await test.get(`/checkout-sessions/${id}`)).status, 'open');
  });

  it('counts all requests without a valid key together, so that keys cannot be guessed quickly', async () => {
    const { url, contract, clock } = paydesk();
    const key = (index: number): string => `sk_test_guess${index}`;
    clock.advance(10_000);
    for (let guess = 0; guess < 10; guess += 1) {
      const response = await apiClient({ url, key: key(guess), contract }).get('/me');
      assertRefused(response, { status: 401, code: 'api_key_invalid' });
      assert.match(response.headers.get('ratelimit') ?? '', /^"default";r=\d+;t=\d+$/);
    }
    const next = await apiClient({ url, key: key(10), contract }).get('/me');
    assertRefused(next, { status: 429, code: 'rate_limited' });
    const { test } = await paydesk().newMerchant();
    must(200, await test.get('/me'));
  });

  it('refills even if the clock steps back', async () => {
    const { test } = await paydesk().newMerchant();
    const { clock } = paydesk();
    assert.equal(await admitted(test), 10);
    clock.set(clock.now() - 3_600_000);
    clock.advance(1_000);
    assert.equal(await admitted(test), 5);
    clock.set(clock.now() + 3_600_000);
    assert.equal(await admitted(test), 0);
  });

  it('counts an IPv6 network, and every notation of an address, as one', async () => {
    const { url, contract, clock } = paydesk();
    const guessFrom = (address: string, index: number) =>
      apiClient({ url, key: `sk_test_guess${index}`, contract }).get('/me', {
        headers: { 'X-Forwarded-For': address },
      });
    const notations = [
      (index: number) => `2001:db8:0:7::${index.toString(16)}`,
      (index: number) =>
        ['198.51.100.7', '::ffff:198.51.100.7', '[::ffff:c633:6407]:80', '198.51.100.7:99', '::FFFF:198.51.100.7'][
          index % 5
        ] ?? '',
    ];
    for (const notation of notations) {
      clock.advance(10_000);
      for (let guess = 0; guess < 10; guess += 1) assert.equal((await guessFrom(notation(guess), guess)).status, 401);
      assert.equal((await guessFrom(notation(12), 12)).status, 429);
      assert.equal((await guessFrom('2001:db8:0:8::1', 13)).status, 401, 'another network has its own count');
    }
  });

  it('does not apply to health checks and the documentation', async () => {
    const { test } = await paydesk().newMerchant();
    assert.equal(await admitted(test), 10);
    for (const path of ['/healthz', '/readyz', '/openapi.json']) {
      const response = await test.get(path);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('ratelimit'), null);
    }
  });
});

describeOnEachEngine('A rate limit of 0', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: { PAYDESK_RATE_LIMIT: '0' } });

  it('means no limit', async () => {
    const { test } = await paydesk().newMerchant();
    const responses = await Promise.all(Array.from({ length: 300 }, () => test.get('/me')));
    assert.ok(responses.every(({ status }) => status === 200));
    assert.deepEqual(responses.map(limitHeaders).at(-1), [null, null]);
  });
});

describeOnEachEngine('The default rate limit', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: { PAYDESK_RATE_LIMIT: '' } });

  it('is 100 per second', async () => {
    const { test } = await paydesk().newMerchant();
    assert.deepEqual(limitHeaders(await test.get('/me')), ['"default";q=100;w=1', '"default";r=199;t=1']);
  });
});

describe('The in-memory limiter', () => {
  it('forgets the least recently seen first, however many strangers come', () => {
    const limiter = memoryRateLimiter(rateLimitOf(5), fakeClock().steady, 100);
    const allowed = (name: string): boolean => {
      const decision = limiter.take(name);
      assert.ok(!(decision instanceof Promise));
      return decision.allowed;
    };
    for (let count = 0; count < 10; count += 1) assert.ok(allowed('busy'));
    for (let stranger = 0; stranger < 1_000; stranger += 1) {
      assert.ok(allowed(`stranger ${stranger}`));
      if (stranger % 50 === 0) assert.ok(!allowed('busy'), `after ${stranger} strangers`);
    }
  });
});
