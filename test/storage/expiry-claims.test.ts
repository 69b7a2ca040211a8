// Claims: sessions whose time has come are given out once while the lease holds, whoever asks.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Payment } from '../../src/domain/life-cycle.ts';
import type { PaymentIntentStatus } from '../../src/domain/payment-intent.ts';
import type { Store } from '../../src/storage/store.ts';
import { changesOf, committed, mustCommit, mustStore } from '../support/committing.ts';
import { deterministicNumbers } from '../support/deterministic-random.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aPayment, aScope } from '../support/records.ts';

const leaseMs = 30_000;

function expiringAt(expiresAt: number, status: PaymentIntentStatus = 'requires_payment_method'): Payment {
  const { intent, session } = aPayment();
  return { intent: { ...intent, status }, session: { ...session, expiresAt } };
}

async function claim(store: Store, limit: number = 100, at: number = now): Promise<string[]> {
  return (await store.claim('checkoutSessions', 'expired', { now: at, leaseMs, limit })).map(({ id }) => id);
}

const sessionIds = (payments: readonly Payment[]): string[] => payments.map(({ session }) => session.id);

describeOnEachStore('A claim of expired sessions', (engine) => {
  it('names each session with its merchant and mode', async (t) => {
    const { store } = await freshStore(t, engine);
    const scopes = [aScope({ livemode: true }), aScope({ livemode: false })];
    const sessions = scopes.map((scope, index) => ({ ...aPayment({ scope }), expiresAt: now - 10 + index }));
    await mustCommit(
      store,
      changesOf(...sessions.map(({ intent, session, expiresAt }) => ({ intent, session: { ...session, expiresAt } }))),
    );
    const expected = sessions.map(({ session: { id, merchantId, livemode } }) => ({ merchantId, livemode, id }));
    assert.deepEqual(await store.claim('checkoutSessions', 'expired', { now, leaseMs, limit: 10 }), expected);
  });

  it('begins at the very millisecond of expiry, and not before', async (t) => {
    const { store } = await freshStore(t, engine);
    const payment = expiringAt(now);
    await mustStore(store, payment);
    assert.deepEqual(await claim(store, 10, now - 1), []);
    assert.deepEqual(await claim(store, 10, now), [payment.session.id]);
  });

  it('leaves out sessions that are no longer open, and those whose payment is processing', async (t) => {
    const { store } = await freshStore(t, engine);
    const due = [expiringAt(now - 2), expiringAt(now - 1, 'requires_action')];
    const processing = expiringAt(now - 3, 'processing');
    const ended = (['completed', 'expired'] as const).map((status) => {
      const { intent, session } = expiringAt(now - 4);
      return { intent, session: { ...session, status } };
    });
    await mustCommit(store, changesOf(...due, processing, ...ended));
    assert.deepEqual(await claim(store), sessionIds(due));
    await mustCommit(store, {
      paymentIntents: [{ ...processing.intent, version: 1, status: 'requires_payment_method' }],
    });
    assert.deepEqual(await claim(store), [processing.session.id], 'once it is not processing any more');
  });

  it('takes the oldest first, and at most as many as requested', async (t) => {
    const { store } = await freshStore(t, engine);
    const next = deterministicNumbers(7);
    const oldestFirst = Array.from({ length: 20 }, (_, index) => expiringAt(now - 100 + index));
    const anyOrder = oldestFirst.toSorted(() => next() - 0.5);
    await mustCommit(store, changesOf(...anyOrder));
    const ids = sessionIds(oldestFirst);
    assert.deepEqual(await claim(store, 3), ids.slice(0, 3));
    assert.deepEqual(await claim(store, 6), ids.slice(3, 9));
    assert.deepEqual(await claim(store, 100), ids.slice(9));
    assert.deepEqual(await claim(store, 100), []);
  });

  it('ends with its lease', async (t) => {
    const { store } = await freshStore(t, engine);
    const payment = expiringAt(now);
    await mustStore(store, payment);
    assert.deepEqual(await claim(store), [payment.session.id]);
    assert.deepEqual(await claim(store, 10, now + leaseMs - 1), []);
    assert.deepEqual(await claim(store, 10, now + leaseMs), [payment.session.id]);
    assert.deepEqual(await claim(store, 10, now + leaseMs), []);
  });

  it('gives each session to one process, however many claim at the same time', async (t) => {
    const opened = await freshStore(t, engine);
    const stores = [opened.store];
    if (engine.name === 'postgres') for (let more = 0; more < 3; more += 1) stores.push(await opened.openAnother());
    const payments = Array.from({ length: 60 }, (_, index) => expiringAt(now - 100 + index));
    await mustCommit(opened.store, changesOf(...payments));
    const claimed: string[] = [];
    for (let round = 0; round < 20 && claimed.length < payments.length; round += 1) {
      const asked = stores.flatMap((store) => [claim(store, 5), claim(store, 5)]);
      claimed.push(...(await Promise.all(asked)).flat());
    }
    assert.deepEqual(claimed.toSorted(), sessionIds(payments).toSorted());
  });

  it('changes no version, so changes to a session that was read before can still be committed', async (t) => {
    const { store } = await freshStore(t, engine);
    const read = await mustStore(store, expiringAt(now));
    assert.deepEqual(await claim(store), [read.session.id]);
    await mustCommit(store, changesOf({ intent: read.intent, session: { ...read.session, expiresAt: now + 5 } }));
    const after = await store.find('checkoutSessions', read.session, read.session.id);
    assert.equal(after?.version, 2);
    assert.equal(after?.expiresAt, now + 5);
    assert.deepEqual(await claim(store, 10, now + 10), [], 'and a commit does not end the lease');
  });

  it('never makes a concurrent commit of the same rows fail', async (t) => {
    const opened = await freshStore(t, engine);
    const claimer = engine.name === 'postgres' ? await opened.openAnother() : opened.store;
    const payments = Array.from({ length: 60 }, (_, index) => expiringAt(now - 100 + index));
    await mustCommit(opened.store, changesOf(...payments));
    const commits = payments.map(({ intent, session }) =>
      opened.store.commit(
        changesOf({
          intent: { ...intent, version: 1, status: 'expired' },
          session: { ...session, version: 1, status: 'expired' },
        }),
      ),
    );
    const claims = Array.from({ length: 30 }, (_, round) => claim(claimer, 4, now + round * leaseMs));
    assert.deepEqual(await Promise.all(commits), Array(60).fill(committed));
    await Promise.all(claims);
    assert.deepEqual(await claim(claimer, 100, now + 1000 * leaseMs), []);
  });
});
