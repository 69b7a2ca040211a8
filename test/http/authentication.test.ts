// Authentication: API keys as Bearer or Basic, the error for each kind of wrong key, and GET /me.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { newApiKeySecret } from '../../src/domain/api-key.ts';
import { defaultCurrencies } from '../../src/domain/currencies.ts';
import { isRefusal } from '../../src/domain/errors.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { paymentMethodTypes } from '../../src/domain/payment-methods.ts';
import { admit } from '../../src/http/admit.ts';
import { authenticator } from '../../src/http/authenticate.ts';
import { memoryRateLimiter, rateLimitOf } from '../../src/http/rate-limit.ts';
import type { HttpRequest } from '../../src/http/route.ts';
import { StorageUnavailable, type Store } from '../../src/storage/store.ts';
import { createApiKey } from '../../src/usecases/create-api-key.ts';
import { createMerchant } from '../../src/usecases/create-merchant.ts';
import { revokeApiKey } from '../../src/usecases/revoke-api-key.ts';
import { apiClient, assertRefused, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { paydeskForSuite, startPaydesk, systemClock } from '../support/paydesk.ts';
import { aMerchant, anApiKeyWithSecret, aScope } from '../support/records.ts';
import { until } from '../support/until.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describeOnEachEngine('GET /me', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('returns the merchant and the mode of the key', async () => {
    const { test, live, merchant } = await paydesk().newMerchant();
    const { api_key, ...me } = must(200, await test.get('/me'));
    assert.match(String(api_key), /^key_[0-9a-z]+$/);
    assert.deepEqual(me, {
      id: merchant.id,
      object: 'merchant',
      name: 'Shop of Tests',
      livemode: false,
      currencies: defaultCurrencies,
      payment_method_types: paymentMethodTypes,
      receipts: true,
      reply_to: null,
      embed_origins: [],
      created_at: new Date(merchant.createdAt).toISOString(),
    });
    const other = must(200, await live.get('/me'));
    assert.equal(other.id, merchant.id);
    assert.equal(other.livemode, true);
    assert.notEqual(other.api_key, api_key);
  });
});

describeOnEachEngine('An API key', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('is accepted as a Bearer token and as the Basic user name', async () => {
    const { test, merchant } = await paydesk().newMerchant();
    const accepted = [`Bearer ${test.key}`, `bearer ${test.key}`, basic(`${test.key}:`), basic(`${test.key}:ignored`)];
    for (const Authorization of accepted) {
      assert.equal(must(200, await test.get('/me', { headers: { Authorization } })).id, merchant.id);
    }
  });

  it('is required', async () => {
    const anonymous = apiClient({ url: paydesk().url, key: '' });
    assertRefused(await anonymous.get('/me'), { status: 401, code: 'api_key_missing' });
    assertRefused(await anonymous.post('/checkout-sessions', { amount: 1, currency: 'EUR' }), {
      status: 401,
      code: 'api_key_missing',
    });
  });

  it('is rejected if it is malformed, mistyped, unknown, or not a key at all', async () => {
    const { test } = await paydesk().newMerchant();
    const { key } = test;
    const last = key.at(-1) === 'x' ? 'y' : 'x';
    const wrong = [
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key.slice(0, -1)}${last}`,
      `Bearer ${key.slice(0, 12)}${key.at(12) === 'a' ? 'b' : 'a'}${key.slice(13)}`,
      `Bearer ${key.replace('sk_test_', 'sk_live_')}`,
      `Bearer ${key.toUpperCase()}`,
      `Bearer ${key}${key}`,
      `Bearer ${newApiKeySecret(false, randomBytes)}`,
      `Bearer ${key} ${key}`,
      'Bearer',
      'Bearer  ',
      key,
      `Token ${key}`,
      basic(`:${key}`),
      basic('user:password'),
      'Basic %%%%',
      'Basic',
      `Digest username="${key}"`,
      `Bearer ${'x'.repeat(5_000)}`,
    ];
    for (const Authorization of wrong) {
      const response = await test.get('/me', { headers: { Authorization } });
      assertRefused(response, { status: 401, code: 'api_key_invalid' });
      assert.ok(!response.text.includes(key.slice(8)), 'the response does not echo the key');
    }
  });

  it('is checked before the request, so that nobody can probe the API without one', async () => {
    const anonymous = apiClient({ url: paydesk().url, key: '' });
    const headers = { 'Content-Type': 'application/json' };
    for (const path of ['/checkout-sessions', '/payment-intents/pi_nonsense/cancel']) {
      const response = await anonymous.send('POST', path, { raw: '{"not json', headers });
      assertRefused(response, { status: 401, code: 'api_key_missing' });
    }
  });

  it('can be one of several, each identified by its own id', async () => {
    const { store, clock, url, contract } = paydesk();
    const { test, scope } = await paydesk().newMerchant();
    const moment = () => momentAt(clock.now(), randomBytes);
    const second = await createApiKey({ store, moment, random: randomBytes, actor: 'test' }, scope, 'second');
    const withSecond = apiClient({ url, key: second.secret, contract });
    assert.equal(must(200, await withSecond.get('/me')).api_key, second.key.id);
    assert.notEqual(must(200, await test.get('/me')).api_key, second.key.id);
  });

  it('records when it was last used', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const { test, live, merchant } = await paydesk.newMerchant();
    const { api_key } = must(200, await test.get('/me'));
    paydesk.clock.advance(5_000);
    must(200, await test.get('/me'));
    await paydesk.stop();
    const keys = await paydesk.store.list('apiKeys', { where: { merchantId: merchant.id }, limit: 100 });
    for (const key of keys) {
      assert.equal(key.lastUsedAt, key.id === api_key ? paydesk.clock.now() : null);
    }
    assert.equal(keys.length, 2);
    assert.ok(live.key.startsWith('sk_live_'));
  });
});

describeOnEachEngine('A revoked API key', (engine) => {
  it('stops working within a second of its revocation by another process; other keys keep working', async (t) => {
    const paydesk = await startPaydesk(t, engine, { runningClock: systemClock });
    const { test, live } = await paydesk.newMerchant();
    const { api_key } = must(200, await test.get('/me'));
    const moment = () => momentAt(systemClock.now(), randomBytes);
    await revokeApiKey({ store: paydesk.store, moment, actor: 'test' }, { keyId: String(api_key) });
    await until('the key is refused', async () => (await test.get('/me')).status === 401, 1_000);
    assertRefused(await test.post('/checkout-sessions', { amount: 1, currency: 'EUR' }), {
      status: 401,
      code: 'api_key_revoked',
    });
    must(200, await live.get('/me'));
  });

  it('stops working even if the system clock steps back', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const { clock, store } = paydesk;
    const { test } = await paydesk.newMerchant();
    const { api_key } = must(200, await test.get('/me'));
    await revokeApiKey(
      { store, moment: () => momentAt(clock.now(), randomBytes), actor: 'test' },
      { keyId: String(api_key) },
    );
    clock.set(clock.now() - 3_600_000);
    clock.advance(1_000);
    assertRefused(await test.get('/me'), { status: 401, code: 'api_key_revoked' });
  });
});

describeOnEachEngine('A made-up API key', (engine) => {
  const rateLimit = { settings: { PAYDESK_RATE_LIMIT: '5' } };
  const madeUp = (): string => newApiKeySecret(false, randomBytes);

  it('is not looked up once its address has tried too many; valid keys keep working', async (t) => {
    const opened = await freshStore(t, engine);
    const { lookUpCount, tryKey, merchantKey } = await countLookUps(opened.store);
    assert.equal((await tryKey(merchantKey)).status, 'known');
    const before = lookUpCount();
    const responses = await Promise.all(Array.from({ length: 100 }, () => tryKey(madeUp())));
    assert.equal(
      responses.filter(({ status }) => status === 'api_key_invalid').length,
      9,
      'the tenth look-up was for the merchant’s key',
    );
    assert.equal(responses.filter(({ status }) => status === 'rate_limited').length, 91);
    assert.equal(lookUpCount() - before, 9);
    assert.equal((await tryKey(merchantKey)).status, 'known');
  });

  it('is not cached: a key that is created later works at once', async (t) => {
    const paydesk = await startPaydesk(t, engine, rateLimit);
    const { scope } = await paydesk.newMerchant();
    const { key, secret } = anApiKeyWithSecret(scope);
    const client = apiClient({ url: paydesk.url, key: secret, contract: paydesk.contract });
    assertRefused(await client.get('/me'), { status: 401, code: 'api_key_invalid' });
    await mustCommit(paydesk.store, { apiKeys: [key] });
    assert.equal(must(200, await client.get('/me')).api_key, key.id);
  });

  it('is looked up once, however many requests try it at the same time', async (t) => {
    const opened = await freshStore(t, engine);
    const { lookUpCount, tryKey } = await countLookUps(opened.store);
    const key = madeUp();
    await Promise.all(Array.from({ length: 50 }, () => tryKey(key)));
    assert.equal(lookUpCount(), 1);
  });

  it('from very many addresses waits its turn, and is rejected when too many are waiting', async (t) => {
    const opened = await freshStore(t, engine);
    const gate = Promise.withResolvers<void>();
    const { lookUpCount, tryKey, merchantKey } = await countLookUps(opened.store, () => gate.promise);
    const tries = Array.from({ length: 1_500 }, (_, at) => tryKey(madeUp(), `10.${at >> 8}.${at & 255}.1`));
    await until('four look-ups are under way', () => lookUpCount() === 4);
    gate.resolve();
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 'api_key_invalid').length, 1_004);
    assert.equal(statuses.filter((status) => status === 'rate_limited').length, 496);
    assert.equal((await tryKey(merchantKey)).status, 'known');
  });

  it('in a very long header is rejected unread', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const { test } = await paydesk.newMerchant();
    for (const Authorization of [basic(`${test.key}:${'x'.repeat(5_000)}`), `Bearer ${test.key}${' '.repeat(600)}x`]) {
      assertRefused(await test.get('/me', { headers: { Authorization } }), { status: 401, code: 'api_key_invalid' });
    }
    must(200, await test.get('/me', { headers: { Authorization: basic(`${test.key}:${'x'.repeat(200)}`) } }));
  });
});

describeOnEachEngine('The use of an API key', (engine) => {
  it('is recorded later if storage is not available at that moment', async (t) => {
    const { store } = await freshStore(t, engine);
    const clock = fakeClock();
    const { key, secret } = anApiKeyWithSecret(aScope());
    await mustCommit(store, { merchants: [aMerchant({ id: key.merchantId })], apiKeys: [key] });
    const lastUsed = async () => (await store.findBy('apiKeys', 'id', key.id))?.lastUsedAt;
    let isAway = true;
    const markKeysUsed: Store['markKeysUsed'] = async (uses) => {
      if (isAway) throw new StorageUnavailable('away');
      await store.markKeysUsed(uses);
    };
    const auth = authenticator({ findBy: store.findBy, markKeysUsed }, clock, clock.steady);
    const found = auth.authenticate(`Bearer ${secret}`);
    assert.ok('run' in found);
    await found.run();
    await assert.rejects(auth.recordUses(), StorageUnavailable);
    isAway = false;
    await auth.recordUses();
    assert.equal(await lastUsed(), clock.now());
  });
});

/** Admission on a real store, with a count of the keys looked up. */
async function countLookUps(store: Store, before: () => Promise<void> = async () => {}) {
  const clock = fakeClock();
  let count = 0;
  const counting: Pick<Store, 'findBy' | 'markKeysUsed'> = {
    markKeysUsed: store.markKeysUsed,
    async findBy(...wanted) {
      count += 1;
      await before();
      return store.findBy(...wanted);
    },
  };
  const admission = {
    authenticator: authenticator(counting, clock, clock.steady),
    rateLimiter: memoryRateLimiter(rateLimitOf(5), clock.steady),
    onRateLimited: () => {},
  };
  const created = await createMerchant(
    { store, moment: () => momentAt(clock.now(), randomBytes), random: randomBytes, actor: 'test' },
    'Shop of Tests',
  );
  assert.ok(created !== null);
  return {
    lookUpCount: () => count,
    merchantKey: created.testKey,
    async tryKey(key: string, ip = '203.0.113.9') {
      const request = { headers: { authorization: `Bearer ${key}` }, ip } as HttpRequest;
      const { who } = await admit(admission, request);
      return { status: isRefusal(who) ? who.refused : 'known' };
    },
  };
}
