// Merchants never see each other's data, and test mode never sees live mode's.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import type { Scope } from '../../src/domain/merchant.ts';
import type { Store } from '../../src/storage/store.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { anApiKey, anEvent, anIdempotencyRecord, aPayment, aScope } from '../support/records.ts';

async function fill(store: Store, scope: Scope) {
  const payment = aPayment({ scope });
  const event = anEvent(payment.intent);
  const key = anApiKey(scope);
  const record = anIdempotencyRecord({ ...scope, key: randomUUID() });
  await mustCommit(store, {
    ...changesOf(payment),
    events: [event],
    apiKeys: [key],
    idempotencyRecords: [record],
  });
  return { scope, payment, event, key, record };
}

describeOnEachStore('Another merchant, and the other mode of the same merchant', (engine) => {
  it('find nothing by id, and nothing in lists', async (t) => {
    const { store } = await freshStore(t, engine);
    const testScope = aScope({ livemode: false });
    const scopes = [testScope, { ...testScope, livemode: true }, aScope({ livemode: false })];
    const owners = [];
    for (const scope of scopes) owners.push(await fill(store, scope));
    const page = { limit: 100 };
    for (const { scope, payment, event, record } of owners) {
      const { intent, session } = payment;
      for (const reader of scopes) {
        const own = reader === scope;
        assert.equal((await store.find('paymentIntents', reader, intent.id)) !== null, own);
        assert.equal((await store.find('checkoutSessions', reader, session.id)) !== null, own);
        assert.equal((await store.find('paymentsByIntent', reader, intent.id)) !== null, own);
        assert.equal((await store.find('paymentsBySession', reader, session.id)) !== null, own);
        assert.equal((await store.find('idempotencyRecords', reader, record.key)) !== null, own);
      }
      const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
      assert.deepEqual(ids(await store.list('paymentIntents', { scope: scope, ...page })), [intent.id]);
      assert.deepEqual(
        ids(await store.list('paymentIntents', { scope: scope, ...page, where: { status: intent.status } })),
        [intent.id],
      );
      assert.deepEqual(ids(await store.list('checkoutSessions', { scope: scope, ...page })), [session.id]);
      assert.deepEqual(
        ids(await store.list('checkoutSessions', { scope: scope, ...page, where: { status: 'open' } })),
        [session.id],
      );
      assert.deepEqual(ids(await store.list('events', { scope: scope, ...page })), [event.id]);
    }
    const keysOf = async (merchantId: string) =>
      (await store.list('apiKeys', { where: { merchantId: merchantId }, limit: 100 })).map(({ id }) => id);
    const [test, live, other] = owners.map(({ key }) => key);
    assert.ok(test && live && other);
    assert.deepEqual(await keysOf(test.merchantId), [test.id, live.id].sort());
    assert.deepEqual(await keysOf(other.merchantId), [other.id]);
  });

  it('find nothing, even if they look at the same moment as the owner', async (t) => {
    const { store } = await freshStore(t, engine);
    const owner = await fill(store, aScope({ livemode: false }));
    const readers = [owner.scope, { ...owner.scope, livemode: true }, aScope({ livemode: false })];
    const { intent, session } = owner.payment;
    // More than one query carries at once, so that they are split as well as joined.
    const asked = Array.from({ length: 300 }, (_, index) => readers[index % 3] ?? owner.scope);
    const intents = await Promise.all(asked.map((scope) => store.find('paymentIntents', scope, intent.id)));
    const sessions = await Promise.all(asked.map((scope) => store.find('checkoutSessions', scope, session.id)));
    for (const [index, scope] of asked.entries()) {
      assert.equal(intents[index]?.id, scope === owner.scope ? intent.id : undefined);
      assert.equal(sessions[index]?.id, scope === owner.scope ? session.id : undefined);
    }
  });

  it('cannot change anything either', async (t) => {
    const { store } = await freshStore(t, engine);
    const { scope, payment } = await fill(store, aScope({ livemode: false }));
    for (const foreign of [{ ...scope, livemode: true }, aScope()]) {
      const outcome = await store.commit({
        checkoutSessions: [{ ...payment.session, ...foreign, version: 1, amount: 1 }],
      });
      assert.deepEqual(outcome, { committed: false, conflict: 'version' });
    }
    assert.equal((await store.find('checkoutSessions', scope, payment.session.id))?.amount, payment.session.amount);
  });
});
