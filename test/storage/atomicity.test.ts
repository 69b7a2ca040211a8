// A change set is there whole or not at all.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises';
import type { ChangeSet } from '../../src/domain/change-set.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import type { Store } from '../../src/storage/store.ts';
import { changesOf, committed, mustCommit, mustStore } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { aMerchant, anApiKey, anEvent, anIdempotencyRecord, aPayment, aScope } from '../support/records.ts';

describeOnEachStore('A change set is there whole or not at all', (engine) => {
  /** One good row of every kind, and a way to see that none of them is there. */
  function goodRows(scope: Scope): { changes: ChangeSet; assertAbsent(store: Store): Promise<void> } {
    const merchant = aMerchant({ id: scope.merchantId });
    const key = anApiKey(scope);
    const payment = aPayment({ scope });
    const record = anIdempotencyRecord(scope);
    return {
      changes: {
        merchants: [merchant],
        apiKeys: [key],
        ...changesOf(payment),
        events: [anEvent(payment.intent)],
        idempotencyRecords: [record],
        facts: [{ name: 'demo_merchant', value: merchant.id }],
      },
      async assertAbsent(store) {
        assert.equal(await store.findBy('merchants', 'id', merchant.id), null);
        assert.equal(await store.findBy('apiKeys', 'id', key.id), null);
        assert.deepEqual(await store.list('paymentIntents', { scope: scope, limit: 10 }), []);
        assert.deepEqual(await store.list('checkoutSessions', { scope: scope, limit: 10 }), []);
        assert.deepEqual(await store.list('events', { scope: scope, limit: 10 }), []);
        assert.equal(await store.find('idempotencyRecords', scope, record.key), null);
        assert.equal(await store.findBy('facts', 'name', 'demo_merchant'), null);
      },
    };
  }

  /** Adds one row to those that are good. */
  function withRows(good: ChangeSet, more: ChangeSet): ChangeSet {
    const parts = new Set([...Object.keys(good), ...Object.keys(more)] as (keyof ChangeSet)[]);
    return Object.fromEntries([...parts].map((part) => [part, [...(good[part] ?? []), ...(more[part] ?? [])]]));
  }

  it('is there whole when nothing stands against it', async (t) => {
    const { store } = await freshStore(t, engine);
    const good = goodRows(aScope());
    await good.assertAbsent(store);
    assert.deepEqual(await store.commit(good.changes), committed);
    await assert.rejects(good.assertAbsent(store));
  });

  it('leaves nothing when one of its rows has changed since it was read', async (t) => {
    const { store } = await freshStore(t, engine);
    const stored = await mustStore(store, aPayment());
    await mustCommit(store, { checkoutSessions: [{ ...stored.session, amount: 7 }] });
    const good = goodRows(aScope());
    const outcome = await store.commit(
      withRows(good.changes, {
        paymentIntents: [{ ...stored.intent, amount: 9 }],
        checkoutSessions: [{ ...stored.session, amount: 9 }],
      }),
    );
    assert.deepEqual(outcome, { committed: false, conflict: 'version' });
    await good.assertAbsent(store);
    const now = await store.find('paymentsBySession', stored.session, stored.session.id);
    assert.deepEqual(now?.intent, stored.intent);
    assert.deepEqual(now?.session, { ...stored.session, version: 2, amount: 7 });
  });

  it('leaves nothing when an id, an idempotency key, an event or a fact is taken', async (t) => {
    const { store } = await freshStore(t, engine);
    const payment = aPayment();
    const event = anEvent(payment.intent);
    const record = anIdempotencyRecord();
    const key = anApiKey();
    const fact = { name: 'secret_key_id', value: 'the first' } as const;
    await mustCommit(store, {
      ...changesOf(payment),
      events: [event],
      idempotencyRecords: [record],
      apiKeys: [key],
      facts: [fact],
    });
    const cases: [string, ChangeSet, string][] = [
      ['a payment intent id', { paymentIntents: [payment.intent] }, 'version'],
      ['a session id', { checkoutSessions: [payment.session] }, 'version'],
      ['an event id', { events: [event] }, 'version'],
      ['an API key hash', { apiKeys: [anApiKey({ hash: key.hash })] }, 'version'],
      ['an idempotency key', { idempotencyRecords: [{ ...record, status: 200 }] }, 'idempotency_key'],
      ['a fact', { facts: [{ ...fact, value: 'the second' }] }, 'fact'],
    ];
    for (const [what, taken, conflict] of cases) {
      const good = goodRows(aScope());
      assert.deepEqual(await store.commit(withRows(good.changes, taken)), { committed: false, conflict }, what);
      await good.assertAbsent(store);
    }
    assert.equal((await store.findBy('facts', 'name', 'secret_key_id'))?.value, 'the first');
  });

  it('leaves nothing when one of its rows breaks a rule of the schema', async (t) => {
    const { store } = await freshStore(t, engine);
    const stored = await mustStore(store, aPayment());
    const broken: ChangeSet[] = [
      { paymentIntents: [{ ...stored.intent, amountCaptured: stored.intent.amount + 1 }] },
      { paymentIntents: [{ ...stored.intent, amountRefunded: 1 }] },
      { checkoutSessions: [{ ...stored.session, amount: 0 }] },
      { checkoutSessions: [{ ...aPayment().session, amount: 1_000_000_000_000 }] },
    ];
    for (const changes of broken) {
      const good = goodRows(aScope());
      await assert.rejects(store.commit(withRows(good.changes, changes)), /constraint/i);
      await good.assertAbsent(store);
    }
    assert.deepEqual(await store.find('paymentsByIntent', stored.intent, stored.intent.id), stored);
  });

  it('fails alone when it breaks a rule while many others are committed at the same time', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const payments = Array.from({ length: 40 }, () => aPayment({ scope }));
    const outcomes = await Promise.allSettled(
      payments.map(({ intent, session }, index) =>
        store.commit({
          paymentIntents: [index === 17 ? { ...intent, amountRefunded: 5 } : intent],
          checkoutSessions: [session],
          events: [anEvent(intent)],
        }),
      ),
    );
    const failed = outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
    assert.deepEqual(failed, [17]);
    const sessions = await store.list('checkoutSessions', { scope: scope, limit: 100 });
    assert.equal(sessions.length, 39);
    assert.ok(sessions.every(({ id }) => id !== payments[17]?.session.id));
    assert.equal((await store.list('events', { scope: scope, limit: 100 })).length, 39);
  });

  it('is refused by a store that is closed', async (t) => {
    const { store } = await freshStore(t, engine);
    await store.close();
    await assert.rejects(store.commit(changesOf(aPayment())), { name: 'StorageUnavailable' });
  });

  it('is committed in one step for every reader: both halves of a payment have the same age', async (t) => {
    const { store, openAnother } = await freshStore(t, engine);
    const reader = engine.name === 'postgres' ? await openAnother() : store;
    let payment = await mustStore(store, aPayment());
    let ages = 0;
    const reads = (async () => {
      for (let age = 0; age < 101; ages += 1) {
        const read = await reader.find('paymentsBySession', payment.session, payment.session.id);
        assert.equal(read?.intent.version, read?.session.version);
        age = read?.intent.version ?? 0;
        // SQLite answers at once; the commits need their turn.
        await turnOfTheEventLoop();
      }
    })();
    for (let version = 1; version <= 100; version += 1) {
      await mustCommit(store, changesOf(payment));
      payment = {
        intent: { ...payment.intent, version: version + 1 },
        session: { ...payment.session, version: version + 1 },
      };
    }
    await reads;
    assert.ok(ages > 1);
  });
});
