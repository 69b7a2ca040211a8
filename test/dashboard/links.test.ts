// One-time links of the dashboard: invitations, resets, and what owners of other merchants must not be able to do with them.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { isRefusal } from '../../src/domain/errors.ts';
import { momentAt } from '../../src/domain/moment.ts';
import type { Role } from '../../src/domain/user-role.ts';
import type { Store } from '../../src/storage/store.ts';
import { disableUser, resetPassword } from '../../src/usecases/administer-user.ts';
import { createFirstOwnerLink } from '../../src/usecases/create-first-owner-link.ts';
import { createUser } from '../../src/usecases/create-user.ts';
import { passwords } from '../../src/usecases/passwords.ts';
import { applyLink } from '../../src/usecases/use-link.ts';
import { assertRefused, must, textOf } from '../support/api-client.ts';
import {
  begunSession,
  type DashboardClient,
  goodPassword,
  postOpenly,
  signIn,
  userWithPassword,
} from '../support/dashboard.ts';
import { engines } from '../support/engines.ts';
import { lowPasswordCost } from '../support/password-cost.ts';
import { type Paydesk, paydeskForSuite } from '../support/paydesk.ts';

const chosen = 'another long sentence of mine';
const linkOver = { status: 400, code: 'link_invalid', param: 'token' } as const;

function operator({ store, clock }: Paydesk) {
  const moment = () => momentAt(clock.now(), randomBytes);
  return { store, moment, random: randomBytes, actor: 'cli:test' };
}

function signInDeps({ secretBox }: Paydesk) {
  const signIns = { count: () => {}, failed: () => {}, idle: async () => {} };
  return {
    secretBox,
    signIns,
    passwords: passwords({ random: randomBytes, cost: lowPasswordCost }),
    networkOf: (ip: string) => ip,
  };
}

/** A store whose first commits wait for each other, so that each was decided before any of them took effect. */
function committingTogether(store: Store, count: number): Store {
  const { promise: allDecided, resolve } = Promise.withResolvers<void>();
  let decided = 0;
  return {
    ...store,
    async commit(changes) {
      decided += 1;
      if (decided === count) resolve();
      await allDecided;
      return store.commit(changes);
    },
  };
}

function tokenIn(link: unknown): string {
  const url = new URL(textOf(link));
  assert.equal(url.origin, 'https://pay.test.example');
  assert.equal(url.pathname, '/dashboard/set-password');
  return url.hash.slice(1);
}

let addresses = 0;
const newEmail = (): string => `person${++addresses}@links.example`;

for (const engine of engines) {
  describe(`One-time links (${engine.name})`, () => {
    const paydesk = paydeskForSuite(engine);
    const lookUp = (token: string) => postOpenly(paydesk(), '/set-password/look-up', { token });
    const use = (token: string, fields: object = {}) =>
      postOpenly(paydesk(), '/set-password', { token, password: chosen, ...fields });

    async function invite(role: Role = 'support', email = newEmail()) {
      const shop = await paydesk().newMerchant();
      const owner = await signIn(paydesk(), shop);
      return { shop, owner, ...(await inviteBy(owner, role, email)) };
    }

    async function inviteBy(owner: DashboardClient, role: Role = 'support', email = newEmail()) {
      const invited = must(201, await owner.post('/team', { email, role }));
      return { email, invited, token: tokenIn(invited.link) };
    }

    it('let an invited person choose a password and join, once', async () => {
      const { shop, owner, email, invited, token } = await invite('support');
      assert.equal(invited.status, 'invited');
      assert.deepEqual(must(200, await lookUp(token)), {
        ...{ purpose: 'invite', email, name: null, merchant_name: shop.merchant.name, has_password: false },
      });
      assertRefused(await use(token, { password: 'short' }), { status: 400, code: 'password_weak', param: 'password' });
      const joined = await use(token, { name: 'Ben' });
      const session = must(200, joined);
      assert.equal(session.merchant, shop.merchant.id);
      const user = await paydesk().store.findBy('users', 'email', email);
      assert.ok(user !== null);
      assert.equal(user.name, 'Ben');
      assert.equal(must(200, await begunSession(paydesk().url, user, joined).get('/session')).signed_in, true);
      assertRefused(await use(token), linkOver);
      assertRefused(await lookUp(token), linkOver);
      must(200, await postOpenly(paydesk(), '/session', { email, password: chosen }));
      const team = must(200, await owner.get('/team')).data as { id: string; status: string; role: string }[];
      assert.deepEqual(
        team.filter(({ id }) => id === user.id).map(({ status, role }) => [status, role]),
        [['active', 'support']],
      );
      const stored = await paydesk().store.list('oneTimeLinks', { limit: 100 });
      assert.ok(!JSON.stringify(stored).includes(token), 'the token itself is not stored');
    });

    it('are used once, however many times at once', async () => {
      const { token } = await invite();
      const all = await Promise.all([use(token), use(token), use(token)]);
      assert.deepEqual(all.map(({ status }) => status).toSorted(), [200, 400, 400]);
    });

    it('expire, and are replaced by newer ones', async () => {
      const { owner, invited, token } = await invite();
      const newer = must(200, await owner.post(`/team/${invited.id}/link`));
      assertRefused(await lookUp(token), linkOver);
      must(200, await lookUp(tokenIn(newer.link)));
      paydesk().clock.advance(7 * 86_400_000);
      assertRefused(await lookUp(tokenIn(newer.link)), linkOver);
      assertRefused(await lookUp('x'), linkOver);
    });

    it('end with the invitation', async () => {
      const { owner, invited, token } = await invite();
      must(200, await owner.delete(`/team/${invited.id}`));
      assertRefused(await use(token), linkOver);
      const again = must(201, await owner.post('/team', { email: invited.email, role: 'developer' }));
      assert.equal(again.id, invited.id);
      assert.equal(must(200, await use(tokenIn(again.link))).signed_in, true);
    });

    it('never set the password of somebody who has an account', async () => {
      const home = await paydesk().newMerchant();
      const user = await userWithPassword(paydesk(), [home]);
      paydesk().clock.advance(1_000);
      const { shop, token } = await invite('support', user.email);
      assert.equal(must(200, await lookUp(token)).has_password, true);
      assertRefused(await use(token), { status: 403, code: 'password_wrong', param: 'password' });
      const joined = must(200, await use(token, { password: goodPassword }));
      const merchants = (joined.merchants as { id: string; role: string }[]).map(({ id, role }) => [id, role]);
      assert.deepEqual(merchants, [
        [home.merchant.id, 'owner'],
        [shop.merchant.id, 'support'],
      ]);
    });

    it('tell the inviting merchant nothing about somebody who has an account, until they join', async () => {
      const home = await paydesk().newMerchant();
      const user = await userWithPassword(paydesk(), [home], 'owner', { name: 'Grace', totpConfirmedAt: 1 });
      const { owner, invited, token } = await invite('support', user.email);
      const shown = ({ name, second_factor, status }: Record<string, unknown>) => ({ name, second_factor, status });
      const nothing = { name: null, second_factor: false, status: 'invited' };
      assert.deepEqual(shown(invited), nothing);
      const inTeam = async () => {
        const { data } = must(200, await owner.get('/team'));
        return shown((data as { id: string }[]).find(({ id }) => id === user.id) ?? {});
      };
      assert.deepEqual(await inTeam(), nothing);
      assert.equal(must(200, await lookUp(token)).name, null);
      must(200, await use(token, { password: goodPassword }));
      assert.deepEqual(await inTeam(), { name: 'Grace', second_factor: true, status: 'active' });
    });

    it('do not let one merchant take over what another one has granted', async () => {
      const first = await invite();
      const second = await invite('owner', first.email);
      // The first owner uses the link instead of sending it.
      const joined = must(200, await use(first.token));
      assert.equal((joined.merchants as unknown[]).length, 1, 'only the own merchant is joined');
      assert.equal(must(200, await lookUp(second.token)).has_password, true);
      assertRefused(await use(second.token, { password: 'a third long sentence' }), {
        ...{ status: 403, code: 'password_wrong', param: 'password' },
      });
    });

    it('of two merchants for the same new person set one password, even at the same time', async () => {
      const first = await invite();
      const second = await invite('owner', first.email);
      const both = await Promise.all([use(first.token), use(second.token, { password: 'a third long sentence' })]);
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400]);
      const winner = both.find(({ status }) => status === 200);
      assert.ok(winner !== undefined);
      assert.equal((winner.body.merchants as unknown[]).length, 1, 'only one merchant is joined');
    });

    it('do not let an owner choose the password while the operator resets it', async () => {
      const user = await userWithPassword(paydesk(), [await paydesk().newMerchant()]);
      const { token } = await invite('support', user.email);
      await resetPassword(operator(paydesk()), user.email, { removeSecondFactor: false });
      assertRefused(await use(token), { status: 403, code: 'password_wrong', param: 'password' });
    });

    it('reset the password of a colleague who works for no other merchant', async () => {
      const shop = await paydesk().newMerchant();
      const owner = await signIn(paydesk(), shop);
      const colleague = await userWithPassword(paydesk(), [shop], 'support');
      const reset = must(200, await owner.post(`/team/${colleague.id}/link`));
      const token = tokenIn(reset.link);
      assert.equal(must(200, await lookUp(token)).purpose, 'reset');
      must(200, await postOpenly(paydesk(), '/session', { email: colleague.email, password: goodPassword }));
      must(200, await use(token));
      const old = await postOpenly(paydesk(), '/session', { email: colleague.email, password: goodPassword });
      assertRefused(old, { status: 401, code: 'sign_in_failed' });

      const shared = await userWithPassword(paydesk(), [shop, await paydesk().newMerchant()], 'support');
      const refused = await owner.post(`/team/${shared.id}/link`);
      assertRefused(refused, { status: 409, code: 'link_not_possible' });
    });

    it('of an owner end when the colleague joins another merchant', async () => {
      const shop = await paydesk().newMerchant();
      const owner = await signIn(paydesk(), shop);
      const colleague = await userWithPassword(paydesk(), [shop], 'support');
      const reset = must(200, await owner.post(`/team/${colleague.id}/link`));
      const elsewhere = await invite('support', colleague.email);
      must(200, await use(elsewhere.token, { password: goodPassword }));
      assertRefused(await use(tokenIn(reset.link)), linkOver);
    });

    it('of the operator reset a password, which ends all sessions', async () => {
      const shop = await paydesk().newMerchant();
      const user = await userWithPassword(paydesk(), [shop]);
      const before = await postOpenly(paydesk(), '/session', { email: user.email, password: goodPassword });
      const client = begunSession(paydesk().url, user, before);
      const outcome = await resetPassword(operator(paydesk()), user.email, { removeSecondFactor: false });
      assert.ok('done' in outcome && outcome.done.link !== null);
      assert.equal(must(200, await client.get('/session')).signed_in, false);
      const old = await postOpenly(paydesk(), '/session', { email: user.email, password: goodPassword });
      assertRefused(old, { status: 401, code: 'sign_in_failed' });
      assert.equal(must(200, await use(outcome.done.link.token)).signed_in, true);
      await disableUser(operator(paydesk()), user.email);
      const disabled = await postOpenly(paydesk(), '/session', { email: user.email, password: chosen });
      assertRefused(disabled, { status: 401, code: 'sign_in_failed' });
    });

    it('are not created for users whom the operator has disabled, because they would not work', async () => {
      const shop = await paydesk().newMerchant();
      const owner = await signIn(paydesk(), shop);
      const colleague = await userWithPassword(paydesk(), [shop], 'support');
      const stranger = await userWithPassword(paydesk(), [await paydesk().newMerchant()]);
      const { email, invited } = await inviteBy(owner);
      for (const one of [colleague.email, stranger.email, email]) await disableUser(operator(paydesk()), one);
      const refused = { status: 409, code: 'link_not_possible' } as const;
      assertRefused(await owner.post(`/team/${colleague.id}/link`), refused);
      assertRefused(await owner.post(`/team/${invited.id}/link`), refused);
      assertRefused(await owner.post('/team', { email: stranger.email, role: 'support' }), refused);
      const reset = await resetPassword(operator(paydesk()), colleague.email, { removeSecondFactor: false });
      assert.ok(isRefusal(reset));
      assert.match(reset.message, /disabled/);
    });

    it('create the first owner of a merchant, and nobody after that', async () => {
      const shop = await paydesk().newMerchant();
      const { token } = await createFirstOwnerLink(operator(paydesk()), shop.merchant.id);
      const other = await createFirstOwnerLink(operator(paydesk()), shop.merchant.id);
      assert.deepEqual(must(200, await lookUp(token)), {
        ...{ purpose: 'first_owner', email: null, name: null, merchant_name: shop.merchant.name, has_password: false },
      });
      assertRefused(await use(token), { status: 400, code: 'parameter_invalid', param: 'email' });
      const email = newEmail();
      const session = must(200, await use(token, { email, name: 'Ana' }));
      assert.deepEqual(
        (session.merchants as { role: string }[]).map(({ role }) => role),
        ['owner'],
      );
      assertRefused(await use(other.token, { email: newEmail() }), linkOver);
    });

    it('create one first owner, even if two links are used at the same moment', async () => {
      const { merchant } = await paydesk().newMerchant();
      const links = [1, 2].map(() => createFirstOwnerLink(operator(paydesk()), merchant.id));
      const store = committingTogether(paydesk().store, links.length);
      const deps = { ...operator({ ...paydesk(), store }), ...signInDeps(paydesk()) };
      const used = await Promise.all(
        links.map(async (link) =>
          applyLink(deps, { token: (await link).token, password: chosen, email: newEmail() }, '127.0.0.1'),
        ),
      );
      assert.equal(used.filter(isRefusal).length, 1);
      const members = await paydesk().store.list('members', { where: { merchantId: merchant.id }, limit: 10 });
      assert.equal(members.length, 1);
    });

    it('of the same new user do not create two', async () => {
      const email = newEmail();
      const merchants = await Promise.all([1, 2, 3].map(() => paydesk().newMerchant()));
      const created = await Promise.all(
        merchants.map(({ merchant: { id: merchantId } }) =>
          createUser(operator(paydesk()), { email, name: null, merchantId, role: 'owner', passwordHash: null }),
        ),
      );
      const ids = created.map((one) => ('done' in one ? one.done.user.id : one));
      assert.equal(new Set(ids).size, 1);
    });
  });
}
