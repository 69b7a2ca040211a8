// A user's own account: password, sessions, second factor and recovery codes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { totpCode } from '../../src/domain/totp.ts';
import type { User } from '../../src/domain/user.ts';
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
import { paydeskForSuite } from '../support/paydesk.ts';

const chosen = 'another long sentence of mine';

for (const engine of engines) {
  describe(`An account of the dashboard (${engine.name})`, () => {
    const paydesk = paydeskForSuite(engine);
    const signInWith = (user: User, password = goodPassword) =>
      postOpenly(paydesk(), '/session', { email: user.email, password });
    const clientOf = async (user: User): Promise<DashboardClient> =>
      begunSession(paydesk().url, user, await signInWith(user));
    const isSignedIn = async (client: DashboardClient): Promise<unknown> =>
      must(200, await client.get('/session')).signed_in;
    /** Codes are only accepted once, so each one is of a later step. */
    const nextCode = (secret: string): string => {
      paydesk().clock.advance(30_000);
      return totpCode(secret, paydesk().clock.now());
    };

    async function withSecondFactor() {
      const user = await userWithPassword(paydesk(), [await paydesk().newMerchant()]);
      const client = await clientOf(user);
      const { secret, otpauth_uri, qr_svg } = must(200, await client.post('/account/second-factor'));
      const confirmed = must(
        200,
        await client.post('/account/second-factor/confirm', { code: nextCode(textOf(secret)) }),
      );
      return {
        ...{ user, client, secret: textOf(secret), uri: textOf(otpauth_uri), svg: textOf(qr_svg) },
        codes: confirmed.recovery_codes as string[],
      };
    }

    it('changes the password, which ends all other sessions and gives this one a new token', async () => {
      const user = await userWithPassword(paydesk(), [await paydesk().newMerchant()]);
      const [here, elsewhere] = [await clientOf(user), await clientOf(user)];
      const wrong = await here.post('/account/password', { current_password: 'x', new_password: chosen });
      assertRefused(wrong, { status: 403, code: 'password_wrong', param: 'current_password' });
      const weak = await here.post('/account/password', { current_password: goodPassword, new_password: 'short' });
      assertRefused(weak, { status: 400, code: 'password_weak', param: 'password' });
      assert.equal(await isSignedIn(elsewhere), true);
      const body = { current_password: goodPassword, new_password: chosen };
      const changed = await here.post('/account/password', body);
      must(200, changed);
      assert.equal(await isSignedIn(elsewhere), false);
      assert.equal(await isSignedIn(here), false, 'the old token no longer works');
      assert.equal(await isSignedIn(begunSession(paydesk().url, user, changed)), true);
      assertRefused(await signInWith(user), { status: 401, code: 'sign_in_failed' });
      must(200, await signInWith(user, chosen));
    });

    it('lists sessions, and ends one or all others', async () => {
      const user = await userWithPassword(paydesk(), [await paydesk().newMerchant()]);
      const [here, second, third] = [await clientOf(user), await clientOf(user), await clientOf(user)];
      const listed = must(200, await here.get('/account/sessions')).data as { id: string; current: boolean }[];
      assert.equal(listed.length, 3);
      assert.equal(listed.filter(({ current }) => current).length, 1);
      const ofSecond = must(200, await second.get('/account/sessions')).data as typeof listed;
      const { id } = ofSecond.find(({ current }) => current) ?? { id: '' };
      const stranger = await signIn(paydesk(), await paydesk().newMerchant());
      assertRefused(await stranger.delete(`/account/sessions/${id}`), { status: 404, code: 'session_not_found' });
      must(200, await here.delete(`/account/sessions/${id}`));
      assertRefused(await here.delete(`/account/sessions/${id}`), { status: 404, code: 'session_not_found' });
      assert.equal(await isSignedIn(second), false);
      const others = await here.delete('/account/sessions');
      must(200, others);
      assert.equal(await isSignedIn(third), false);
      const after = begunSession(paydesk().url, user, others);
      assert.equal((must(200, await after.get('/account/sessions')).data as unknown[]).length, 1);
    });

    it('ends a session after twelve hours without a request', async () => {
      const client = await signIn(paydesk(), await paydesk().newMerchant());
      for (let hours = 0; hours < 22; hours += 11) {
        paydesk().clock.advance(11 * 3_600_000);
        assert.equal(await isSignedIn(client), true);
      }
      paydesk().clock.advance(12 * 3_600_000);
      assert.equal(await isSignedIn(client), false);
    });

    it('ends a session after twelve hours in which only open pages sent requests by themselves', async () => {
      const client = await signIn(paydesk(), await paydesk().newMerchant());
      const byItself = { headers: { 'Paydesk-Background': 'true' } };
      for (let hours = 0; hours < 11; hours += 1) {
        paydesk().clock.advance(3_600_000);
        must(200, await client.get('/payments', byItself));
      }
      paydesk().clock.advance(3_600_000);
      assertRefused(await client.get('/payments', byItself), { status: 401, code: 'sign_in_required' });
    });

    it('ends a session after thirty days in any case', async () => {
      const client = await signIn(paydesk(), await paydesk().newMerchant());
      for (let hours = 0; hours < 30 * 24 - 6; hours += 6) {
        paydesk().clock.advance(6 * 3_600_000);
        assert.equal(await isSignedIn(client), true);
      }
      paydesk().clock.advance(6 * 3_600_000);
      assert.equal(await isSignedIn(client), false);
    });

    it('ends a session thirty days after the user signed in, even if it has a new token since', async () => {
      let client = await signIn(paydesk(), await paydesk().newMerchant());
      const begunAt = new Date(paydesk().clock.now()).toISOString();
      const exchangeToken = async () => {
        client = begunSession(paydesk().url, client.user, await client.delete('/account/sessions'));
        const listed = must(200, await client.get('/account/sessions')).data as { created_at: string }[];
        assert.deepEqual(
          listed.map(({ created_at }) => created_at),
          [begunAt],
        );
      };
      for (let hours = 0; hours < 30 * 24 - 6; hours += 6) {
        paydesk().clock.advance(6 * 3_600_000);
        assert.equal(await isSignedIn(client), true);
        if (hours % 120 === 0) await exchangeToken();
      }
      paydesk().clock.advance(5 * 3_600_000);
      await exchangeToken();
      assert.equal(await isSignedIn(client), true);
      paydesk().clock.advance(3_600_000);
      assert.equal(await isSignedIn(client), false);
    });

    it('has a session of another thirty days after a new password', async () => {
      const user = await userWithPassword(paydesk(), [await paydesk().newMerchant()]);
      const client = await clientOf(user);
      paydesk().clock.advance(3_600_000);
      const passwords = { current_password: goodPassword, new_password: chosen };
      const begun = begunSession(paydesk().url, user, await client.post('/account/password', passwords));
      const [listed] = must(200, await begun.get('/account/sessions')).data as { created_at: string }[];
      assert.equal(listed?.created_at, new Date(paydesk().clock.now()).toISOString());
    });

    it('asks for the password again before sensitive actions', async () => {
      const user = await userWithPassword(paydesk(), [await paydesk().newMerchant()]);
      const client = await clientOf(user);
      paydesk().clock.advance(600_000);
      const refused = await client.post('/account/second-factor');
      assertRefused(refused, { status: 403, code: 'password_required' });
      const wrong = await client.post('/session/confirm', { password: 'x' });
      assertRefused(wrong, { status: 403, code: 'password_wrong', param: 'password' });
      must(200, await client.post('/session/confirm', { password: goodPassword }));
      must(200, await client.post('/account/second-factor'));
    });

    it('switches the second factor on, and then needs a code to sign in', async () => {
      const { user, secret, uri, svg, codes } = await withSecondFactor();
      assert.match(secret, /^[A-Z2-7]{32}$/);
      const label = `Paydesk:${encodeURIComponent(user.email)}`;
      assert.equal(uri, `otpauth://totp/${label}?secret=${secret}&issuer=Paydesk&algorithm=SHA1&digits=6&period=30`);
      assert.match(svg, /^<svg /);
      assert.equal(codes.length, 10);
      assert.match(codes[0] ?? '', /^\w{4}-\w{4}-\w{4}-\w{4}$/);
      const asked = await signInWith(user);
      const { second_factor, challenge } = must(200, asked);
      assert.equal(second_factor, 'required');
      assert.equal(asked.headers.get('set-cookie'), null);
      const answer = (code: string) => postOpenly(paydesk(), '/session/second-factor', { challenge, code });
      assertRefused(await answer('000000'), { status: 400, code: 'code_invalid', param: 'code' });
      const code = nextCode(secret);
      const both = await Promise.all([answer(code), answer(code)]);
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400], 'a code works once');
      assertRefused(await answer(code), { status: 400, code: 'code_invalid', param: 'code' });
      const stored = JSON.stringify(await paydesk().store.findBy('users', 'id', user.id));
      assert.ok(!stored.includes(secret) && codes.every((one) => !stored.includes(one)), 'sealed and hashed');
    });

    it('accepts each recovery code once, in any spelling, and renews them', async () => {
      const { user, client, codes } = await withSecondFactor();
      const [first = '', second = ''] = codes;
      const answer = async (code: string) => {
        const { challenge } = must(200, await signInWith(user));
        return postOpenly(paydesk(), '/session/second-factor', { challenge, code });
      };
      must(200, await answer(first.toUpperCase().replaceAll('-', ' ')));
      assertRefused(await answer(first), { status: 400, code: 'code_invalid', param: 'code' });
      must(200, await client.post('/session/confirm', { password: goodPassword }));
      must(200, await client.post('/account/recovery-codes'));
      assertRefused(await answer(second), { status: 400, code: 'code_invalid', param: 'code' });
    });

    it('refuses challenges that are old, changed, or of an earlier password', async () => {
      const { user, client, secret } = await withSecondFactor();
      const challengeNow = async () => textOf(must(200, await signInWith(user)).challenge);
      const answer = (challenge: string) =>
        postOpenly(paydesk(), '/session/second-factor', { challenge, code: nextCode(secret) });
      const failed = { status: 401, code: 'sign_in_failed' };
      const old = await challengeNow();
      paydesk().clock.advance(600_000);
      assertRefused(await answer(old), failed);
      const changed = await challengeNow();
      assertRefused(await answer(`${changed.startsWith('A') ? 'B' : 'A'}${changed.slice(1)}`), failed);
      const earlier = await challengeNow();
      must(200, await client.post('/account/password', { current_password: goodPassword, new_password: chosen }));
      assertRefused(await answer(earlier), failed);
    });

    it('switches the second factor off', async () => {
      const { user, client } = await withSecondFactor();
      const again = await client.post('/account/second-factor');
      assertRefused(again, { status: 409, code: 'second_factor_on' });
      must(200, await client.delete('/account/second-factor'));
      assert.equal(must(200, await signInWith(user)).signed_in, true);
      assertRefused(await client.delete('/account/second-factor'), { status: 409, code: 'second_factor_off' });
    });

    it('delays guesses of codes, and does not count a correct password as a correct code', async () => {
      const { user, secret } = await withSecondFactor();
      for (let guess = 0; guess < 5; guess += 1) {
        const { challenge } = must(200, await signInWith(user));
        const wrong = await postOpenly(paydesk(), '/session/second-factor', { challenge, code: `00000${guess}` });
        assertRefused(wrong, { status: 400, code: 'code_invalid', param: 'code' });
      }
      const { challenge } = must(200, await signInWith(user));
      const code = nextCode(secret);
      paydesk().clock.advance(-25_000);
      const delayed = await postOpenly(paydesk(), '/session/second-factor', { challenge, code });
      assertRefused(delayed, { status: 429, code: 'sign_in_delayed' });
      paydesk().clock.advance(5_000);
      must(200, await postOpenly(paydesk(), '/session/second-factor', { challenge, code }));
    });

    it('must have a second factor if the merchant requires one', async () => {
      const { client: owner } = await withSecondFactor();
      const { merchant } = must(200, await owner.get('/session'));
      must(200, await owner.patch('/team-settings', { require_second_factor: true }));
      const { merchant: found } = { merchant: await paydesk().store.findBy('merchants', 'id', textOf(merchant)) };
      assert.ok(found !== null);
      const colleague = await signIn(paydesk(), { merchant: found });
      assertRefused(await colleague.get('/team'), { status: 403, code: 'second_factor_required' });
      assert.equal(must(200, await colleague.get('/session')).second_factor_required, true);
      const { secret } = must(200, await colleague.post('/account/second-factor'));
      must(200, await colleague.post('/account/second-factor/confirm', { code: nextCode(textOf(secret)) }));
      must(200, await colleague.get('/team'));
    });
  });
}
