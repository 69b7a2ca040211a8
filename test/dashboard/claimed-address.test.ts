// Any owner can invite any address, use the link and choose the password of its account. That must be worth nothing at
// other merchants.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { isRefusal } from '../../src/domain/errors.ts';
import { momentAt } from '../../src/domain/moment.ts';
import type { Store } from '../../src/storage/store.ts';
import { resetPassword } from '../../src/usecases/administer-user.ts';
import { createUser } from '../../src/usecases/create-user.ts';
import { passwords } from '../../src/usecases/passwords.ts';
import { applyLink } from '../../src/usecases/use-link.ts';
import { assertRefused, must, textOf } from '../support/api-client.ts';
import { goodPassword, postOpenly, signIn, userWithPassword } from '../support/dashboard.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { lowPasswordCost } from '../support/password-cost.ts';
import { type Paydesk, paydeskForSuite } from '../support/paydesk.ts';

const claimersPassword = 'known to the claimer only';
const ownPassword = 'another long sentence of mine';
const wrongPassword = { status: 403, code: 'password_wrong', param: 'password' } as const;
/** The password is right. */
const noMerchant = { status: 403, code: 'role_not_allowed' } as const;

function operator({ store, clock }: Pick<Paydesk, 'store' | 'clock'>) {
  const moment = () => momentAt(clock.now(), randomBytes);
  return { store, moment, random: randomBytes, actor: 'cli:test' };
}

function linkDeps(paydesk: Paydesk, store: Store) {
  const signIns = { count: () => {}, failed: () => {}, idle: async () => {} };
  const { secretBox } = paydesk;
  const others = {
    secretBox,
    signIns,
    passwords: passwords({ random: randomBytes, cost: lowPasswordCost }),
    networkOf: (ip: string) => ip,
  };
  return { ...operator({ ...paydesk, store }), ...others };
}

/** A store whose first commit of a used link waits until something else has happened. */
function interrupted(store: Store, meanwhile: () => Promise<unknown>): Store {
  let isFirst = true;
  return {
    ...store,
    async commit(changes) {
      if (isFirst && changes.oneTimeLinks !== undefined) {
        isFirst = false;
        await meanwhile();
      }
      return store.commit(changes);
    },
  };
}

const tokenIn = (link: unknown): string => new URL(textOf(link)).hash.slice(1);

let addresses = 0;

describeOnEachEngine('A claimed address', (engine) => {
  const paydesk = paydeskForSuite(engine);
  const lookUp = (token: string) => postOpenly(paydesk(), '/set-password/look-up', { token });
  const use = (token: string, password: string) => postOpenly(paydesk(), '/set-password', { token, password });

  async function claim() {
    const email = `ceo${++addresses}@big.example`;
    const claimer = await signIn(paydesk(), await paydesk().newMerchant());
    const { id, link } = must(201, await claimer.post('/team', { email, role: 'support' }));
    must(200, await use(tokenIn(link), claimersPassword));
    return { email, claimer, userId: textOf(id) };
  }

  async function invitedByOperator(email: string) {
    const { merchant } = await paydesk().newMerchant();
    const wanted = { email, name: null, merchantId: merchant.id, role: 'owner', passwordHash: null } as const;
    const outcome = await createUser(operator(paydesk()), wanted);
    assert.ok('done' in outcome && outcome.done.link !== null, 'there is a link');
    return { merchantId: merchant.id, token: outcome.done.link.token, created: outcome.done };
  }

  async function resetByOperator(email: string): Promise<string> {
    const outcome = await resetPassword(operator(paydesk()), email, { removeSecondFactor: false });
    assert.ok('done' in outcome && outcome.done.link !== null);
    return outcome.done.link.token;
  }

  async function merchantsOf(email: string, password: string): Promise<readonly string[]> {
    const { merchants } = must(200, await postOpenly(paydesk(), '/session', { email, password }));
    return (merchants as { id: string }[]).map(({ id }) => id);
  }

  it('does not join what the operator grants to it later, until its owner has the link and the password', async () => {
    const { email, claimer, userId } = await claim();
    must(200, await claimer.delete(`/team/${userId}`));
    const { merchantId, token, created } = await invitedByOperator(email);
    assert.equal(created.existed, true);
    assert.equal(created.membership.joinedAt, null);
    const refused = await postOpenly(paydesk(), '/session', { email, password: claimersPassword });
    assertRefused(refused, noMerchant);

    assert.equal(must(200, await lookUp(token)).has_password, true);
    assertRefused(await use(token, ownPassword), wrongPassword);
    assertRefused(await use(await resetByOperator(email), ownPassword), noMerchant);
    must(200, await use(token, ownPassword));
    assert.deepEqual(await merchantsOf(email, ownPassword), [merchantId]);
    const stale = await postOpenly(paydesk(), '/session', { email, password: claimersPassword });
    assertRefused(stale, { status: 401, code: 'sign_in_failed' });
  });

  it('is one that an owner had a link for, even if the operator created it', async () => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop);
    const email = `ceo${++addresses}@big.example`;
    const wanted = { email, name: null, merchantId: shop.merchant.id, role: 'support' } as const;
    const made = await createUser(operator(paydesk()), { ...wanted, passwordHash: 'chosen by the operator' });
    assert.ok('done' in made && made.done.link === null);
    const elsewhere = async () => ({ ...wanted, merchantId: (await paydesk().newMerchant()).merchant.id });
    must(200, await owner.post(`/team/${made.done.user.id}/link`));
    const outcome = await createUser(operator(paydesk()), { ...(await elsewhere()), passwordHash: null });
    assert.ok('done' in outcome && outcome.done.membership.joinedAt === null);
  });

  it('gets no new password from its claimer once it is invited elsewhere', async () => {
    const { email, claimer, userId } = await claim();
    await invitedByOperator(email);
    assertRefused(await claimer.post(`/team/${userId}/link`), { status: 409, code: 'link_not_possible' });
  });

  it('cannot be claimed again while the operator resets its password', async () => {
    const { email, claimer, userId } = await claim();
    must(200, await claimer.delete(`/team/${userId}`));
    const again = must(201, await claimer.post('/team', { email, role: 'support' }));
    const reset = await resetByOperator(email);
    assertRefused(await use(tokenIn(again.link), claimersPassword), wrongPassword);
    assertRefused(await use(reset, ownPassword), noMerchant);
    must(200, await use(tokenIn(again.link), ownPassword));
  });

  it('does not join another merchant when its password is reset at that moment', async () => {
    const { shop, user, resetToken } = await colleagueWithReset();
    const { merchantId, token } = await invitedByOperator(user.email);
    const { store } = paydesk();
    const reset = { token: resetToken, password: claimersPassword };
    const joining = interrupted(store, () => applyLink(linkDeps(paydesk(), store), reset, '127.0.0.1'));
    const joined = await applyLink(linkDeps(paydesk(), joining), { token, password: goodPassword }, '127.0.0.1');
    assert.ok(isRefusal(joined));
    assert.equal(joined.refused, 'password_wrong');
    const merchants = await merchantsOf(user.email, claimersPassword);
    assert.deepEqual(merchants, [shop.merchant.id], `not ${merchantId}`);
  });

  it('gets no new password when it joins another merchant at that moment', async () => {
    const { shop, user, resetToken } = await colleagueWithReset();
    const { merchantId, token } = await invitedByOperator(user.email);
    const { store } = paydesk();
    const join = { token, password: goodPassword };
    const resetting = interrupted(store, () => applyLink(linkDeps(paydesk(), store), join, '127.0.0.1'));
    const use = { token: resetToken, password: claimersPassword };
    const reset = await applyLink(linkDeps(paydesk(), resetting), use, '127.0.0.1');
    assert.ok(isRefusal(reset));
    assert.equal(reset.refused, 'link_invalid');
    const merchants = await merchantsOf(user.email, goodPassword);
    assert.deepEqual(merchants.toSorted(), [shop.merchant.id, merchantId].toSorted());
  });

  /** Somebody whose owner has a link to reset the password. */
  async function colleagueWithReset() {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop);
    const user = await userWithPassword(paydesk(), [shop], 'support');
    const { link } = must(200, await owner.post(`/team/${user.id}/link`));
    return { shop, user, resetToken: tokenIn(link) };
  }
});
