// Which connection to PostgreSQL a read goes to: look-ups share one, and lists do not delay them.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { changesOf, mustCommit } from '../support/committing.ts';
import { freshStore, postgres } from '../support/engines.ts';
import { aPayment } from '../support/records.ts';
import { until } from '../support/until.ts';

/** The connections on which all clients of this process look up records or list them from now on. */
function recordConnections(t: TestContext): Record<'find' | 'list', Set<pg.Client>> {
  const used = { find: new Set<pg.Client>(), list: new Set<pg.Client>() };
  const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const { name = '' } = args[0] as { readonly name?: string };
    if (name.startsWith('find ')) used.find.add(this);
    if (name.startsWith('list ')) used.list.add(this);
    return send.apply(this, args);
  });
  return used;
}

describe('Reads from PostgreSQL', () => {
  it('share one connection if they are look-ups, and lists use others', async (t) => {
    const { store } = await freshStore(t, postgres);
    const { session, intent } = aPayment();
    await mustCommit(store, changesOf({ session, intent }));
    const used = recordConnections(t);
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        store.find('checkoutSessions', session, session.id),
        store.find('paymentIntents', intent, intent.id),
        store.list('events', { scope: session, limit: 10 }),
        store.list('refunds', { scope: session, limit: 10 }),
        store.find('paymentIntents', intent, intent.id),
      ]);
    }
    assert.equal(used.find.size, 1);
    assert.equal(used.list.size, 2);
    assert.equal(used.find.isDisjointFrom(used.list), true);
  });

  it('are not delayed by lists that take long, if they are look-ups', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const { session, intent } = aPayment();
    await mustCommit(store, changesOf({ session, intent }));
    assert.ok(address.engine === 'postgres');
    const other = new pg.Client({ connectionString: address.url });
    await other.connect();
    for (let round = 0; round < 3; round++) {
      await other.query('BEGIN; LOCK TABLE refunds IN ACCESS EXCLUSIVE MODE');
      const lists = ['rf_1', 'rf_2', 'rf_3'].map((after) =>
        store.list('refunds', { scope: session, limit: 10, after }),
      );
      await until('two lists wait, and the third for them', async () => {
        const { rows } = await other.query(
          "SELECT 1 FROM pg_locks WHERE relation = 'refunds'::regclass AND NOT granted",
        );
        return rows.length === 2;
      });
      assert.equal((await store.find('paymentIntents', intent, intent.id))?.id, intent.id);
      await other.query('COMMIT');
      assert.deepEqual(await Promise.all(lists), [[], [], []]);
    }
    await other.end();
  });
});
