// Equal lists that are requested at the same time are read once from PostgreSQL, and never from before the request.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import type { Store } from '../../src/storage/store.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { freshStore, postgres } from '../support/engines.ts';
import { aPayment, aScope } from '../support/records.ts';

/** Counts the lists that all clients of this process send from now on. */
function countLists(t: TestContext): () => number {
  const query = t.mock.method(pg.Client.prototype, 'query');
  const isList = (config: unknown): boolean =>
    typeof config === 'object' && config !== null && 'name' in config && String(config.name).startsWith('list ');
  return () => query.mock.calls.filter(({ arguments: [config] }) => isList(config)).length;
}

const idsIn = async (store: Store, scope: ReturnType<typeof aScope>): Promise<string[]> =>
  (await store.list('checkoutSessions', { scope, limit: 100 })).map(({ id }) => id);

describe('Equal lists on PostgreSQL', () => {
  it('are read once for all that are requested in the same turn', async (t) => {
    const { store } = await freshStore(t, postgres);
    const scope = aScope();
    const payment = aPayment({ scope });
    await mustCommit(store, changesOf(payment));
    const count = countLists(t);
    const lists = await Promise.all(Array.from({ length: 20 }, () => idsIn(store, scope)));
    assert.deepEqual(lists, Array(20).fill([payment.session.id]));
    assert.equal(count(), 1);
  });

  it('are read again for a request that comes after a commit, even while an earlier one is in progress', async (t) => {
    const { store } = await freshStore(t, postgres);
    const scope = aScope();
    for (let round = 0; round < 20; round++) {
      const earlier = [idsIn(store, scope), idsIn(store, scope)];
      await mustCommit(store, changesOf(aPayment({ scope })));
      assert.equal((await idsIn(store, scope)).length, round + 1);
      await Promise.all(earlier);
    }
  });

  it('of other merchants are other lists', async (t) => {
    const { store } = await freshStore(t, postgres);
    const payments = [aPayment({ scope: aScope() }), aPayment({ scope: aScope() })];
    await mustCommit(store, changesOf(...payments));
    const lists = await Promise.all(payments.map(({ session }) => idsIn(store, session)));
    assert.deepEqual(
      lists,
      payments.map(({ session }) => [session.id]),
    );
  });

  it('fail together, and are read again afterwards', async (t) => {
    const { store } = await freshStore(t, postgres);
    const scope = aScope();
    const failing = t.mock.method(pg.Client.prototype, 'query', () => Promise.reject(new Error('broken')));
    const lists = await Promise.allSettled([idsIn(store, scope), idsIn(store, scope)]);
    assert.deepEqual(
      lists.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    failing.mock.restore();
    assert.deepEqual(await idsIn(store, scope), []);
  });
});
