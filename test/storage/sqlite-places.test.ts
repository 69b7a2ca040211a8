// Places in the SQLite file: rows are found by a number that follows from their id or key, also where several meet.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { Scope } from '../../src/domain/merchant.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { migrationsFor } from '../../src/storage/migrations.ts';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import { appliedMigrations } from '../../src/storage/sqlite/migrate.ts';
import { takeServingLock } from '../../src/storage/sqlite/open-database.ts';
import { placeOfId } from '../../src/storage/sqlite/places.ts';
import { encode } from '../../src/storage/sqlite/rows.ts';
import type { Table } from '../../src/storage/table.ts';
import { tables } from '../../src/storage/tables.ts';
import { assertRefused, entriesOf, must } from '../support/api-client.ts';
import { changesOf, mustCommit, mustStore } from '../support/committing.ts';
import { freshDatabase, freshStore, sqlite } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMerchant, anIdempotencyRecord, aPayment } from '../support/records.ts';

const room = 64;
const options = { serving: false, onConnectionLost: () => {} };

/** Of one millisecond, and with the same first random digits: they all have the same place. */
const crowded = momentAt(startOfTests, (count) => {
  const bytes = randomBytes(count);
  bytes.fill(0, 0, 2);
  return bytes;
});

describe('A place in the SQLite file', () => {
  it('increases with the time of the id, and is a safe integer until 2089', () => {
    const at = (ms: number, random: number): number =>
      placeOfId(momentAt(ms, (count) => new Uint8Array(count).fill(random)).newId('pi'));
    const last = Date.UTC(2089, 0, 1);
    assert.ok(at(startOfTests, 31) + room <= at(startOfTests + 1, 0));
    assert.ok(Number.isSafeInteger(at(last, 31) + room));
    assert.ok(at(last, 31) + room <= at(last + 1, 0));
  });

  it('has room for many rows: each is found by its own id and merchant', async (t) => {
    const { store } = await freshStore(t, sqlite);
    const merchants = [aMerchant(), aMerchant()];
    await mustCommit(store, { merchants });
    const scopes = merchants.map(({ id: merchantId }) => ({ merchantId, livemode: false }));
    const stored = [];
    for (let i = 0; i < room; i++) {
      const payment = aPayment({ moment: crowded, scope: scopes[i % 2] as Scope });
      stored.push(await mustStore(store, payment));
    }
    assert.equal(new Set(stored.map(({ intent }) => placeOfId(intent.id))).size, 1);
    for (const [i, { intent, session }] of stored.entries()) {
      assert.deepEqual(await store.find('paymentIntents', intent, intent.id), intent);
      assert.deepEqual(await store.find('checkoutSessions', session, session.id), session);
      assert.deepEqual((await store.findBy('checkouts', 'id', session.id))?.session, session);
      assert.equal(await store.find('paymentIntents', scopes[(i + 1) % 2] as Scope, intent.id), null);
    }
  });

  it('that is full rejects the next commit, which is decided again with another id', async (t) => {
    const { store } = await freshStore(t, sqlite);
    await mustCommit(store, changesOf(...Array.from({ length: room }, () => aPayment({ moment: crowded }))));
    const late = aPayment({ moment: crowded });
    assert.deepEqual(await store.commit(changesOf(late)), { committed: false, conflict: 'version' });
    assert.equal(await store.find('checkoutSessions', late.session, late.session.id), null);
    await mustStore(store, aPayment({ moment: momentAt(startOfTests + 1, randomBytes) }));
  });

  it('is assigned to rows that were stored before there were places', async (t) => {
    const address = await freshDatabase(t, sqlite);
    const payments = Array.from({ length: 20 }, () => aPayment({ moment: crowded }));
    const record = anIdempotencyRecord({ livemode: true });
    const old = fileWithoutPlaces(address);
    for (const { intent, session } of payments) {
      insert(old, tables.paymentIntents, { ...intent, version: 1 });
      insert(old, tables.checkoutSessions, { ...session, version: 1 });
    }
    insert(old, tables.idempotencyRecords, { ...record });
    old.close();

    const store = await openStore(address, options);
    t.after(() => store.close());
    for (const { intent, session } of payments) {
      assert.deepEqual(await store.find('paymentIntents', intent, intent.id), { ...intent, version: 1 });
      assert.deepEqual(await store.find('checkoutSessions', session, session.id), { ...session, version: 1 });
    }
    assert.equal((await store.find('idempotencyRecords', record, record.key))?.fingerprint, record.fingerprint);
    assert.deepEqual(await store.commit({ idempotencyRecords: [record] }), {
      committed: false,
      conflict: 'idempotency_key',
    });
  });

  it('is not assigned while an older version serves the file, which would write rows without one', async (t) => {
    const address = await freshDatabase(t, sqlite);
    const old = fileWithoutPlaces(address);
    t.after(() => old.close());
    const serving = takeServingLock(pathOf(address));
    await assert.rejects(openStore(address, options), {
      name: 'StorageUnavailable',
      message: /is serving .*paydesk\.db\. This newer version has to migrate the file: stop that process/,
    });
    assert.equal(appliedMigrations(old), 4);
    serving.release();
    const store = await openStore(address, options);
    await store.close();
    assert.equal(appliedMigrations(old), migrationsFor('sqlite').length);
  });

  it('of another key of the merchant is refused, and nothing is stored', async (t) => {
    const paydesk = await startPaydesk(t, sqlite);
    const { test } = await paydesk.newMerchant();
    const headers = { 'Idempotency-Key': randomUUID() };
    const create = () => test.post('/checkout-sessions', { amount: 1250, currency: 'EUR' }, { headers });
    must(201, await create());
    const beside = new DatabaseSync(pathOf(paydesk.address));
    beside.prepare('UPDATE idempotency_records SET key = ?').run(randomUUID());
    beside.close();
    assertRefused(await create(), { status: 422, code: 'idempotency_key_reused' });
    assert.equal(entriesOf(await test.get('/checkout-sessions')).length, 1);
  });
});

describe('Every statement of the SQLite store', () => {
  it('uses an index: none scans a whole table', async (t) => {
    const asked = new Set<string>();
    const prepare = DatabaseSync.prototype.prepare;
    t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
      asked.add(sql);
      return prepare.call(this, sql);
    });
    const { store, address } = await freshStore(t, sqlite);
    const { intent, session } = await mustStore(store, aPayment());
    await mustCommit(store, { paymentIntents: [intent], checkoutSessions: [session] });
    for (const table of ['paymentIntents', 'checkoutSessions', 'refunds', 'events'] as const)
      await store.list(table, { scope: intent, limit: 10, after: intent.id });
    t.mock.restoreAll();
    const database = new DatabaseSync(pathOf(address), { readOnly: true });
    t.after(() => database.close());
    const statements = [...asked].filter((sql) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)/.test(sql));
    assert.ok(statements.length > 30);
    // No tables: `waiting`, `recent` and subqueries are made by searches of their own, and `json_each` reads a parameter.
    const scans = statements.flatMap((sql) => {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
      return plan.flatMap(({ detail }) =>
        /^SCAN (?!waiting$|recent$|json_each |\(subquery|.* USING )/.test(detail) ? [`${detail}: ${sql}`] : [],
      );
    });
    assert.deepEqual(scans, []);
  });
});

/** As migration 4 left it. */
function fileWithoutPlaces(address: DatabaseAddress): DatabaseSync {
  const database = new DatabaseSync(pathOf(address));
  for (const { sql } of migrationsFor('sqlite').slice(0, 4)) database.exec(sql);
  database.exec('PRAGMA user_version = 4');
  return database;
}

function pathOf(address: DatabaseAddress): string {
  assert.equal(address.engine, 'sqlite');
  return address.engine === 'sqlite' ? address.path : '';
}

/** With the columns that the table had then. */
function insert(database: DatabaseSync, table: Table<unknown>, record: Record<string, unknown>): void {
  const names = new Set(
    database
      .prepare(`SELECT name FROM pragma_table_info('${table.name}')`)
      .all()
      .map(({ name }) => name),
  );
  const columns = table.columns.filter(({ name }) => names.has(name));
  const marks = columns.map(() => '?').join(', ');
  const statement = database.prepare(
    `INSERT INTO ${table.name} (${columns.map(({ name }) => name).join(', ')}) VALUES (${marks})`,
  );
  statement.run(...columns.map((column) => encode(column, record[column.field])));
}
