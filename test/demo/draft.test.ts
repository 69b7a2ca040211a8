// A draft behaves like the store that it is made from, and becomes one commit.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { draftOf } from '../../src/demo/draft.ts';
import type { ChangeSet } from '../../src/domain/change-set.ts';
import { sources } from '../../src/storage/tables.ts';
import { changesOf, mustCommit, mustStore } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { anEvent, aPayment } from '../support/records.ts';

describeOnEachEngine('A draft of commits', (engine) => {
  it('is read like the store, and stores the last state of each record with all events at once', async (t) => {
    const { store } = await freshStore(t, engine);
    const { records, changes } = draftOf(sources, store);
    const payment = aPayment();
    const { session, intent } = payment;
    assert.deepEqual(await records.commit(changesOf(payment)), { committed: true });
    const read = await records.find('paymentsBySession', session, session.id);
    assert.deepEqual(read, { session: { ...session, version: 1 }, intent: { ...intent, version: 1 } });
    assert.deepEqual(await records.find('paymentsByIntent', session, intent.id), read);
    assert.deepEqual(await records.findBy('checkoutSessions', 'id', session.id), read?.session);

    const paid = { ...intent, version: 1, status: 'succeeded' } as const;
    const [first, second] = [anEvent(intent), anEvent(paid)];
    await records.commit({ paymentIntents: [paid], events: [first] });
    await records.commit({ paymentIntents: [{ ...paid, version: 2, amountCaptured: 50 }], events: [second] });
    assert.equal(await store.find('paymentIntents', intent, intent.id), null);

    await mustCommit(store, changes() as ChangeSet);
    const stored = await store.find('paymentsBySession', session, session.id);
    assert.deepEqual(stored?.intent, { ...paid, version: 1, amountCaptured: 50 });
    const events = await store.list('positionedEvents', { scope: intent, limit: 10 });
    assert.deepEqual(
      events.map(({ id }) => id),
      [first.id, second.id],
    );
  });

  it('conflicts with itself and with others as the store does', async (t) => {
    const { store } = await freshStore(t, engine);
    const { intent } = await mustStore(store, aPayment());
    const { records, changes } = draftOf(sources, store);
    assert.deepEqual(await records.find('paymentIntents', intent, intent.id), intent);
    await records.commit({ paymentIntents: [{ ...intent, amountCaptured: 10 }] });
    const outdated = await records.commit({ paymentIntents: [{ ...intent, amountCaptured: 20 }] });
    assert.deepEqual(outdated, { committed: false, conflict: 'version' });
    const event = anEvent(intent);
    await records.commit({ events: [event] });
    assert.deepEqual(await records.commit({ events: [event] }), { committed: false, conflict: 'version' });

    await mustCommit(store, { paymentIntents: [{ ...intent, amountCaptured: 30 }] });
    assert.deepEqual(await store.commit(changes() as ChangeSet), { committed: false, conflict: 'version' });
    assert.equal((await store.find('paymentIntents', intent, intent.id))?.amountCaptured, 30);
    assert.equal(await store.find('events', intent, event.id), null);
  });
});
