// What merchants and operators learn of failed sign-ins: entries in the audit log of those whose account it is, and a metric.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, entriesOf, must } from '../support/api-client.ts';
import { begunSession, goodPassword, postOpenly, signIn, userWithPassword } from '../support/dashboard.ts';
import { engines } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { until } from '../support/until.ts';

const settings = { PAYDESK_TRUSTED_PROXIES: '127.0.0.1', PAYDESK_METRICS_ADDRESS: '127.0.0.1:0' };
const action = 'user.sign_in_failed';

for (const engine of engines) {
  describe(`Failed sign-ins are reported (${engine.name})`, () => {
    const paydesk = paydeskForSuite(engine, { settings });
    let hosts = 0;
    const newAddress = (): string => `198.51.100.${++hosts}`;
    const attempt = (email: string, password: string, address = newAddress()) =>
      postOpenly(paydesk(), '/session', { email, password }, { 'X-Forwarded-For': address });
    const entriesAt = (merchantId: string) =>
      paydesk().store.list('auditEntries', { where: { merchantId, action }, limit: 100 });

    async function counts(): Promise<Record<string, number>> {
      const text = await (await fetch(`${paydesk().metricsUrl}/metrics`)).text();
      const lines = text.matchAll(/^paydesk_sign_ins_total\{outcome="(\w+)"\} (\d+)$/gm);
      return Object.fromEntries([...lines].map(([, outcome, count]) => [outcome, Number(count)]));
    }

    it('to every merchant of the user, with the address that it came from', async () => {
      const [shop, other] = [await paydesk().newMerchant(), await paydesk().newMerchant()];
      const user = await userWithPassword(paydesk(), [shop, other], 'support');
      const owner = await signIn(paydesk(), shop);
      const address = newAddress();
      assertRefused(await attempt(user.email, 'wrong', address), { status: 401, code: 'sign_in_failed' });
      for (const { merchant } of [shop, other])
        await until('it is in the log', async () => (await entriesAt(merchant.id)).length === 1);
      const [entry] = entriesOf(await owner.get(`/audit-log?action=${action}`));
      assert.deepEqual(
        [entry?.actor, entry?.subject, entry?.email, entry?.ip, entry?.details],
        [user.id, user.id, user.email, address, { reason: 'password_wrong' }],
      );
      assert.doesNotMatch(JSON.stringify(paydesk().logLines()), new RegExp(user.email));
    });

    it('as often as a password was checked, and not for attempts that had to wait', async () => {
      const shop = await paydesk().newMerchant();
      const user = await userWithPassword(paydesk(), [shop]);
      const before = await counts();
      for (let at = 0; at < 5; at += 1) assert.equal((await attempt(user.email, 'wrong')).status, 401);
      for (let at = 0; at < 10; at += 1) assert.equal((await attempt(user.email, 'wrong')).status, 429);
      assert.equal((await attempt('nobody@shop.example', 'wrong')).status, 401);
      await until('all are in the log', async () => (await entriesAt(shop.merchant.id)).length >= 5);
      paydesk().clock.advance(10_000);
      must(200, await attempt(user.email, goodPassword));
      assert.equal((await entriesAt(shop.merchant.id)).length, 5);
      const after = await counts();
      const added = (outcome: string) => (after[outcome] ?? 0) - (before[outcome] ?? 0);
      assert.deepEqual(['signed_in', 'password_wrong', 'delayed', 'code_wrong', 'busy'].map(added), [1, 6, 10, 0, 0]);
    });

    it('if the code of the second factor is wrong, or the account is disabled', async () => {
      const shop = await paydesk().newMerchant();
      const disabled = await userWithPassword(paydesk(), [shop], 'owner', { disabledAt: 1 });
      assert.equal((await attempt(disabled.email, goodPassword)).status, 401);
      await until('it is in the log', async () => (await entriesAt(shop.merchant.id)).length === 1);
      const user = await userWithPassword(paydesk(), [shop]);
      const begun = begunSession(paydesk().url, user, await attempt(user.email, goodPassword));
      must(200, await begun.post('/account/second-factor'));
      const stored = await paydesk().store.findBy('users', 'id', user.id);
      assert.ok(stored !== null);
      await paydesk().store.commit({ users: [{ ...stored, totpConfirmedAt: 1 }] });
      const { challenge } = must(200, await attempt(user.email, goodPassword));
      const before = await counts();
      assertRefused(await postOpenly(paydesk(), '/session/second-factor', { challenge, code: 'no-code' }), {
        ...{ status: 400, code: 'code_invalid', param: 'code' },
      });
      await until('it is in the log', async () => (await entriesAt(shop.merchant.id)).length === 2);
      const reasons = (await entriesAt(shop.merchant.id)).map(({ details }) => String(details.reason));
      assert.deepEqual(reasons.toSorted(), ['code_wrong', 'disabled']);
      assert.equal((await counts()).code_wrong, (before.code_wrong ?? 0) + 1);
    });
  });
}
