// Which connection to PostgreSQL a read goes to: look-ups share one, and lists do not delay them.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { changesOf, mustCommit } from '../support/committing.ts';
import { freshStore, postgres } from '../support/engines.ts';
import { aPayment } from '../support/records.ts';

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
});
