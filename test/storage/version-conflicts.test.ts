// Commits based on outdated records are refused, so that no update is ever lost.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changesOf, committed, conflicts, mustCommit, mustStore } from '../support/committing.ts';
import { describeOnEachStore, freshStore, type OpenedStore } from '../support/engines.ts';
import { aMerchant, anApiKey, anIdempotencyRecord, aPayment, aScope } from '../support/records.ts';

const maxTries = 500;

/** On PostgreSQL several stores, as several processes would have them; on SQLite the one that serves. */
async function writers(opened: OpenedStore) {
  if (opened.address.engine === 'sqlite') return [opened.store];
  return [opened.store, await opened.openAnother(), await opened.openAnother()];
}

describeOnEachStore('A version conflict', (engine) => {
  it('is the outcome of a commit of any record that was changed since it was read', async (t) => {
    const { store } = await freshStore(t, engine);
    const merchant = aMerchant();
    const key = anApiKey();
    const { intent, session } = aPayment();
    const record = anIdempotencyRecord();
    const all = {
      merchants: [merchant],
      apiKeys: [key],
      paymentIntents: [intent],
      checkoutSessions: [session],
      idempotencyRecords: [record],
    };
    await mustCommit(store, all);
    const asRead = {
      merchants: [{ ...merchant, version: 1, name: 'Second' }],
      apiKeys: [{ ...key, version: 1, name: 'Second' }],
      paymentIntents: [{ ...intent, version: 1, amount: 2 }],
      checkoutSessions: [{ ...session, version: 1, amount: 2 }],
      idempotencyRecords: [{ ...record, version: 1, status: 200 }],
    };
    await mustCommit(store, asRead);
    const conflict = { committed: false, conflict: 'version' };
    for (const [part, rows] of Object.entries(asRead)) {
      assert.deepEqual(await store.commit({ [part]: rows }), conflict, `${part}, read at version 1, now at 2`);
      const ahead = rows.map((row) => ({ ...row, version: 3 }));
      assert.deepEqual(await store.commit({ [part]: ahead }), conflict, `${part}, said to be at 3, now at 2`);
    }
    assert.equal((await store.findBy('merchants', 'id', merchant.id))?.version, 2);
  });

  it('is the outcome of changing a record that does not exist', async (t) => {
    const { store } = await freshStore(t, engine);
    const { intent, session } = aPayment();
    const outcome = await store.commit({ paymentIntents: [{ ...intent, version: 1 }], checkoutSessions: [session] });
    assert.deepEqual(outcome, { committed: false, conflict: 'version' });
    assert.equal(await store.find('checkoutSessions', session, session.id), null);
  });

  it('leaves exactly one winner among many that commit the same version at once', async (t) => {
    const opened = await freshStore(t, engine);
    const stores = await writers(opened);
    let { intent, session } = await mustStore(opened.store, aPayment());
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, index) => {
          const store = stores[index % stores.length] ?? opened.store;
          return store.commit(changesOf({ intent: { ...intent, amount: index + 1 }, session }));
        }),
      );
      const winners = outcomes.flatMap((outcome, index) => (outcome.committed ? [index] : []));
      assert.equal(winners.length, 1);
      assert.deepEqual(conflicts(outcomes), Array(29).fill('version'));
      const now = await opened.store.find('paymentsByIntent', intent, intent.id);
      assert.ok(now !== null);
      assert.equal(now.intent.amount, (winners[0] ?? 0) + 1);
      assert.equal(now.intent.version, intent.version + 1);
      ({ intent, session } = now);
    }
  });

  it('prevents lost updates among many that read, decide and commit', async (t) => {
    const opened = await freshStore(t, engine);
    const stores = await writers(opened);
    const { intent } = await mustStore(opened.store, aPayment({ terms: { amount: 1 } }));
    async function increment(index: number): Promise<void> {
      const store = stores[index % stores.length] ?? opened.store;
      for (let tries = 0; tries < maxTries; tries += 1) {
        const read = await store.find('paymentIntents', intent, intent.id);
        assert.ok(read !== null);
        const outcome = await store.commit({ paymentIntents: [{ ...read, amount: read.amount + 1 }] });
        if (outcome.committed) return;
        assert.equal(outcome.conflict, 'version');
      }
      assert.fail(`did not get through in ${maxTries} tries`);
    }
    await Promise.all(Array.from({ length: 20 }, (_, index) => increment(index)));
    const end = await opened.store.find('paymentIntents', intent, intent.id);
    assert.equal(end?.amount, 21);
    assert.equal(end?.version, 21);
  });

  it('never occurs between change sets that have nothing in common', async (t) => {
    const opened = await freshStore(t, engine);
    const stores = await writers(opened);
    const scope = aScope();
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (stores[index % stores.length] ?? opened.store).commit(changesOf(aPayment({ scope }))),
      ),
    );
    assert.deepEqual(outcomes, Array(100).fill(committed));
  });

  it('ends change sets that wait for each other', async (t) => {
    const opened = await freshStore(t, engine);
    const stores = await writers(opened);
    const one = await mustStore(opened.store, aPayment());
    const other = await mustStore(opened.store, aPayment());
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (stores[index % stores.length] ?? opened.store).commit(
          index % 2 === 0 ? changesOf(one, other) : changesOf(other, one),
        ),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome.committed).length, 1);
    assert.deepEqual(conflicts(outcomes), Array(9).fill('version'));
  });
});
