// Failed sign-ins: after a few, a growing delay that holds across processes and restarts, and never a lock for good.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { totpCode } from '../../src/domain/totp.ts';
import { type ApiResponse, assertRefused, must, textOf } from '../support/api-client.ts';
import {
  begunSession,
  type DashboardClient,
  goodPassword,
  postOpenly,
  userWithPassword,
} from '../support/dashboard.ts';
import { engines, sqlite } from '../support/engines.ts';
import { type Paydesk, paydeskForSuite, startPaydesk } from '../support/paydesk.ts';

const settings = { PAYDESK_TRUSTED_PROXIES: '127.0.0.1' };
const failed = { status: 401, code: 'sign_in_failed' } as const;
const delayed = { status: 429, code: 'sign_in_delayed' } as const;
const notConfirmed = { status: 403, code: 'password_wrong', param: 'password' } as const;

let hosts = 0;
/** An address that no other test uses. */
const newAddress = (): string => `198.51.${++hosts >> 8}.${hosts & 255}`;

function attempt(paydesk: Paydesk, email: string, password: string, address: string) {
  return postOpenly(paydesk, '/session', { email, password }, { 'X-Forwarded-For': address });
}

const cookiesOf = ({ headers }: ApiResponse) => headers.getSetCookie().map((cookie) => cookie.split('=')[0]);

for (const engine of engines) {
  describe(`Failed sign-ins (${engine.name})`, () => {
    const paydesk = paydeskForSuite(engine, { settings });
    const newUser = async () => userWithPassword(paydesk(), [await paydesk().newMerchant()]);

    it('delay the sixth attempt for an account, from any address, and longer each time', async () => {
      const { email } = await newUser();
      for (let at = 0; at < 5; at += 1) assertRefused(await attempt(paydesk(), email, 'wrong', newAddress()), failed);
      for (const seconds of [10, 20, 40, 80, 160, 320, 640, 900, 900]) {
        const refused = await attempt(paydesk(), email, goodPassword, newAddress());
        assertRefused(refused, delayed);
        assert.equal(refused.headers.get('retry-after'), String(seconds));
        const told = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
        assert.equal(refused.error.message, `Too many failed attempts. Try again in ${told}.`);
        paydesk().clock.advance(seconds * 1000 - 1);
        assertRefused(await attempt(paydesk(), email, goodPassword, newAddress()), delayed);
        paydesk().clock.advance(1);
        assertRefused(await attempt(paydesk(), email, 'wrong', newAddress()), failed);
      }
      paydesk().clock.advance(900_000);
      must(200, await attempt(paydesk(), email, goodPassword, newAddress()));
      assertRefused(await attempt(paydesk(), email, 'wrong', newAddress()), failed);
      must(200, await attempt(paydesk(), email, goodPassword, newAddress()));
    });

    it('delay attempts for an address that nobody has in the same way', async () => {
      const email = `nobody-${engine.name}@shop.example`;
      for (let at = 0; at < 5; at += 1) assertRefused(await attempt(paydesk(), email, 'wrong', newAddress()), failed);
      assertRefused(await attempt(paydesk(), email.toUpperCase(), 'wrong', newAddress()), delayed);
    });

    it('delay all accounts from an address after twenty, and no other address', async () => {
      const address = newAddress();
      const { email } = await newUser();
      for (let at = 0; at < 4; at += 1) {
        const other = await newUser();
        for (let failures = 0; failures < 5; failures += 1)
          assertRefused(await attempt(paydesk(), other.email, 'wrong', address), failed);
      }
      assertRefused(await attempt(paydesk(), email, goodPassword, address), delayed);
      must(200, await attempt(paydesk(), email, goodPassword, newAddress()));
      paydesk().clock.advance(10_000);
      must(200, await attempt(paydesk(), email, goodPassword, address));
    });

    it('of others do not keep somebody waiting in a browser that they have signed in with before', async () => {
      const { email } = await newUser();
      const before = await attempt(paydesk(), email, goodPassword, newAddress());
      const [, device = ''] = before.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
      const withDevice = (password: string, as = email) =>
        postOpenly(paydesk(), '/session', { email: as, password }, { Cookie: device, 'X-Forwarded-For': newAddress() });
      for (let at = 0; at < 5; at += 1) assertRefused(await attempt(paydesk(), email, 'wrong', newAddress()), failed);
      assertRefused(await attempt(paydesk(), email, goodPassword, newAddress()), delayed);
      must(200, await withDevice(goodPassword));
      assertRefused(await attempt(paydesk(), email, goodPassword, newAddress()), delayed);
      for (let at = 0; at < 5; at += 1) assertRefused(await withDevice('wrong'), failed);
      assertRefused(await withDevice(goodPassword), delayed);
      const other = await newUser();
      for (let at = 0; at < 5; at += 1) assertRefused(await withDevice('wrong', other.email), failed);
      assertRefused(await withDevice('wrong', other.email), delayed);
      assertRefused(await attempt(paydesk(), other.email, goodPassword, newAddress()), delayed);
    });

    it('do not keep somebody waiting who is signed in', async () => {
      const user = await newUser();
      const begun = await attempt(paydesk(), user.email, goodPassword, newAddress());
      for (let at = 0; at < 5; at += 1)
        assertRefused(await attempt(paydesk(), user.email, 'wrong', newAddress()), failed);
      const client = begunSession(paydesk().url, user, begun);
      must(200, await client.post('/session/confirm', { password: goodPassword }));
    });

    it('of somebody who is signed in count for the user, whichever session and token they use', async () => {
      const user = await newUser();
      const begin = async () =>
        begunSession(paydesk().url, user, await attempt(paydesk(), user.email, goodPassword, newAddress()));
      const confirm = (client: DashboardClient, password: string) =>
        client.post('/session/confirm', { password }, { headers: { 'X-Forwarded-For': newAddress() } });
      let client = await begin();
      for (let at = 0; at < 5; at += 1) {
        assertRefused(await confirm(client, 'wrong'), notConfirmed);
        client = begunSession(paydesk().url, user, await client.delete('/account/sessions'));
      }
      assertRefused(await confirm(client, goodPassword), delayed);
      assertRefused(await confirm(await begin(), goodPassword), delayed);
      const passwords = { current_password: goodPassword, new_password: 'another long sentence of mine' };
      assertRefused(await client.post('/account/password', passwords), delayed);
      paydesk().clock.advance(10_000);
      must(200, await confirm(client, goodPassword));
      assertRefused(await confirm(client, 'wrong'), notConfirmed);
    });

    it('get no further counter from a new token that was given without the password', async () => {
      const user = await newUser();
      const begun = await attempt(paydesk(), user.email, goodPassword, newAddress());
      assert.deepEqual(cookiesOf(begun), ['__Host-paydesk_session', '__Host-paydesk_device']);
      const renewed = await begunSession(paydesk().url, user, begun).delete('/account/sessions');
      assert.deepEqual(cookiesOf(renewed), ['__Host-paydesk_session']);
    });

    it('do not delay codes, whatever is entered as an address', async () => {
      const user = await newUser();
      const begun = await attempt(paydesk(), user.email, goodPassword, newAddress());
      const client = begunSession(paydesk().url, user, begun);
      const secret = textOf(must(200, await client.post('/account/second-factor')).secret);
      const codeNow = () => totpCode(secret, paydesk().clock.now());
      must(200, await client.post('/account/second-factor/confirm', { code: codeNow() }));
      paydesk().clock.advance(30_000);
      const { challenge } = must(200, await attempt(paydesk(), user.email, goodPassword, newAddress()));
      const text = `second factor of ${user.id}`;
      for (let at = 0; at < 5; at += 1) assertRefused(await attempt(paydesk(), text, 'wrong', newAddress()), failed);
      assertRefused(await attempt(paydesk(), text, 'wrong', newAddress()), delayed);
      must(200, await postOpenly(paydesk(), '/session/second-factor', { challenge, code: codeNow() }));
    });

    it('are forgotten after a day', async () => {
      const { email } = await newUser();
      for (let at = 0; at < 5; at += 1) assertRefused(await attempt(paydesk(), email, 'wrong', newAddress()), failed);
      paydesk().clock.advance(86_400_000);
      for (let at = 0; at < 5; at += 1) assertRefused(await attempt(paydesk(), email, 'wrong', newAddress()), failed);
      assertRefused(await attempt(paydesk(), email, 'wrong', newAddress()), delayed);
    });

    it('are counted before they are checked, so that many at once check no more passwords', async () => {
      const { email } = await newUser();
      const all = await Promise.all(Array.from({ length: 30 }, () => attempt(paydesk(), email, 'wrong', newAddress())));
      assert.equal(all.filter(({ status }) => status === 401).length, 5);
      assert.equal(all.filter(({ status }) => status === 429).length, 25);
    });

    it('from one address are counted one after another, however many accounts are tried at once', async () => {
      const shop = await paydesk().newMerchant();
      const users = await Promise.all(Array.from({ length: 40 }, () => userWithPassword(paydesk(), [shop])));
      const address = newAddress();
      const all = await Promise.all(users.map(({ email }) => attempt(paydesk(), email, 'wrong', address)));
      const counts = Object.groupBy(all, ({ status, error }) => `${status} ${String(error.code)}`);
      assert.deepEqual(
        Object.entries(counts)
          .map(([what, some]) => [what, some?.length])
          .toSorted(),
        [
          ['401 sign_in_failed', 20],
          ['429 sign_in_delayed', 20],
        ],
      );
    });

    it('hold in another process and after a restart', async (t) => {
      const first = await startPaydesk(t, engine, { settings });
      const { email } = await userWithPassword(first, [await first.newMerchant()]);
      for (let at = 0; at < 5; at += 1) assertRefused(await attempt(first, email, 'wrong', newAddress()), failed);
      const second = await first.startAnother();
      assertRefused(await attempt(second, email, goodPassword, newAddress()), delayed);
      await first.stop();
      assertRefused(await attempt(second, email, goodPassword, newAddress()), delayed);
    });

    it('say nothing about who failed, or from where, in the database', async () => {
      const { email } = await newUser();
      const address = newAddress();
      assertRefused(await attempt(paydesk(), email, 'wrong', address), failed);
      const stored = JSON.stringify(await paydesk().store.walk('signInCounters', null, 1_000));
      assert.ok(stored.includes('account '));
      assert.ok(!stored.includes(email) && !stored.includes(address));
    });
  });
}

describe('Many sign-ins at once', () => {
  const paydesk = paydeskForSuite(sqlite, { settings, realPasswordCost: true });

  it('are refused beyond what can be checked soon, while other requests are served', async () => {
    const attempts = Array.from({ length: 120 }, (_, at) =>
      attempt(paydesk(), `flood${at}@shop.example`, 'wrong', newAddress()),
    );
    const { test } = await paydesk().newMerchant();
    must(200, await test.get('/me'));
    const all = await Promise.all(attempts);
    const refused = all.filter(({ status }) => status === 429);
    assert.ok(refused.length > 50, `${refused.length} were refused`);
    for (const one of refused) assertRefused(one, delayed);
    assert.deepEqual(
      all.filter(({ status }) => status !== 401 && status !== 429).map(({ status }) => status),
      [],
    );
    // Attempts that were not checked do not count.
    const counters = await paydesk().store.walk('signInCounters', null, 1_000);
    const accounts = counters.filter(({ key, failures }) => key.startsWith('account') && failures > 0);
    assert.equal(accounts.length, all.length - refused.length);
  });
});
