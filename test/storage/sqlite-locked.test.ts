// A SQLite file that another program keeps locked: reads go on, writes wait without holding up the process, and not
// for ever.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import { openSqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import { StorageUnavailable } from '../../src/storage/store.ts';
import { must } from '../support/api-client.ts';
import { changesOf, committed, mustCommit, mustStore } from '../support/committing.ts';
import { type CleansUp, freshDatabase, freshStore, sqlite } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { anApiKey, anIdempotencyRecord, aPayment } from '../support/records.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';

const claim = { now, leaseMs: 1_000, limit: 10 };

/** Locks the file for writing as `sqlite3 file 'BEGIN IMMEDIATE'` does. */
function lockOutside(t: CleansUp, address: DatabaseAddress) {
  assert.ok(address.engine === 'sqlite');
  const database = new DatabaseSync(address.path);
  database.exec('BEGIN IMMEDIATE');
  t.after(async () => database.close());
  return { release: () => database.exec('ROLLBACK') };
}

/** Many turns of the event loop: what has not settled after them is waiting. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await nextTurn();
}

describe('A SQLite file that another program keeps locked', () => {
  it('can be read, and is written to as soon as it is free', async (t) => {
    const { store, address } = await freshStore(t, sqlite);
    const { intent } = await mustStore(store, aPayment());
    const lock = lockOutside(t, address);
    let settled = false;
    const late = aPayment();
    const outcome = store.commit(changesOf(late)).finally(() => {
      settled = true;
    });
    await manyTurns();
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), intent);
    assert.equal(await store.find('paymentIntents', late.intent, late.intent.id), null);
    assert.equal(settled, false);
    lock.release();
    assert.deepEqual(await outcome, committed);
    assert.equal((await store.find('paymentIntents', late.intent, late.intent.id))?.version, 1);
  });

  it('lets every kind of write wait without blocking the process', async (t) => {
    const { store, address } = await freshStore(t, sqlite);
    const [key, record] = [anApiKey(), anIdempotencyRecord()];
    await mustCommit(store, { apiKeys: [key], idempotencyRecords: [record] });
    await mustCommit(store, { facts: [{ name: 'secret_key_id', value: 'one' }] });
    const lock = lockOutside(t, address);
    const settled: string[] = [];
    const writes: Record<string, () => Promise<unknown>> = {
      commit: () => store.commit(changesOf(aPayment())),
      claimExpiredSessions: () => store.claim('checkoutSessions', 'expired', claim),
      claimDueOperations: () => store.claim('operations', 'due', claim),
      claimLapsedAuthorisations: () => store.claim('paymentIntents', 'lapsed', claim),
      claimOfOthers: () => sandboxBooks(store).claim('payments', 'settling', claim),
      markKeysUsed: () => store.markKeysUsed([{ id: key.id, usedAt: 7 }]),
      pruneIdempotencyRecords: () => store.prune('idempotencyRecords', 0, 10),
      pruneDeliveries: () => store.deliveryQueue.prune(0, 10),
      recordAttempts: () => store.deliveryQueue.record([]),
      resealIdempotencyRecords: () =>
        store.commit({ idempotencyRecords: [{ ...record, sealedBody: Buffer.from('new') }] }),
      moveFact: () => store.moveFact('secret_key_id', 'one', 'two'),
    };
    const startedAt = performance.now();
    const outcomes = Object.entries(writes).map(async ([name, write]) => {
      await write();
      settled.push(name);
    });
    const calledMs = performance.now() - startedAt;
    await manyTurns();
    assert.deepEqual(settled, []);
    assert.ok(calledMs < 1_000, `calling them took ${calledMs} ms`);
    lock.release();
    await Promise.all(outcomes);
    assert.deepEqual(settled.toSorted(), Object.keys(writes).toSorted());
    assert.equal((await store.findBy('apiKeys', 'id', key.id))?.lastUsedAt, 7);
    assert.equal((await store.findBy('facts', 'name', 'secret_key_id'))?.value, 'two');
  });

  it('for too long is unavailable storage, and works again afterwards', async (t) => {
    const address = await freshDatabase(t, sqlite);
    assert.ok(address.engine === 'sqlite');
    const store = openSqliteStore({ path: address.path, serving: true, maxLockedMs: 50 });
    t.after(() => store.close());
    const lock = lockOutside(t, address);
    await assert.rejects(store.commit(changesOf(aPayment())), (error) => {
      assert.ok(error instanceof StorageUnavailable);
      assert.match(error.message, /another process has locked the SQLite file/);
      return true;
    });
    await assert.rejects(store.claim('operations', 'due', claim), StorageUnavailable);
    const many = await Promise.allSettled(Array.from({ length: 600 }, () => store.claim('operations', 'due', claim)));
    assert.ok(
      many.every(({ status }) => status === 'rejected'),
      'also those far back in the queue',
    );
    lock.release();
    await mustStore(store, aPayment());
  });

  it('is closed only after the waiting writes', async (t) => {
    const address = await freshDatabase(t, sqlite);
    assert.ok(address.engine === 'sqlite');
    const store = openSqliteStore({ path: address.path, serving: true });
    const lock = lockOutside(t, address);
    const outcome = store.commit(changesOf(aPayment()));
    const closed = store.close();
    await manyTurns();
    lock.release();
    assert.deepEqual(await outcome, committed);
    await closed;
  });

  it('does not delay the response to a request', async (t) => {
    const paydesk = await startPaydesk(t, sqlite);
    const { test, newSession } = await paydesk.newMerchant();
    const session = await newSession();
    const lock = lockOutside(t, paydesk.address);
    const headers = { 'Idempotency-Key': randomUUID() };
    let answered = false;
    const created = test.post('/checkout-sessions', { amount: 5, currency: 'EUR' }, { headers }).finally(() => {
      answered = true;
    });
    must(200, await test.get(`/checkout-sessions/${session.id}`));
    must(200, await test.get('/payment-intents'));
    assert.equal(answered, false);
    lock.release();
    must(201, await created);
  });
});
