// Idempotency keys and facts: whoever commits first wins, the others are told so.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { changesOf, conflicts, mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { anIdempotencyRecord, aPayment, aScope } from '../support/records.ts';

describeOnEachStore('An idempotency key', (engine) => {
  it('is committed once, however many requests use it at the same time', async (t) => {
    const opened = await freshStore(t, engine);
    const other = engine.name === 'postgres' ? await opened.openAnother() : opened.store;
    const scope = aScope();
    const key = randomUUID();
    const payments = Array.from({ length: 50 }, () => aPayment({ scope }));
    const outcomes = await Promise.all(
      payments.map((payment, index) =>
        (index % 2 === 0 ? opened.store : other).commit({
          ...changesOf(payment),
          idempotencyRecords: [anIdempotencyRecord({ ...scope, key, sealedBody: Buffer.from(payment.session.id) })],
        }),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome.committed).length, 1);
    assert.deepEqual(conflicts(outcomes), Array(49).fill('idempotency_key'));
    const winner = payments[outcomes.findIndex((outcome) => outcome.committed)];
    const sessions = await opened.store.list('checkoutSessions', { scope: scope, limit: 100 });
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [winner?.session.id],
    );
    const record = await opened.store.find('idempotencyRecords', scope, key);
    assert.equal(Buffer.from(record?.sealedBody ?? []).toString(), winner?.session.id);
  });

  it('is free for another merchant, and in the other mode', async (t) => {
    const { store } = await freshStore(t, engine);
    const key = randomUUID();
    const scope = aScope({ livemode: false });
    const scopes = [scope, { ...scope, livemode: true }, aScope({ livemode: false }), aScope({ livemode: true })];
    for (const [index, own] of scopes.entries()) {
      await mustCommit(store, { idempotencyRecords: [anIdempotencyRecord({ ...own, key, status: 200 + index })] });
    }
    for (const [index, own] of scopes.entries()) {
      assert.equal((await store.find('idempotencyRecords', own, key))?.status, 200 + index);
    }
  });

  it('can be pruned: up to a limit, oldest first, and only from before a time', async (t) => {
    const { store } = await freshStore(t, engine);
    const ages = [3, 1, 5, 2, 4];
    const records = ages.map((age) => anIdempotencyRecord({ createdAt: startOfTests + age }));
    await mustCommit(store, { idempotencyRecords: records });
    const left = async (): Promise<number[]> => {
      const found = await Promise.all(records.map((record) => store.find('idempotencyRecords', record, record.key)));
      return ages.filter((_, index) => found[index] !== null).sort();
    };
    assert.equal(await store.prune('idempotencyRecords', startOfTests + 1, 100), 0);
    assert.equal(await store.prune('idempotencyRecords', startOfTests + 4, 2), 2);
    assert.deepEqual(await left(), [3, 4, 5]);
    assert.equal(await store.prune('idempotencyRecords', startOfTests + 4, 2), 1);
    assert.equal(await store.prune('idempotencyRecords', startOfTests + 4, 2), 0);
    assert.deepEqual(await left(), [4, 5]);
  });

  it('is free again once it is pruned', async (t) => {
    const { store } = await freshStore(t, engine);
    const record = anIdempotencyRecord();
    await mustCommit(store, { idempotencyRecords: [record] });
    assert.equal(await store.prune('idempotencyRecords', record.createdAt + 1, 1), 1);
    await mustCommit(store, { idempotencyRecords: [record] });
  });
});

describeOnEachStore('A fact', (engine) => {
  it('keeps the value that was committed first, however many are committed at the same time', async (t) => {
    const opened = await freshStore(t, engine);
    const other = engine.name === 'postgres' ? await opened.openAnother() : opened.store;
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? opened.store : other).commit({
          facts: [{ name: 'demo_merchant', value: `said by ${index}` }],
        }),
      ),
    );
    assert.deepEqual(conflicts(outcomes), Array(19).fill('fact'));
    const winner = outcomes.findIndex((outcome) => outcome.committed);
    assert.equal((await opened.store.findBy('facts', 'name', 'demo_merchant'))?.value, `said by ${winner}`);
  });
});
