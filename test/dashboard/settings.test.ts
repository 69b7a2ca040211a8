// Settings and acquirer accounts in the dashboard, to their effect in the API.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AcquirerSilent } from '../../src/acquirers/acquirer.ts';
import { facts, liveCredentials, scriptedProvider, testCredentials } from '../acquirers/scripted-provider.ts';
import { assertRefused, entriesOf, fieldsOf, must, textOf } from '../support/api-client.ts';
import { signIn } from '../support/dashboard.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

describeOnEachEngine('Settings in the dashboard', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('change what customers see and can pay with', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'developer');
    const before = must(200, await staff.get('/settings'));
    assert.equal(before.name, 'Shop of Tests');
    assert.equal(before.sends_mail, false);
    const patch = {
      name: 'Acme Coffee',
      logo_url: 'https://shop.example/logo.svg',
      accent_color: '#0a7c5a',
      currencies: ['eur', 'CHF'],
      payment_method_types: ['card', 'twint'],
      receipts: false,
      reply_to: 'support@shop.example',
    };
    const after = must(200, await staff.patch('/settings', patch));
    assert.deepEqual(after, { ...before, ...patch, currencies: ['CHF', 'EUR'] });
    paydesk().clock.advance(1_000);
    assert.equal(must(200, await shop.test.get('/me')).name, 'Acme Coffee');
    const usd = await shop.test.post('/checkout-sessions', { amount: 100, currency: 'USD' });
    assertRefused(usd, { status: 400, code: 'currency_not_enabled', param: 'currency' });
    const page = await (await fetch(`${paydesk().url}/checkout/${textOf((await shop.newSession()).id)}`)).text();
    assert.match(page, /Acme Coffee/);
    assert.match(page, /https:\/\/shop\.example\/logo\.svg/);
    assert.equal(must(200, await staff.patch('/settings', { logo_url: null })).logo_url, null);
    const longestName = '🍵'.repeat(200);
    assert.equal(must(200, await staff.patch('/settings', { name: longestName })).name, longestName);
    const where = { merchantId: shop.merchant.id };
    const entries = await paydesk().store.list('auditEntries', { where, limit: 20 });
    const updates = entries.filter(({ action }) => action === 'merchant.updated');
    assert.equal(updates.length, 3);
    assert.deepEqual(new Set(updates.map(({ actor }) => actor)), new Set([`user:${staff.user.id}`]));
  });

  it('say what is wrong in a sentence, and with the field', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'owner');
    const wrong: readonly [string, unknown, RegExp][] = [
      ['accent_color', 'greenish', /^greenish is not a colour; use one such as #0a7c5a\.$/],
      ['logo_url', 'http://shop.example/logo.svg', /^The logo URL must be an https address/],
      ['logo_url', 'javascript:alert(1)', /^The logo URL /],
      ['reply_to', 'nobody', /is not an e-mail address/],
      ['currencies', [], /^Specify at least one currency/],
      ['payment_method_types', ['cheque'], /is not a payment method/],
      ['name', '', /must not be empty/],
      ['name', 'x'.repeat(201), /^`name` must have at most 200 characters\.$/],
    ];
    for (const [field, value, message] of wrong) {
      const response = await staff.patch('/settings', { [field]: value });
      assertRefused(response, { status: 400, code: 'parameter_invalid', param: field });
      assert.match(textOf(response.error.message), message);
    }
    const unknown = await staff.patch('/settings', { currencies: ['EUX'] });
    assertRefused(unknown, { status: 400, code: 'currency_not_supported', param: 'currencies' });
    assert.equal(must(200, await shop.test.get('/me')).name, 'Shop of Tests');
  });

  it('are neither seen nor changed by support', async () => {
    const shop = await paydesk().newMerchant();
    const support = await signIn(paydesk(), shop, 'support');
    const refused = { status: 403, code: 'role_not_allowed' };
    assertRefused(await support.get('/settings'), refused);
    assertRefused(await support.patch('/settings', { name: 'Mine' }), refused);
    assertRefused(await support.get('/acquirers'), refused);
  });
});

describeOnEachEngine('Acquirer accounts in the dashboard', (engine) => {
  let isSilent = false;
  const scripted = scriptedProvider({
    async check({ secret_key: key = '' }) {
      if (isSilent) throw new AcquirerSilent('no response');
      return key.endsWith('other') ? { ...facts, account: 'Other' } : facts;
    },
  });
  const paydesk = paydeskForSuite(engine, { providers: scripted.providers });
  const add = { provider: 'stripe', name: 'Main account', credentials: testCredentials };

  it('are added after a check, and serve new sessions; credentials are never shown', async () => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop, 'owner');
    const none = must(200, await owner.get('/acquirers'));
    assert.deepEqual(none.data, []);
    assert.deepEqual(none.providers, [
      {
        name: 'stripe',
        methods: ['card', 'ideal'],
        credentials: [
          { name: 'secret_key', secret: true },
          { name: 'publishable_key', secret: false },
        ],
      },
    ]);
    const response = await owner.post('/acquirers', add);
    const account = must(201, response);
    assert.equal(account.status, 'enabled');
    assert.deepEqual(account.methods, ['card', 'ideal']);
    assert.equal(fieldsOf(account.check).ok, true);
    assert.equal(fieldsOf(account.check).account, 'Acme');
    const list = await owner.get('/acquirers');
    for (const { text } of [response, list]) assert.doesNotMatch(text, /rk_test_secret1|pk_test_public1/);
    const { serving } = must(200, list);
    assert.ok(Array.isArray(serving));
    const servers = new Map(serving.map(fieldsOf).map(({ method, provider }) => [method, provider]));
    assert.equal(servers.get('card'), 'stripe');
    assert.equal(servers.get('eps'), 'sandbox');

    const path = `/acquirers/${textOf(account.id)}`;
    assert.equal(must(200, await owner.post(`${path}/disable`)).status, 'disabled');
    assert.equal(must(200, await owner.post(`${path}/enable`)).status, 'enabled');
    const replaced = must(
      200,
      await owner.patch(path, { credentials: { ...testCredentials, publishable_key: 'pk_test_2' } }),
    );
    assert.equal(fieldsOf(replaced.check).ok, true);
    const renamed = must(200, await owner.patch(path, { name: 'Cards', methods: ['card'] }));
    assert.deepEqual([renamed.name, renamed.methods], ['Cards', ['card']]);
    const where = { merchantId: shop.merchant.id };
    const entries = await paydesk().store.list('auditEntries', { where, limit: 50 });
    assert.doesNotMatch(JSON.stringify(entries), /rk_test|pk_test/);
    assert.equal(entries.filter(({ subject }) => subject === account.id).length, 5);
  });

  it('refuse credentials that are wrong, incomplete, of the other mode or of another account', async () => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop, 'owner');
    const refused = { status: 400, code: 'parameter_invalid', param: 'credentials' };
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ ...testCredentials, secret_key: 'rk_test_wrong' }, /^These credentials are wrong: No such key\.$/],
      [{ secret_key: 'rk_test_1' }, /publishable_key missing/],
      [liveCredentials, /is a live key/],
    ];
    for (const [credentials, message] of wrong) {
      const response = await owner.post('/acquirers', { ...add, credentials });
      assertRefused(response, refused);
      assert.match(textOf(response.error.message), message);
    }
    assertRefused(await owner.post('/acquirers', { ...add, provider: 'paypal' }), { ...refused, param: 'provider' });
    assertRefused(await owner.post('/acquirers', { ...add, methods: ['blik'] }), { ...refused, param: 'methods' });
    assert.deepEqual(must(200, await owner.get('/acquirers')).data, []);
    const { id } = must(201, await owner.post('/acquirers', add));
    const other = { ...testCredentials, secret_key: 'rk_test_other' };
    const response = await owner.patch(`/acquirers/${textOf(id)}`, { credentials: other });
    assertRefused(response, refused);
    assert.match(textOf(response.error.message), /are of Other, but this account is Acme/);
  });

  it('are stored unchecked if the provider does not respond, and say so when checked', async () => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop, 'owner');
    isSilent = true;
    const account = must(201, await owner.post('/acquirers', add));
    assert.equal(fieldsOf(account.check).problem, 'silent');
    const path = `/acquirers/${textOf(account.id)}/check`;
    const { ok, reason } = must(200, await owner.post(path));
    assert.deepEqual([ok, reason], [false, 'no response']);
    isSilent = false;
    assert.equal(must(200, await owner.post(path)).ok, true);
  });

  it('are changed only by owners with a recent password, and only those of their merchant and mode', async () => {
    const [shop, other] = [await paydesk().newMerchant(), await paydesk().newMerchant()];
    const owner = await signIn(paydesk(), shop, 'owner');
    const developer = await signIn(paydesk(), shop, 'developer');
    const stranger = await signIn(paydesk(), other, 'owner');
    const { id } = must(201, await owner.post('/acquirers', add));
    const path = `/acquirers/${textOf(id)}`;
    assert.equal(entriesOf(await developer.get('/acquirers')).length, 1);
    const live = { headers: { 'Paydesk-Mode': 'live' } };
    for (const action of ['enable', 'disable', 'check']) {
      assertRefused(await developer.post(`${path}/${action}`), { status: 403, code: 'role_not_allowed' });
      const notFound = { status: 404, code: 'acquirer_account_not_found' };
      assertRefused(await stranger.post(`${path}/${action}`), notFound);
      assertRefused(await owner.post(`${path}/${action}`, {}, live), notFound);
    }
    assertRefused(await developer.post('/acquirers', add), { status: 403, code: 'role_not_allowed' });
    assertRefused(await stranger.patch(path, { name: 'Mine' }), { status: 404, code: 'acquirer_account_not_found' });
    paydesk().clock.advance(11 * 60_000);
    assertRefused(await owner.post(`${path}/disable`), { status: 403, code: 'password_required' });
  });
});
