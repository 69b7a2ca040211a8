// What is stored about users: it ends when it is no longer needed, and second factors survive a rotation of the secret key.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { newSession } from '../../src/domain/dashboard-session.ts';
import { newLink } from '../../src/domain/one-time-link.ts';
import { afterCode, withNewSecret } from '../../src/domain/second-factor.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import { counted } from '../../src/domain/sign-in-counter.ts';
import { totpCode } from '../../src/domain/totp.ts';
import { newUser } from '../../src/domain/user.ts';
import { prune } from '../../src/jobs/prune.ts';
import { resealSecrets } from '../../src/usecases/reseal-secrets.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aMoment } from '../support/records.ts';

const dayMs = 86_400_000;
const origin = { ip: '203.0.113.5', userAgent: 'test' };
const scope = { merchantId: 'acct_1', livemode: false };

describeOnEachEngine('What is stored about users', (engine) => {
  it('is deleted when it has expired: sessions, links and counts of failures', async (t) => {
    const { store } = await freshStore(t, engine);
    const user = newUser('ana@shop.example', null, aMoment());
    const recordsAt = (createdAt: number) => ({
      session: newSession(user, scope, origin, aMoment(createdAt), randomBytes).session,
      link: newLink({ purpose: 'invite', userId: user.id, merchantId: 'acct_1' }, aMoment(createdAt), randomBytes).link,
      counter: counted(null, `account ${createdAt}`, createdAt),
    });
    const [old, recent] = [recordsAt(now - 8 * dayMs), recordsAt(now - 3_600_000)];
    await mustCommit(store, {
      dashboardSessions: [old.session, recent.session],
      oneTimeLinks: [old.link, recent.link],
      signInCounters: [old.counter, recent.counter],
    });
    const limits = { windowMs: 1_000, perSession: 1, perAddress: 1, perCard: 1 };
    const retention = { deliveriesMs: null, eventsMs: null, auditEntriesMs: null, mailMs: null };
    await prune({ requestLogDays: 7, store, clock: { now: () => now }, limits, retention });
    const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
    assert.deepEqual(ids(await store.list('dashboardSessions', { limit: 10 })), [recent.session.id]);
    assert.deepEqual(ids(await store.list('oneTimeLinks', { limit: 10 })), [recent.link.id]);
    const counters = await store.list('signInCounters', { limit: 10 });
    assert.deepEqual(
      counters.map(({ key }) => key),
      [recent.counter.key],
    );
  });

  it('is sealed again with a new secret key', async (t) => {
    const { store } = await freshStore(t, engine);
    const [from, to] = [1, 2].map((byte) => secretBox(Buffer.alloc(32, byte), randomBytes));
    assert.ok(from !== undefined && to !== undefined);
    const made = Array.from({ length: 120 }, (_, at) => {
      const plain = newUser(`user${at}@shop.example`, null, aMoment());
      if (at % 3 === 0) return { user: plain, secret: null };
      const { user, secret } = withNewSecret(plain, from, randomBytes);
      return { user: { ...user, totpConfirmedAt: now }, secret };
    });
    await mustCommit(store, { users: made.map(({ user }) => user) });
    const done = await resealSecrets({ store, from, to, onProgress: () => {} });
    assert.equal(done.secondFactors, 80);
    assert.deepEqual(done.unreadable, []);
    for (const { user, secret } of made) {
      const stored = await store.findBy('users', 'id', user.id);
      assert.ok(stored !== null);
      if (secret === null) assert.equal(stored.version, 1, 'unchanged');
      else assert.ok(afterCode(stored, totpCode(secret, now), to, now) !== null);
    }
  });
});
