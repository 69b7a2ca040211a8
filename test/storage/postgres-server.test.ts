// The PostgreSQL server: what happens when it is away, cuts connections, or makes a commit wait for a row.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import { openPostgresStore } from '../../src/storage/postgres/postgres-store.ts';
import { StorageUnavailable } from '../../src/storage/store.ts';
import { changesOf, committed, conflicts, mustStore } from '../support/committing.ts';
import { freshDatabase, freshStore, postgres } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aPayment } from '../support/records.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

function urlOf(address: DatabaseAddress): string {
  assert.ok(address.engine === 'postgres');
  return address.url;
}

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

/** Asked over a connection of its own: in a transaction, the server would answer the same again and again. */
function untilCommitsWait(address: DatabaseAddress, count: number): Promise<void> {
  return withClient(urlOf(address), (client) =>
    until(`${count} commits wait for a row`, async () => {
      const { rowCount } = await client.query(`
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'paydesk' AND wait_event_type = 'Lock'`);
      return rowCount === count;
    }),
  );
}

describe('A PostgreSQL server', () => {
  it('that cannot be reached is reported as unavailable storage', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `postgres://nobody:nothing@${host}:${await closedPort()}/none`;
      await assert.rejects(
        openStore({ engine: 'postgres', url }, { serving: true, onConnectionLost: () => {} }),
        (error) => error instanceof StorageUnavailable && /did not respond: .*ECONNREFUSED/.test(error.message),
      );
    }
  });

  it('that closes every connection is connected to again', async (t) => {
    const address = await freshDatabase(t, postgres);
    const lost: Error[] = [];
    const store = await openStore(address, { serving: true, onConnectionLost: (error) => lost.push(error) });
    t.after(() => store.close());
    const { intent } = await mustStore(store, aPayment());
    await withClient(urlOf(address), (client) =>
      client.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'paydesk'`),
    );
    await until('the store has noticed', () => lost.length > 0);
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), intent);
  });

  it('that closes a connection in the middle of a commit makes that commit fail as unavailable', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const read = await mustStore(store, aPayment());
    await withClient(urlOf(address), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM payment_intents FOR UPDATE');
      const outcome = assert.rejects(store.commit(changesOf(read)), StorageUnavailable);
      await untilCommitsWait(address, 1);
      await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'
                          AND datname = current_database()`);
      await outcome;
      await client.query('ROLLBACK');
    });
    assert.deepEqual(await store.commit(changesOf(read)), committed);
  });

  it('whose connections stop responding is queried again over new ones', async (t) => {
    const url = new URL(urlOf(await freshDatabase(t, postgres)));
    const proxy = await startTcpProxy(t, { host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const store = await openPostgresStore({
      url: url.href,
      maxConnections: 2,
      queryTimeoutMs: 300,
      onConnectionLost: () => {},
    });
    t.after(() => store.close());
    const { intent } = await mustStore(store, aPayment());
    assert.equal((await store.find('paymentIntents', intent, intent.id))?.id, intent.id);
    proxy.silence();
    await Promise.all([
      assert.rejects(store.find('paymentIntents', intent, intent.id), StorageUnavailable),
      assert.rejects(store.commit(changesOf(aPayment())), StorageUnavailable),
    ]);
    assert.equal((await store.find('paymentIntents', intent, intent.id))?.id, intent.id);
    assert.deepEqual(await store.commit(changesOf(aPayment())), committed);
  });

  it('keeps connections that are idle, because new ones are needed when it is busy', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const locked = [await mustStore(store, aPayment()), await mustStore(store, aPayment())];
    const connections = (): Promise<number[]> =>
      withClient(urlOf(address), async (client) => {
        const { rows } = await client.query<{ pid: number }>(`
          SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'paydesk' ORDER BY pid`);
        return rows.map(({ pid }) => pid);
      });
    await withClient(urlOf(address), async (client) => {
      await client.query('BEGIN; SELECT 1 FROM payment_intents FOR UPDATE');
      const outcomes: Promise<unknown>[] = [];
      for (const payment of locked) {
        outcomes.push(store.commit(changesOf(payment)));
        await untilCommitsWait(address, outcomes.length);
      }
      t.mock.timers.enable({ apis: ['setTimeout'] });
      await client.query('COMMIT');
      assert.deepEqual(await Promise.all(outcomes), [committed, committed]);
    });
    const open = await connections();
    t.mock.timers.tick(3_600_000);
    assert.ok(open.length >= 2);
    await mustStore(store, aPayment());
    assert.deepEqual(await connections(), open);
  });

  it('accepts a commit that waited for a claim of the same row', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const { intent, session } = await mustStore(store, aPayment());
    await withClient(urlOf(address), async (client) => {
      await client.query('BEGIN');
      await client.query('UPDATE checkout_sessions SET expiry_claimed_until = $1', [now]);
      const outcome = store.commit(changesOf({ intent, session: { ...session, amount: 99 } }));
      await untilCommitsWait(address, 1);
      await client.query('COMMIT');
      assert.deepEqual(await outcome, committed);
      const { rows } = await client.query('SELECT amount, version, expiry_claimed_until FROM checkout_sessions');
      assert.deepEqual(rows, [{ amount: '99', version: 2, expiry_claimed_until: String(now) }]);
    });
  });

  it('refuses a commit that waited for a change of the same row', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const { intent, session } = await mustStore(store, aPayment());
    await withClient(urlOf(address), async (client) => {
      await client.query('BEGIN');
      await client.query('UPDATE checkout_sessions SET version = 2');
      const outcome = store.commit(changesOf({ intent: { ...intent, amount: 99 }, session }));
      await untilCommitsWait(address, 1);
      await client.query('COMMIT');
      assert.deepEqual(await outcome, { committed: false, conflict: 'version' });
    });
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), intent);
  });

  it('lets other commits overtake those that wait for a row', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const locked = [await mustStore(store, aPayment()), await mustStore(store, aPayment())];
    const free = await mustStore(store, aPayment());
    await withClient(urlOf(address), async (client) => {
      await client.query('BEGIN');
      const ids = locked.map(({ intent }) => intent.id);
      await client.query('SELECT 1 FROM payment_intents WHERE id = ANY ($1) FOR UPDATE', [ids]);
      const outcomes: Promise<unknown>[] = [];
      for (const payment of locked) {
        outcomes.push(store.commit(changesOf(payment)));
        await untilCommitsWait(address, outcomes.length);
      }
      assert.deepEqual(await store.commit(changesOf(free)), committed, 'of the same kind');
      await mustStore(store, aPayment());
      await client.query('COMMIT');
      assert.deepEqual(await Promise.all(outcomes), [committed, committed]);
    });
  });

  it('commits what shared a statement with a commit that waited too long for a row', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const [locked, ...others] = await Promise.all(Array.from({ length: 12 }, () => mustStore(store, aPayment())));
    assert.ok(locked);
    await withClient(urlOf(address), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM payment_intents WHERE id = $1 FOR UPDATE', [locked.intent.id]);
      let isCommitted = false;
      const waiting = store.commit(changesOf(locked)).finally(() => {
        isCommitted = true;
      });
      const outcomes = Promise.all(others.map((payment) => store.commit(changesOf(payment))));
      await untilCommitsWait(address, 1);
      // As the time limit of statements does, which is ten seconds.
      await client.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()`);
      assert.deepEqual(
        await outcomes,
        others.map(() => committed),
      );
      await untilCommitsWait(address, 1);
      assert.equal(isCommitted, false);
      await client.query('COMMIT');
      assert.deepEqual(await waiting, committed);
    });
  });

  it('fails the commits of a group together if a whole table is locked', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const payments = await Promise.all(Array.from({ length: 60 }, () => mustStore(store, aPayment())));
    await withClient(urlOf(address), async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE payment_intents');
      let left = payments.length;
      const outcomes = Promise.allSettled(
        payments.map((payment) => store.commit(changesOf(payment)).finally(() => (left -= 1))),
      );
      const waits = new Set<string>();
      // Within the transaction, the list of connections would always be the same.
      await withClient(urlOf(address), (other) =>
        until('all are told', async () => {
          const { rows } = await other.query(`
            SELECT pg_cancel_backend(pid), pid || ' ' || query_start AS statement FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND datname = current_database()`);
          for (const { statement } of rows) waits.add(statement);
          return left === 0;
        }),
      );
      await client.query('ROLLBACK');
      assert.ok((await outcomes).every(({ status }) => status === 'rejected'));
      assert.ok(waits.size < payments.length / 2, `${waits.size} statements waited`);
    });
  });

  it('has a connection left for others, however many groups wait for a locked table', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const payments = await Promise.all(Array.from({ length: 60 }, () => mustStore(store, aPayment())));
    await withClient(urlOf(address), async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE payment_intents');
      const outcomes: Promise<unknown>[] = [];
      for (let groups = 1; groups <= 15; groups++) {
        const group = payments.splice(0, 4).map((payment) => store.commit(changesOf(payment)));
        outcomes.push(...group.map((outcome) => assert.rejects(outcome, StorageUnavailable)));
        await untilCommitsWait(address, groups);
      }
      let left = outcomes.length;
      for (const outcome of outcomes) outcome.finally(() => (left -= 1));
      await withClient(urlOf(address), async (other) => {
        // As the time limit of statements does.
        const cancel = () =>
          other.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND datname = current_database()`);
        await cancel();
        // They are committed one by one, half as many at a time.
        await untilCommitsWait(address, 7);
        await store.time();
        await until('all are told', async () => {
          await cancel();
          return left === 0;
        });
      });
      await client.query('ROLLBACK');
    });
    const [free] = await Promise.all([mustStore(store, aPayment()), mustStore(store, aPayment())]);
    assert.equal((await store.find('paymentIntents', free.intent, free.intent.id))?.id, free.intent.id);
  });

  it('excludes sessions from claims that are being changed', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const made = aPayment();
    await mustStore(store, { ...made, session: { ...made.session, expiresAt: now } });
    const claim = { now, leaseMs: 1000, limit: 10 };
    await withClient(urlOf(address), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM checkout_sessions FOR UPDATE');
      assert.deepEqual(await store.claim('checkoutSessions', 'expired', claim), []);
      await client.query('COMMIT');
    });
    assert.equal((await store.claim('checkoutSessions', 'expired', claim)).length, 1);
  });

  it('ends a deadlock of two commits with a conflict for one of them', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const one = await mustStore(store, aPayment());
    const other = await mustStore(store, aPayment());
    await withClient(urlOf(address), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM payment_intents WHERE id = $1 FOR UPDATE', [one.intent.id]);
      const first = store.commit(changesOf(one, other));
      await untilCommitsWait(address, 1);
      const second = store.commit(changesOf(other, one));
      await untilCommitsWait(address, 2);
      await client.query('COMMIT');
      const outcomes = await Promise.all([first, second]);
      assert.equal(outcomes.filter((outcome) => outcome.committed).length, 1);
      assert.deepEqual(conflicts(outcomes), ['version']);
    });
  });
});
