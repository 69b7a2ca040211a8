// The order of commit of a merchant's events: what a reader relies on who must miss nothing and get nothing twice.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type pg from 'pg';
import type { ChangeSet } from '../../src/domain/change-set.ts';
import type { Event, PositionedEvent } from '../../src/domain/event.ts';
import { idBefore } from '../../src/domain/ids.ts';
import type { Payment } from '../../src/domain/life-cycle.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import { migrationsFor } from '../../src/storage/migrations.ts';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import { registerPlaceFunctions } from '../../src/storage/sqlite/places.ts';
import type { Store } from '../../src/storage/store.ts';
import { notOnCitus } from '../support/citus.ts';
import { mustCommit, mustStore } from '../support/committing.ts';
import { deterministicNumbers } from '../support/deterministic-random.ts';
import { describeOnEachEngine, describeOnEachStore, freshDatabase, freshStore, postgres } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aMoment, anEvent, anIdempotencyRecord, aPayment, aScope } from '../support/records.ts';
import { until } from '../support/until.ts';

function eventAt(scope: Scope, ms: number): Event {
  return anEvent(aPayment({ scope }).intent, aMoment(ms));
}

const idsOf = (events: readonly Event[]): string[] => events.map(({ id }) => id);

async function all(store: Store, scope: Scope): Promise<readonly PositionedEvent[]> {
  return store.list('positionedEvents', { scope: scope, after: 0, limit: 10_000 });
}

/** The payment as it was stored, with an event. */
function paid({ intent, session }: Payment, ms: number = now): ChangeSet & { events: readonly Event[] } {
  return {
    paymentIntents: [{ ...intent, version: 1, status: 'succeeded' }],
    checkoutSessions: [{ ...session, version: 1, status: 'completed' }],
    events: [anEvent(intent, aMoment(ms))],
  };
}

describeOnEachStore('The order of events', (engine) => {
  it('is the order of their commits, from 1 up for each merchant and mode, whatever their ids say', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const others = [aScope(), { ...scope, livemode: true }];
    const times = [now, now - 3_600_000, now + 3_600_000, now - 1, now];
    const committed: Event[] = [];
    for (const ms of times) {
      const own = [eventAt(scope, ms), eventAt(scope, ms - 5)];
      await mustCommit(store, { events: [...own, ...others.map((other) => eventAt(other, ms))] });
      committed.push(...own);
    }
    const found = await all(store, scope);
    assert.deepEqual(
      found,
      committed.map((event, at) => ({ ...event, position: at + 1 })),
    );
    for (const other of others) {
      assert.deepEqual(
        (await all(store, other)).map(({ position }) => position),
        [1, 2, 3, 4, 5],
      );
    }
    assert.deepEqual(
      idsOf(await store.list('positionedEvents', { scope: scope, after: 3, limit: 4 })),
      idsOf(committed.slice(3, 7)),
    );
    assert.deepEqual(await store.list('positionedEvents', { scope: scope, after: 10, limit: 4 }), []);
    assert.deepEqual(await all(store, aScope()), []);
  });

  it('has no gap after a conflict', async (t) => {
    const { store } = await freshStore(t, engine);
    const payment = await mustStore(store, aPayment());
    const scope = { merchantId: payment.intent.merchantId, livemode: payment.intent.livemode };
    await mustCommit(store, paid(payment));
    assert.equal((await store.commit(paid(payment))).committed, false, 'another was first');
    const record = anIdempotencyRecord(scope);
    await mustCommit(store, { idempotencyRecords: [record] });
    const withKey = { idempotencyRecords: [record], events: [eventAt(scope, now)] };
    assert.deepEqual(await store.commit(withKey), { committed: false, conflict: 'idempotency_key' });
    await mustCommit(store, { events: [eventAt(scope, now)] });
    assert.deepEqual(
      (await all(store, scope)).map(({ position }) => position),
      [1, 2],
    );
  });

  it('never shows an event below one that was read before, however many commit at once', async (t) => {
    const opened = await freshStore(t, engine);
    const stores = [opened.store];
    if (engine.name === 'postgres') for (let more = 0; more < 2; more += 1) stores.push(await opened.openAnother());
    const next = deterministicNumbers(11);
    const scope = aScope();
    const payments = await Promise.all(Array.from({ length: 150 }, () => mustStore(opened.store, aPayment({ scope }))));
    let committing = true;
    const commits = Promise.all(
      payments.map((payment, at) =>
        mustCommit(stores[at % stores.length] ?? opened.store, paid(payment, now + Math.round(next() * 10_000))),
      ),
    ).finally(() => {
      committing = false;
    });
    const seen: PositionedEvent[] = [];
    const read = async (): Promise<void> => {
      seen.push(
        ...(await opened.store.list('positionedEvents', { scope: scope, after: seen.at(-1)?.position ?? 0, limit: 7 })),
      );
    };
    while (committing) {
      await read();
      await new Promise(setImmediate);
    }
    await commits;
    while (seen.length < payments.length) await read();
    assert.deepEqual(
      seen.map(({ position }) => position),
      payments.map((_, at) => at + 1),
    );
    assert.equal(new Set(idsOf(seen)).size, payments.length);
  });

  it('determines where a reader starts: after an event, or from now on', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    assert.deepEqual(await store.eventCursor(scope, null), { position: 0, eventId: null });
    const events = [now, now - 60_000, now + 60_000].map((ms) => eventAt(scope, ms));
    for (const event of events) await mustCommit(store, { events: [event] });
    for (const [at, { id }] of events.entries()) {
      assert.deepEqual(await store.eventCursor(scope, id), { position: at + 1, eventId: id });
    }
    assert.deepEqual(await store.eventCursor(scope, null), { position: 3, eventId: events[2]?.id });
    assert.deepEqual(await store.eventCursor(aScope(), null), { position: 0, eventId: null });
  });

  it('determines where a reader starts with an id that does not exist: no event with a higher id is skipped', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const other = aScope();
    // Committed in this order; the third took long, the sixth comes from a clock that is ahead.
    const times = [0, 10, 5, 20, 30, 3_600_000, 40];
    const events = times.map((ms) => eventAt(scope, now + ms));
    for (const event of events) await mustCommit(store, { events: [event] });
    const foreign = eventAt(other, now + 15);
    await mustCommit(store, { events: [foreign] });
    const begin = async (id: string): Promise<number> => (await store.eventCursor(scope, id)).position;
    assert.equal(await begin(idBefore('evt', 0)), 0, 'before all');
    assert.equal(await begin(idBefore('evt', now)), 0);
    assert.equal(await begin(idBefore('evt', now + 2)), 1);
    assert.equal(
      await begin(idBefore('evt', now + 7)),
      1,
      'the third comes again rather than that the second is missed',
    );
    assert.equal(await begin(idBefore('evt', now + 12)), 3);
    assert.equal(await begin(foreign.id), 3, "another merchant's is like any that does not exist");
    assert.equal(await begin(idBefore('evt', now + 35)), 5, 'before the one from the future');
    assert.equal(await begin(idBefore('evt', now + 86_400_000)), 7, 'from now on');
    assert.equal((await store.eventCursor(scope, foreign.id)).eventId, events[2]?.id);
    assert.deepEqual(await store.eventCursor(aScope(), foreign.id), { position: 0, eventId: null });
  });
});

describeOnEachEngine('The order of events that were stored without positions', (engine) => {
  it('is that of their ids, and later commits come after them', notOnCitus('older tables'), async (t) => {
    const address = await freshDatabase(t, engine);
    const scopes = [aScope(), aScope({ livemode: true })];
    const stored = [3, 1, 2].flatMap((ms) => scopes.map((scope) => eventAt(scope, now + ms)));
    await storeWithoutPositions(address, stored);
    const store = await openStore(address, { serving: true, onConnectionLost: () => {} });
    t.after(() => store.close());
    for (const scope of scopes) {
      // The version before did not record which payment an event is about.
      const before = stored
        .filter(({ merchantId }) => merchantId === scope.merchantId)
        .map((event) => ({ ...event, paymentIntentId: null }));
      const next = eventAt(scope, now);
      await mustCommit(store, { events: [next] });
      const expected = [...before.toSorted((a, b) => (a.id < b.id ? -1 : 1)), next];
      assert.deepEqual(
        await all(store, scope),
        expected.map((event, at) => ({ ...event, position: at + 1 })),
      );
    }
  });
});

/** A database as the version before left it. */
async function storeWithoutPositions(address: DatabaseAddress, stored: readonly Event[]): Promise<void> {
  const migrations = migrationsFor(address.engine);
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === 'event_positions'),
  );
  const insert = 'INSERT INTO events (merchant_id, livemode, id, type, data, created_at) VALUES';
  if (address.engine === 'sqlite') {
    const database = new DatabaseSync(address.path);
    registerPlaceFunctions(database);
    for (const { sql } of before) database.exec(sql);
    database.exec(`PRAGMA user_version = ${before.length}`);
    const statement = database.prepare(`${insert} (?, ?, ?, ?, ?, ?)`);
    for (const { merchantId, livemode, id, type, data, createdAt } of stored)
      statement.run(merchantId, livemode ? 1 : 0, id, type, JSON.stringify(data), createdAt);
    database.close();
    return;
  }
  await withClient(address.url, async (client) => {
    await client.query('CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)');
    for (const { number, name, sql } of before) {
      await client.query(sql);
      await client.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [number, name]);
    }
    for (const { merchantId, livemode, id, type, data, createdAt } of stored)
      await client.query(`${insert} ($1, $2, $3, $4, $5, $6)`, [merchantId, livemode, id, type, data, createdAt]);
  });
}

describe('The order of events (postgres)', () => {
  const urlOf = (address: DatabaseAddress): string => (address.engine === 'postgres' ? address.url : '');

  /** Waits until so many statements of the stores wait for a lock. */
  const untilWaiting = (client: pg.Client, count: number): Promise<void> =>
    until(`${count} commits wait for a lock`, async () => {
      const { rowCount } = await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rowCount === count;
    });

  const locks = notOnCitus('the lock is at another server');
  it(
    'is determined after everything that a commit waits for, so a waiting commit delays no other',
    locks,
    async (t) => {
      const { store, address } = await freshStore(t, postgres);
      const scope = aScope();
      const [slow, quick, third] = await Promise.all([0, 1, 2].map(() => mustStore(store, aPayment({ scope }))));
      assert.ok(slow !== undefined && quick !== undefined && third !== undefined);
      const record = anIdempotencyRecord({ ...scope, key: randomUUID() });
      const late = paid(slow, now - 3_600_000);
      const lateToo = { ...paid(third, now - 7_200_000), idempotencyRecords: [record] };
      await withClient(urlOf(address), async (client) => {
        await client.query('BEGIN');
        await client.query('SELECT 1 FROM payment_intents WHERE id = $1 FOR UPDATE', [slow.intent.id]);
        await client.query(
          `INSERT INTO idempotency_records (merchant_id, livemode, key, fingerprint, status, sealed_body, created_at)
         VALUES ($1, $2, $3, '', 200, '', 0)`,
          [scope.merchantId, scope.livemode, record.key],
        );
        const waiting = [store.commit(late), store.commit(lateToo)];
        await withClient(urlOf(address), (watcher) => untilWaiting(watcher, 2));
        const first = paid(quick);
        await mustCommit(store, first);
        const { position } = await store.eventCursor(scope, null);
        assert.deepEqual(idsOf(await all(store, scope)), idsOf(first.events));
        await client.query('ROLLBACK');
        assert.deepEqual(await Promise.all(waiting), [{ committed: true }, { committed: true }]);
        const since = idsOf(await store.list('positionedEvents', { scope: scope, after: position, limit: 10 }));
        assert.deepEqual(since.toSorted(), idsOf([...late.events, ...lateToo.events]).toSorted());
      });
    },
  );

  it('is kept by commits for several merchants at once, without a deadlock', async (t) => {
    const { store } = await freshStore(t, postgres);
    const scopes = [aScope(), aScope(), aScope()];
    const commits = Array.from({ length: 60 }, (_, at) =>
      store.commit({ events: scopes.map((_, shift) => eventAt(scopes[(at + shift) % 3] ?? aScope(), now)) }),
    );
    assert.deepEqual(await Promise.all(commits), Array(60).fill({ committed: true }));
    for (const scope of scopes) assert.equal((await all(store, scope)).at(-1)?.position, 60);
  });
});
