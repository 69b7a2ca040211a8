// Signing in to the dashboard and out of it, over HTTP, on both engines.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newMembership } from '../../src/domain/user.ts';
import { permissionsOf } from '../../src/domain/user-role.ts';
import { assertRefused, must, textOf } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import {
  begunSession,
  dashboardResponse,
  goodPassword,
  postOpenly,
  signIn,
  userWithPassword,
} from '../support/dashboard.ts';
import { engines } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';

for (const engine of engines) {
  describe(`Sessions of the dashboard (${engine.name})`, () => {
    const paydesk = paydeskForSuite(engine);

    it('signs in with the password, and shows who is signed in', async () => {
      const shop = await paydesk().newMerchant();
      const user = await userWithPassword(paydesk(), [shop]);
      const response = await postOpenly(paydesk(), '/session', {
        email: user.email.toUpperCase(),
        password: goodPassword,
      });
      const body = must(200, response);
      assert.equal(body.signed_in, true);
      assert.equal(body.merchant, shop.merchant.id);
      assert.equal(body.mode, 'test');
      const [set = '', device = ''] = response.headers.getSetCookie();
      assert.match(set, /^__Host-paydesk_session=[0-9a-z]{52}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
      assert.match(
        device,
        /^__Host-paydesk_device=[0-9a-z.]+; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=\d+$/,
      );
      assert.equal(response.headers.get('cache-control'), 'no-store');
      const client = begunSession(paydesk().url, user, response);
      const shown = must(200, await client.get('/session'));
      assert.deepEqual(shown.user, { id: user.id, email: user.email, name: user.name, second_factor: false });
      assert.deepEqual(shown.merchants, [
        {
          ...{ id: shop.merchant.id, name: 'Shop of Tests', role: 'owner', livemode_available: false },
          permissions: permissionsOf('owner'),
        },
      ]);
      const where = { merchantId: shop.merchant.id, action: 'user.signed_in' } as const;
      const [entry, ...others] = await paydesk().store.list('auditEntries', { where, limit: 10 });
      assert.deepEqual(others, []);
      assert.equal(entry?.actor, `user:${user.id}`);
      assert.equal(entry?.email, user.email);
      assert.equal(entry?.ip, '127.0.0.1');
      const logged = JSON.stringify(paydesk().logLines());
      assert.ok(logged.includes('user.signed_in'));
      for (const secret of [user.email, goodPassword, set.split(/[=;]/)[1] ?? '']) assert.ok(!logged.includes(secret));
    });

    it('refuses a wrong password and an unknown address in the same words', async () => {
      const user = await userWithPassword(paydesk(), [await paydesk().newMerchant()]);
      const wrong = await postOpenly(paydesk(), '/session', {
        email: user.email,
        password: 'wrong horse battery staple',
      });
      const unknown = await postOpenly(paydesk(), '/session', { email: 'nobody@shop.example', password: goodPassword });
      assertRefused(wrong, { status: 401, code: 'sign_in_failed' });
      assertRefused(unknown, { status: 401, code: 'sign_in_failed' });
      assert.equal(wrong.error.message, unknown.error.message);
      assert.equal(wrong.headers.get('set-cookie'), null);
    });

    it('ends the session on sign-out', async () => {
      const client = await signIn(paydesk(), await paydesk().newMerchant());
      const out = await client.delete('/session');
      must(200, out);
      assert.match(textOf(out.headers.get('set-cookie')), /^__Host-paydesk_session=; .*Max-Age=0$/);
      assert.equal(must(200, await client.get('/session')).signed_in, false);
      assertRefused(await client.patch('/session', { mode: 'live' }), { status: 401, code: 'sign_in_required' });
    });

    it('remembers the merchant and the mode that were chosen', async () => {
      const client = await signIn(paydesk(), await paydesk().newMerchant());
      assert.equal(must(200, await client.patch('/session', { mode: 'live' })).mode, 'live');
      assert.equal(must(200, await client.get('/session')).mode, 'live');
      const other = await paydesk().newMerchant();
      const refused = await client.patch('/session', { merchant: other.merchant.id });
      assertRefused(refused, { status: 404, code: 'merchant_not_found', param: 'merchant' });
      const named = await client.get('/session', { headers: { 'Paydesk-Merchant': other.merchant.id } });
      assertRefused(named, { status: 404, code: 'merchant_not_found' });
    });

    it('has the role of the merchant that a request is for', async () => {
      const [own, other] = [await paydesk().newMerchant(), await paydesk().newMerchant()];
      const client = await signIn(paydesk(), own, 'owner');
      const membership = { merchantId: other.merchant.id, userId: client.user.id, role: 'support' } as const;
      const { store, clock } = paydesk();
      await mustCommit(store, { memberships: [newMembership(membership, null, aMoment(clock.now()))] });
      const at = (merchant: string) => ({ headers: { 'Paydesk-Merchant': merchant } });
      must(200, await client.get('/team', at(own.merchant.id)));
      const refused = { status: 403, code: 'role_not_allowed' };
      assertRefused(await client.get('/team', at(other.merchant.id)), refused);
      assertRefused(await client.get(`/team?merchant=${other.merchant.id}&mode=live`), refused);
      assert.equal(
        must(200, await client.patch('/session', { merchant: other.merchant.id })).merchant,
        other.merchant.id,
      );
      assertRefused(await client.get('/team'), refused);
      must(200, await client.get('/team', at(own.merchant.id)));
      const wrongMode = await client.get('/team', { headers: { 'Paydesk-Mode': 'both' } });
      assertRefused(wrongMode, { status: 400, code: 'parameter_invalid', param: 'mode' });
    });

    it('requires the token and our own origin for changes', async () => {
      const client = await signIn(paydesk(), await paydesk().newMerchant());
      const change = (headers: Record<string, string | undefined>) =>
        client.patch('/session', { mode: 'live' }, { headers });
      assertRefused(await change({ 'X-CSRF-Token': undefined }), { status: 403, code: 'csrf_token_invalid' });
      assertRefused(await change({ 'X-CSRF-Token': 'x' }), { status: 403, code: 'csrf_token_invalid' });
      assertRefused(await change({ Origin: 'https://evil.example' }), { status: 403, code: 'origin_not_allowed' });
      assertRefused(await change({ 'Sec-Fetch-Site': 'cross-site' }), { status: 403, code: 'origin_not_allowed' });
      assert.equal((await change({ Origin: 'https://pay.test.example', 'Sec-Fetch-Site': 'same-origin' })).status, 200);
    });

    it('says so if nobody can sign in yet', async (t) => {
      const empty = await startPaydesk(t, engine);
      const response = await dashboardResponse(await fetch(`${empty.url}/dashboard/api/session`));
      assert.deepEqual(must(200, response), { signed_in: false, setup: true });
    });
  });
}
