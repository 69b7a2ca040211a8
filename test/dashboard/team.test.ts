// The team of a merchant: owners invite, change roles and remove, and there is always an owner.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, must } from '../support/api-client.ts';
import { signIn } from '../support/dashboard.ts';
import { engines } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

for (const engine of engines) {
  describe(`The team (${engine.name})`, () => {
    const paydesk = paydeskForSuite(engine);

    it('shows who works for the merchant, and nobody of another one', async () => {
      const shop = await paydesk().newMerchant();
      const owner = await signIn(paydesk(), shop);
      paydesk().clock.advance(1_000);
      const support = await signIn(paydesk(), shop, 'support');
      await signIn(paydesk(), await paydesk().newMerchant());
      const { data, require_second_factor } = must(200, await owner.get('/team'));
      assert.equal(require_second_factor, false);
      const shown = (data as Record<string, unknown>[]).map(({ id, email, role, status }) => ({
        id,
        email,
        role,
        status,
      }));
      assert.deepEqual(shown, [
        { id: owner.user.id, email: owner.user.email, role: 'owner', status: 'active' },
        { id: support.user.id, email: support.user.email, role: 'support', status: 'active' },
      ]);
    });

    it('changes a role at once, and removes a member at once', async () => {
      const shop = await paydesk().newMerchant();
      const [owner, other] = [await signIn(paydesk(), shop), await signIn(paydesk(), shop, 'developer')];
      assertRefused(await other.get('/team'), { status: 403, code: 'role_not_allowed' });
      must(200, await owner.patch(`/team/${other.user.id}`, { role: 'owner' }));
      must(200, await other.get('/team'));
      must(200, await owner.delete(`/team/${other.user.id}`));
      assert.equal(must(200, await other.get('/session')).signed_in, false);
      assertRefused(await owner.delete(`/team/${other.user.id}`), { status: 404, code: 'user_not_found' });
      const where = { merchantId: shop.merchant.id };
      const entries = await paydesk().store.list('auditEntries', { where, limit: 100 });
      const own = entries.filter(({ actor }) => actor === `user:${owner.user.id}`);
      assert.deepEqual(own.map(({ action, subject, email, ip }) => [action, subject, email, ip]).toSorted(), [
        ['team.member_removed', other.user.id, owner.user.email, '127.0.0.1'],
        ['team.role_changed', other.user.id, owner.user.email, '127.0.0.1'],
      ]);
    });

    it('keeps the last owner', async () => {
      const shop = await paydesk().newMerchant();
      const owner = await signIn(paydesk(), shop);
      must(201, await owner.post('/team', { email: `invited-${owner.user.id}@team.example`, role: 'owner' }));
      const self = `/team/${owner.user.id}`;
      assertRefused(await owner.delete(self), { status: 409, code: 'last_owner' });
      assertRefused(await owner.patch(self, { role: 'support' }), { status: 409, code: 'last_owner' });
      must(200, await owner.get('/team'));
    });

    it('keeps an owner even if two remove each other at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const shop = await paydesk().newMerchant();
        const [one, other] = [await signIn(paydesk(), shop), await signIn(paydesk(), shop)];
        await Promise.all([one.delete(`/team/${other.user.id}`), other.delete(`/team/${one.user.id}`)]);
        const where = { merchantId: shop.merchant.id };
        const left = await paydesk().store.list('members', { where, limit: 10 });
        assert.equal(left.length, 1);
      }
    });

    it('refuses ids of other merchants, addresses that are none, and members twice', async () => {
      const owner = await signIn(paydesk(), await paydesk().newMerchant());
      const stranger = await signIn(paydesk(), await paydesk().newMerchant());
      const notFound = { status: 404, code: 'user_not_found' };
      assertRefused(await owner.patch(`/team/${stranger.user.id}`, { role: 'support' }), notFound);
      assertRefused(await owner.delete(`/team/${stranger.user.id}`), notFound);
      assertRefused(await owner.post(`/team/${stranger.user.id}/link`), notFound);
      const noAddress = await owner.post('/team', { email: 'ana', role: 'support' });
      assertRefused(noAddress, { status: 400, code: 'parameter_invalid', param: 'email' });
      const twice = await owner.post('/team', { email: owner.user.email.toUpperCase(), role: 'support' });
      assertRefused(twice, { status: 409, code: 'already_member', param: 'email' });
      const wrongRole = await owner.post('/team', { email: 'ana@team.example', role: 'boss' });
      assertRefused(wrongRole, { status: 400, code: 'parameter_invalid', param: 'role' });
    });

    it('does not require a second factor that the owner has not got', async () => {
      const owner = await signIn(paydesk(), await paydesk().newMerchant());
      const refused = await owner.patch('/team-settings', { require_second_factor: true });
      assertRefused(refused, { status: 409, code: 'second_factor_off' });
    });
  });
}
