// Who may call: API keys as Bearer or Basic, what each wrong one gets, and GET /me.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { newApiKeySecret } from '../../src/domain/api-key.ts';
import { defaultCurrencies } from '../../src/domain/currencies.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { paymentMethodTypes } from '../../src/domain/payment-methods.ts';
import { createApiKey } from '../../src/usecases/create-api-key.ts';
import { revokeApiKey } from '../../src/usecases/revoke-api-key.ts';
import { apiClient, assertRefused, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk, systemClock } from '../support/paydesk.ts';
import { until } from '../support/until.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describeOnEachEngine('GET /me', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('tells the merchant and the mode behind the key', async () => {
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

  it('is taken as Bearer, and as the user name of Basic', async () => {
    const { test, merchant } = await paydesk().newMerchant();
    const taken = [`Bearer ${test.key}`, `bearer ${test.key}`, basic(`${test.key}:`), basic(`${test.key}:ignored`)];
    for (const Authorization of taken) {
      assert.equal(must(200, await test.get('/me', { headers: { Authorization } })).id, merchant.id);
    }
  });

  it('is asked for where it is missing', async () => {
    const nobody = apiClient({ url: paydesk().url, key: '' });
    assertRefused(await nobody.get('/me'), { status: 401, code: 'api_key_missing' });
    assertRefused(await nobody.post('/checkout-sessions', { amount: 1, currency: 'EUR' }), {
      status: 401,
      code: 'api_key_missing',
    });
  });

  it('is refused where it is malformed, mistyped, unknown, or not a key at all', async () => {
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
      const answer = await test.get('/me', { headers: { Authorization } });
      assertRefused(answer, { status: 401, code: 'api_key_invalid' });
      assert.ok(!answer.text.includes(key.slice(8)), 'the key is not told back');
    }
  });

  it('is checked before the request is: nobody learns of the API without one', async () => {
    const nobody = apiClient({ url: paydesk().url, key: '' });
    const headers = { 'Content-Type': 'application/json' };
    for (const path of ['/checkout-sessions', '/payment-intents/pi_nonsense/cancel']) {
      const answer = await nobody.send('POST', path, { raw: '{"not json', headers });
      assertRefused(answer, { status: 401, code: 'api_key_missing' });
    }
  });

  it('is one of several: each works, and is told apart', async () => {
    const { store, clock, url, contract } = paydesk();
    const { test, scope } = await paydesk().newMerchant();
    const moment = () => momentAt(clock.now(), randomBytes);
    const second = await createApiKey({ store, moment, random: randomBytes }, scope, 'second');
    const withSecond = apiClient({ url, key: second.secret, contract });
    assert.equal(must(200, await withSecond.get('/me')).api_key, second.key.id);
    assert.notEqual(must(200, await test.get('/me')).api_key, second.key.id);
  });
});

describeOnEachEngine('A revoked API key', (engine) => {
  it('stops working within a second of its revocation by another process, and only that key', async (t) => {
    const paydesk = await startPaydesk(t, engine, { runningClock: systemClock });
    const { test, live } = await paydesk.newMerchant();
    const { api_key } = must(200, await test.get('/me'));
    const moment = () => momentAt(systemClock.now(), randomBytes);
    await revokeApiKey({ store: paydesk.store, moment }, String(api_key));
    await until('the key is refused', async () => (await test.get('/me')).status === 401, 1_000);
    assertRefused(await test.post('/checkout-sessions', { amount: 1, currency: 'EUR' }), {
      status: 401,
      code: 'api_key_revoked',
    });
    must(200, await live.get('/me'));
  });

  it('keeps the time when it was last used', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const { test, live, merchant } = await paydesk.newMerchant();
    const { api_key } = must(200, await test.get('/me'));
    paydesk.clock.advance(5_000);
    must(200, await test.get('/me'));
    await paydesk.stop();
    const keys = await paydesk.store.apiKeys(merchant.id);
    for (const key of keys) {
      assert.equal(key.lastUsedAt, key.id === api_key ? paydesk.clock.now() : null);
    }
    assert.equal(keys.length, 2);
    assert.ok(live.key.startsWith('sk_live_'));
  });
});
