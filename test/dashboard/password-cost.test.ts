// What a password costs whoever guesses it, unless a test lowers it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, must } from '../support/api-client.ts';
import { begunSession, goodPassword, postOpenly, userWithPassword } from '../support/dashboard.ts';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

describe('The passwords of the dashboard', () => {
  const paydesk = paydeskForSuite(sqlite, { realPasswordCost: true });

  it('are hashed as OWASP recommends, and take as long for an address that nobody has', async () => {
    const user = await userWithPassword(paydesk(), [await paydesk().newMerchant()]);
    const attempt = (email: string, password: string) => postOpenly(paydesk(), '/session', { email, password });
    const chosen = 'another long sentence of mine';
    const client = begunSession(paydesk().url, user, await attempt(user.email, goodPassword));
    must(200, await client.post('/account/password', { current_password: goodPassword, new_password: chosen }));
    const stored = await paydesk().store.findBy('users', 'id', user.id);
    assert.match(stored?.passwordHash ?? '', /^\$scrypt\$ln=17,r=8,p=1\$/);

    const effort = async (email: string): Promise<number> => {
      const before = process.cpuUsage().user;
      assertRefused(await attempt(email, 'wrong'), { status: 401, code: 'sign_in_failed' });
      return process.cpuUsage().user - before;
    };
    const ratio = (await effort('nobody@shop.example')) / (await effort(user.email));
    assert.ok(ratio > 0.4 && ratio < 2.5, `the ratio is ${ratio}`);
  });
});
