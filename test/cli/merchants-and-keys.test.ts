// paydesk merchant and paydesk key, with and without a running server.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { defaultCurrencies } from '../../src/domain/currencies.ts';
import { apiClient, assertRefused, must } from '../support/api-client.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { startPaydesk, systemClock } from '../support/paydesk.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';

interface CreatedMerchant {
  readonly merchant: string;
  readonly test_key: string;
  readonly live_key: string;
}

interface CreatedKey {
  readonly key: string;
  readonly merchant: string;
  readonly livemode: boolean;
  readonly name: string | null;
  readonly last_four: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly secret?: string;
}

describeOnEachEngine('paydesk merchant and key', (engine) => {
  it('create a merchant and keys, and list and revoke them', async (t) => {
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) };
    const options = { settings, folder };
    assert.equal((await callPaydesk(['migrate'], options)).code, 0);

    const none = await callPaydesk(['merchant', 'list'], options);
    assert.equal(none.code, 0);
    assert.match(none.stdout, /no merchants yet.*paydesk merchant create/i);
    const noKeys = await callPaydesk(['key', 'create'], options);
    assert.equal(noKeys.code, 1);
    assert.match(noKeys.stderr, /no merchants yet; create one: paydesk merchant create/);

    const created = await paydeskJson<CreatedMerchant>(['merchant', 'create', '--name', 'Acme Coffee'], options);
    assert.deepEqual(Object.keys(created), ['merchant', 'test_key', 'live_key']);
    assert.match(created.merchant, /^acct_[0-9a-z]+$/);
    assert.match(created.test_key, /^sk_test_[0-9a-z]+$/);
    assert.match(created.live_key, /^sk_live_[0-9a-z]+$/);

    const [listed, ...others] = await paydeskJson<{ merchant: string; name: string; currencies: string[] }[]>(
      ['merchant', 'list'],
      options,
      callPaydesk,
    );
    assert.deepEqual(others, []);
    assert.equal(listed?.merchant, created.merchant);
    assert.equal(listed?.name, 'Acme Coffee');
    assert.deepEqual(listed?.currencies, defaultCurrencies);

    const live = await paydeskJson<CreatedKey>(['key', 'create', '--live', '--name', 'till 2'], options, callPaydesk);
    assert.match(live.secret ?? '', /^sk_live_/);
    assert.equal(live.merchant, created.merchant);
    assert.equal(live.name, 'till 2');
    assert.equal(live.last_four, live.secret?.slice(-4));

    const revoked = await paydeskJson<CreatedKey>(['key', 'revoke', live.key], options, callPaydesk);
    assert.notEqual(revoked.revoked_at, null);
    const keys = await paydeskJson<CreatedKey[]>(['key', 'list'], options, callPaydesk);
    assert.equal(keys.length, 3);
    assert.equal(keys.find(({ key }) => key === live.key)?.revoked_at, revoked.revoked_at);
    assert.ok(!JSON.stringify(keys).includes(created.test_key.slice(8)), 'no key is shown twice');

    const [first] = keys;
    const rolled = await paydeskJson<CreatedKey & { replaces: string; old_key_expires_at: string }>(
      ['key', 'roll', first?.key ?? '', '--expires-in', '1'],
      options,
      callPaydesk,
    );
    assert.match(rolled.secret ?? '', /^sk_(test|live)_/);
    assert.equal(rolled.replaces, first?.key);
    assert.ok(Date.parse(rolled.old_key_expires_at) > Date.now());
    const twice = await callPaydesk(['key', 'roll', first?.key ?? ''], options);
    assert.equal(twice.code, 1);
    assert.match(twice.stderr, /has already been replaced, and expires on/);
    const wrongHours = await callPaydesk(['key', 'roll', live.key, '--expires-in', '2'], options);
    assert.match(wrongHours.stderr, /--expires-in must be one of 1, 24, 72 hours/);
    const unknown = await callPaydesk(['key', 'roll', 'key_x'], options);
    assert.match(unknown.stderr, /no API key key_x exists; see paydesk key list/);

    const second = await callPaydesk(['merchant', 'create', '--name', 'Second'], options);
    assert.match(second.stdout, /test key +sk_test_[0-9a-z]+\n +live key +sk_live_[0-9a-z]+/);
    const ambiguous = await callPaydesk(['key', 'list'], options);
    assert.equal(ambiguous.code, 1);
    assert.match(ambiguous.stderr, /several merchants; specify one: --merchant/);
    const shown = await callPaydesk(['key', 'list', '--merchant', created.merchant], options);
    assert.match(shown.stdout, new RegExp(`${live.key}  sk_live_…${live.last_four}  \\S+  revoked \\d{4}-.*  till 2`));
  });

  it('limit a name to 200 characters, whether the merchant is created or updated', async (t) => {
    const folder = await freshFolder(t);
    const options = { folder, settings: { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) } };
    // Characters as in the dashboard, where an emoji is one.
    const longest = '🍵'.repeat(200);
    const tooLong = 'x'.repeat(201);
    const refused = 'paydesk: the name is too long; the limit is 200 characters\n';
    const notCreated = await callPaydesk(['merchant', 'create', '--name', tooLong], options);
    assert.deepEqual([notCreated.code, notCreated.stderr], [1, refused]);
    const create = ['merchant', 'create', '--name', longest];
    const { merchant } = await paydeskJson<CreatedMerchant>(create, options, callPaydesk);
    const notUpdated = await callPaydesk(['merchant', 'update', merchant, '--name', tooLong], options);
    assert.deepEqual([notUpdated.code, notUpdated.stderr], [1, refused]);
    const nameNow = async (): Promise<string | undefined> =>
      (await paydeskJson<{ name: string }[]>(['merchant', 'list'], options, callPaydesk))[0]?.name;
    assert.equal(await nameNow(), longest);
    const shorter = 'x'.repeat(200);
    await paydeskJson(['merchant', 'update', merchant, '--name', shorter], options, callPaydesk);
    assert.equal(await nameNow(), shorter);
  });

  it('show names with control characters as text, and unchanged as JSON', async (t) => {
    const folder = await freshFolder(t);
    const options = { folder, settings: { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) } };
    const name = 'Acme\u001b[2K\nacct_forged  2026-11-15T09:30:00.000Z  Tea\u0007';
    const shownName = 'Acme\\u001b[2K\\nacct_forged  2026-11-15T09:30:00.000Z  Tea\\u0007';
    const { merchant } = await paydeskJson<CreatedMerchant>(
      ['merchant', 'create', '--name', name],
      options,
      callPaydesk,
    );
    await paydeskJson(['key', 'create', '--name', name], options, callPaydesk);
    for (const [args, lines] of [
      [['merchant', 'list'], 2],
      [['key', 'list'], 4],
      [['merchant', 'update', merchant, '--receipts', 'on'], 5],
    ] as const) {
      const { stdout } = await callPaydesk(args, options);
      assert.ok(stdout.includes(shownName), stdout);
      assert.equal(stdout.trimEnd().split('\n').length, lines, stdout);
      assert.ok(!stdout.includes('\u001b') && !stdout.includes('\u0007'));
    }
    const [listed] = await paydeskJson<{ name: string }[]>(['merchant', 'list'], options, callPaydesk);
    assert.equal(listed?.name, name);
  });
});

describeOnEachEngine('A change made by a command', (engine) => {
  it('takes effect on a running server within a second', async (t) => {
    const folder = await freshFolder(t);
    const paydesk = await startPaydesk(t, engine, { runningClock: systemClock });
    const options = { folder, settings: { DATABASE_URL: databaseUrl(paydesk.address) } };
    const created = await paydeskJson<CreatedMerchant>(['merchant', 'create', '--name', 'Acme'], options);
    const api = apiClient({ url: paydesk.url, key: created.test_key, contract: paydesk.contract });
    const create = (currency: string) => api.post('/checkout-sessions', { amount: 5, currency });
    must(201, await create('USD'));

    const args = ['merchant', 'update', created.merchant, '--currencies', 'eur, bgn', '--methods', 'card,ideal'];
    const updated = await paydeskJson<{ currencies: string[]; payment_method_types: string[] }>(args, options);
    assert.deepEqual(updated.currencies, ['BGN', 'EUR']);
    assert.deepEqual(updated.payment_method_types, ['card', 'ideal']);
    await until('the new currencies apply', async () => (await create('USD')).status === 400, 1_000);
    assertRefused(await create('USD'), { status: 400, code: 'currency_not_enabled', param: 'currency' });
    must(201, await create('BGN'));
    assert.deepEqual(must(201, await create('EUR')).payment_method_types, ['card', 'ideal']);

    const { api_key } = must(200, await api.get('/me'));
    await paydeskJson(['key', 'revoke', String(api_key)], options);
    await until('the key is refused', async () => (await api.get('/me')).status === 401, 1_000);
    assertRefused(await api.get('/me'), { status: 401, code: 'api_key_revoked' });
  });
});
