// A change set is stored completely or not at all.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ChangeSet } from '../../src/domain/change-set.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import { newOperation } from '../../src/domain/operation.ts';
import type { Store } from '../../src/storage/store.ts';
import { changesOf, committed, mustCommit, mustStore } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import {
  aMerchant,
  aMoment,
  anAcquirerNotice,
  anApiKey,
  anEvent,
  anIdempotencyRecord,
  aPayment,
  aScope,
} from '../support/records.ts';

describeOnEachStore('A change set', (engine) => {
  /** A valid row for each of several tables, and a check that none of them is stored. */
  function validRows(scope: Scope): { changes: ChangeSet; assertAbsent(store: Store): Promise<void> } {
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

  /** Adds rows to the valid ones. */
  function withRows(valid: ChangeSet, more: ChangeSet): ChangeSet {
    const parts = new Set([...Object.keys(valid), ...Object.keys(more)] as (keyof ChangeSet)[]);
    return Object.fromEntries([...parts].map((part) => [part, [...(valid[part] ?? []), ...(more[part] ?? [])]]));
  }

  it('is stored completely if nothing conflicts', async (t) => {
    const { store } = await freshStore(t, engine);
    const valid = validRows(aScope());
    await valid.assertAbsent(store);
    assert.deepEqual(await store.commit(valid.changes), committed);
    await assert.rejects(valid.assertAbsent(store));
  });

  it('stores nothing if one of its rows has changed since it was read', async (t) => {
    const { store } = await freshStore(t, engine);
    const stored = await mustStore(store, aPayment());
    await mustCommit(store, { checkoutSessions: [{ ...stored.session, amount: 7 }] });
    const valid = validRows(aScope());
    const outcome = await store.commit(
      withRows(valid.changes, {
        paymentIntents: [{ ...stored.intent, amount: 9 }],
        checkoutSessions: [{ ...stored.session, amount: 9 }],
      }),
    );
    assert.deepEqual(outcome, { committed: false, conflict: 'version' });
    await valid.assertAbsent(store);
    const now = await store.find('paymentsBySession', stored.session, stored.session.id);
    assert.deepEqual(now?.intent, stored.intent);
    assert.deepEqual(now?.session, { ...stored.session, version: 2, amount: 7 });
  });

  it('stores nothing if an id, an idempotency key, an event or a fact exists already', async (t) => {
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
    for (const [what, existing, conflict] of cases) {
      const valid = validRows(aScope());
      assert.deepEqual(await store.commit(withRows(valid.changes, existing)), { committed: false, conflict }, what);
      await valid.assertAbsent(store);
    }
    assert.equal((await store.findBy('facts', 'name', 'secret_key_id'))?.value, 'the first');
  });

  it('stores nothing if any of several keys that are often taken exists already', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const about = { kind: 'payment', paymentIntentId: 'pi_1', checkoutSessionId: 'cs_1', amount: 1250 } as const;
    const operation = () => newOperation(aMoment().newId('op'), scope, about, aMoment());
    const [stored, notice] = [operation(), anAcquirerNotice(scope)];
    await mustCommit(store, { operations: [stored], acquirerNotices: [notice] });
    for (const changes of [
      { operations: [stored], acquirerNotices: [anAcquirerNotice(scope)] },
      { operations: [operation()], acquirerNotices: [notice] },
    ]) {
      assert.deepEqual(await store.commit(changes), { committed: false, conflict: 'version' });
    }
    assert.equal((await store.walk('operations', null, 10)).length, 1);
    assert.equal((await store.walk('acquirerNotices', null, 10)).length, 1);
  });

  it('stores nothing if one of its rows violates a constraint', async (t) => {
    const { store } = await freshStore(t, engine);
    const stored = await mustStore(store, aPayment());
    const invalid: ChangeSet[] = [
      { paymentIntents: [{ ...stored.intent, amountCaptured: stored.intent.amount + 1 }] },
      { paymentIntents: [{ ...stored.intent, amountRefunded: 1 }] },
      { checkoutSessions: [{ ...stored.session, amount: 0 }] },
      { checkoutSessions: [{ ...aPayment().session, amount: 1_000_000_000_000 }] },
    ];
    for (const changes of invalid) {
      const valid = validRows(aScope());
      await assert.rejects(store.commit(withRows(valid.changes, changes)), /constraint/i);
      await valid.assertAbsent(store);
    }
    assert.deepEqual(await store.find('paymentsByIntent', stored.intent, stored.intent.id), stored);
  });

  const invalid = [
    { what: 'violates a constraint', amountRefunded: 5 },
    { what: 'has a value that is not one of its type', amountRefunded: 0.5 },
  ];
  for (const { what, amountRefunded } of invalid)
    it(`fails alone if it ${what} while many others are committed`, async (t) => {
      const { store } = await freshStore(t, engine);
      const scope = aScope();
      const payments = Array.from({ length: 40 }, () => aPayment({ scope }));
      const outcomes = await Promise.allSettled(
        payments.map(({ intent, session }, index) =>
          store.commit({
            paymentIntents: [index === 17 ? { ...intent, amountRefunded } : intent],
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

  it('is rejected by a closed store', async (t) => {
    const { store } = await freshStore(t, engine);
    await store.close();
    await assert.rejects(store.commit(changesOf(aPayment())), { name: 'StorageUnavailable' });
  });

  it('becomes visible at once: readers see the same version of intent and session', async (t) => {
    const { store, openAnother } = await freshStore(t, engine);
    const reader = engine.name === 'postgres' ? await openAnother() : store;
    let payment = await mustStore(store, aPayment());
    let reads = 0;
    const reading = (async () => {
      for (let version = 0; version < 101; reads += 1) {
        const read = await reader.find('paymentsBySession', payment.session, payment.session.id);
        assert.equal(read?.intent.version, read?.session.version);
        version = read?.intent.version ?? 0;
        // SQLite reads synchronously: give the commits a chance to run.
        await yieldToEventLoop();
      }
    })();
    for (let version = 1; version <= 100; version += 1) {
      await mustCommit(store, changesOf(payment));
      payment = {
        intent: { ...payment.intent, version: version + 1 },
        session: { ...payment.session, version: version + 1 },
      };
    }
    await reading;
    assert.ok(reads > 1);
  });
});
