// API keys in the dashboard: created, rolled and revoked, with effect on the API in every process.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiClient, assertRefused, entriesOf, fieldsOf, must, textOf } from '../support/api-client.ts';
import { signIn } from '../support/dashboard.ts';
import { describeOnEachEngine, postgres } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk } from '../support/paydesk.ts';

const hour = 3_600_000;

describeOnEachEngine('API keys in the dashboard', (engine) => {
  const paydesk = paydeskForSuite(engine);
  const apiWith = (secret: unknown) =>
    apiClient({ url: paydesk().url, key: textOf(secret), contract: paydesk().contract });

  it('are created with a name, and shown once', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'developer');
    const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
    const made = must(201, await staff.post('/api-keys', { name: 'till 2' }, options));
    assert.equal(must(201, await staff.post('/api-keys', { name: 'till 2' }, options)).secret, made.secret);
    assert.match(textOf(made.secret), /^sk_test_/);
    assert.equal(must(200, await apiWith(made.secret).get('/me')).api_key, made.id);
    const list = await staff.get('/api-keys');
    const keys = entriesOf(list);
    assert.deepEqual(
      keys.map(({ livemode }) => livemode),
      [false, false],
    );
    const listed = keys.find(({ id }) => id === made.id);
    assert.equal(listed?.name, 'till 2');
    assert.equal(listed?.last_four, textOf(made.secret).slice(-4));
    assert.equal(listed?.status, 'active');
    assert.doesNotMatch(list.text, /sk_test_/);
    const live = entriesOf(await staff.get('/api-keys', { headers: { 'Paydesk-Mode': 'live' } }));
    assert.deepEqual(
      live.map(({ livemode }) => livemode),
      [true],
    );
  });

  it('are rolled: the new key works now, and the old one until its time is up', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'owner');
    const [old] = entriesOf(await staff.get('/api-keys'));
    const path = `/api-keys/${textOf(old?.id)}/roll`;
    assertRefused(await staff.post(path, { expires_in_hours: 2 }), {
      ...{ status: 400, code: 'parameter_invalid', param: 'expires_in_hours' },
    });
    const made = must(201, await staff.post(path, { expires_in_hours: 24 }));
    const replaced = fieldsOf(made.replaces);
    assert.equal(replaced.id, old?.id);
    const { clock, store } = paydesk();
    assert.equal(Date.parse(textOf(replaced.expires_at)), clock.now() + 24 * hour);
    must(200, await shop.test.get('/me'));
    must(200, await apiWith(made.secret).get('/me'));
    assertRefused(await staff.post(path, { expires_in_hours: 1 }), { status: 409, code: 'api_key_not_active' });

    clock.advance(24 * hour - 1);
    must(200, await shop.test.get('/me'));
    clock.advance(1);
    const refused = await shop.test.get('/me');
    assertRefused(refused, { status: 401, code: 'api_key_expired' });
    assert.match(textOf(refused.error.message), /was replaced/);
    must(200, await apiWith(made.secret).get('/me'));

    const entries = await store.list('auditEntries', { where: { merchantId: shop.merchant.id }, limit: 20 });
    const rolled = entries.find(({ action }) => action === 'api_key.rolled');
    assert.equal(rolled?.subject, old?.id);
    assert.equal(rolled?.details.replaced_by, made.id);
    assert.equal(rolled?.actor, `user:${staff.user.id}`);
    assert.equal(rolled?.email, staff.user.email);
  });

  it('are revoked', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'developer');
    const [key] = entriesOf(await staff.get('/api-keys'));
    const revoked = must(200, await staff.post(`/api-keys/${textOf(key?.id)}/revoke`));
    assert.equal(revoked.status, 'revoked');
    assertRefused(await shop.test.get('/me'), { status: 401, code: 'api_key_revoked' });
    assertRefused(await staff.post(`/api-keys/${textOf(key?.id)}/roll`, { expires_in_hours: 1 }), {
      ...{ status: 409, code: 'api_key_not_active' },
    });
  });

  it('of another merchant or mode are not found, and nothing happens to them', async () => {
    const [shop, other] = [await paydesk().newMerchant(), await paydesk().newMerchant()];
    const staff = await signIn(paydesk(), shop);
    const theirs = textOf(must(200, await other.test.get('/me')).api_key);
    const live = textOf(must(200, await shop.live.get('/me')).api_key);
    for (const id of [theirs, live]) {
      assertRefused(await staff.post(`/api-keys/${id}/revoke`), { status: 404, code: 'api_key_not_found' });
      assertRefused(await staff.post(`/api-keys/${id}/roll`, { expires_in_hours: 1 }), {
        ...{ status: 404, code: 'api_key_not_found' },
      });
    }
    must(200, await other.test.get('/me'));
    must(200, await shop.live.get('/me'));
  });

  it('are neither seen nor changed by support, and changed only with a recent password', async () => {
    const shop = await paydesk().newMerchant();
    const support = await signIn(paydesk(), shop, 'support');
    assertRefused(await support.get('/api-keys'), { status: 403, code: 'role_not_allowed' });
    assertRefused(await support.post('/api-keys', {}), { status: 403, code: 'role_not_allowed' });
    const owner = await signIn(paydesk(), shop, 'owner');
    paydesk().clock.advance(11 * 60_000);
    assertRefused(await owner.post('/api-keys', {}), { status: 403, code: 'password_required' });
    assert.equal(entriesOf(await owner.get('/api-keys')).length, 1);
  });
});

describe('A rolled API key with several processes (postgres)', () => {
  it('ends in all of them', async (t) => {
    const paydesk = await startPaydesk(t, postgres);
    const another = await paydesk.startAnother();
    const shop = await paydesk.newMerchant();
    const staff = await signIn(paydesk, shop);
    const there = apiClient({ url: another.url, key: shop.test.key, contract: another.contract });
    const { api_key: id } = must(200, await there.get('/me'));
    must(201, await staff.post(`/api-keys/${textOf(id)}/roll`, { expires_in_hours: 1 }));
    another.clock.advance(hour - 1);
    must(200, await there.get('/me'));
    another.clock.advance(1);
    assertRefused(await there.get('/me'), { status: 401, code: 'api_key_expired' });
  });
});
