// Fingerprints of cards and addresses: kept while they count, then erased, from the files as well. A copy of the
// database does not reveal which cards were tried before.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { attemptKeys } from '../../src/domain/attempt-counts.ts';
import { prune } from '../../src/jobs/prune.ts';
import { migrationsFor } from '../../src/storage/migrations.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { openDatabase } from '../../src/storage/sqlite/open-database.ts';
import { registerPlaceFunctions } from '../../src/storage/sqlite/places.ts';
import { notOnCitus } from '../support/citus.ts';
import { customerAt } from '../support/customer.ts';
import { describeOnEachEngine, freshDatabase, postgres, sqlite } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { withClient } from '../support/postgres-admin.ts';
import { storedBytes } from '../support/stored-bytes.ts';
import { until } from '../support/until.ts';

const windowMs = 900_000;
const retention = { deliveriesMs: null, eventsMs: null, auditEntriesMs: null, customersMs: null, mailMs: null };
const limits = { windowMs, perSession: 10, perAddress: 100, perCard: 50 };
const [good, declined, challenged] = ['4242424242424242', '4000000000000002', '4000000000003220'];

describeOnEachEngine('Fingerprints', (engine) => {
  it('are erased when their window has passed, and never stored with the last digits of a finished attempt', async (t) => {
    const clock = fakeClock();
    const paydesk = await startPaydesk(t, engine, {
      settings: { PAYDESK_DECLINE_WINDOW: String(windowMs / 1000) },
      runningClock: clock,
    });
    const merchant = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    const fingerprints = [good, declined, challenged].map((cardNumber) => {
      const identity = { sessionId: 'cs_1', address: '127.0.0.1', cardNumber };
      const { card, address } = attemptKeys(paydesk.secretBox, merchant.scope, identity);
      return { card: card?.slice('card '.length) ?? '', address: address.slice('address '.length) };
    });
    const sessions = [];
    for (const card of [good, declined, challenged]) {
      const session = await merchant.newSession();
      sessions.push(session);
      await customer.payByCard(session.id, card);
    }
    const [ofGood, ofDeclined, ofChallenged] = fingerprints;
    const during = await storedBytes(paydesk.address);
    assert.ok(during.includes(ofDeclined?.card ?? ''), 'a decline is counted by it');
    assert.ok(during.includes(ofChallenged?.card ?? ''), 'an attempt in progress will be');
    for (const { payment_intent: id } of sessions.slice(0, 2)) {
      const intent = await paydesk.store.find('paymentIntents', merchant.scope, String(id));
      const operation = await paydesk.store.findBy('operations', 'id', intent?.operationId ?? '');
      assert.deepEqual([operation?.attempt, operation?.paymentMethod?.card !== undefined], [null, true]);
    }

    const everything = Object.values([ofGood, ofDeclined, ofChallenged].flatMap((one) => Object.values(one ?? {})));
    clock.advance(windowMs + windowMs / 30);
    await until('no fingerprint is left', async () => {
      while (await prune({ store: paydesk.store, clock, limits, requestLogDays: 7, retention }));
      const bytes = await storedBytes(paydesk.address);
      return everything.every((fingerprint) => !bytes.includes(fingerprint));
    });
    assert.ok((await storedBytes(paydesk.address)).includes(String(sessions[0]?.id)), 'the other data is still there');
  });
});

function migrationsBefore(engine: 'sqlite' | 'postgres') {
  const all = migrationsFor(engine);
  return all.slice(
    0,
    all.findIndex(({ name }) => name.includes('attempt_counters')),
  );
}

const withoutTables = notOnCitus('older tables');

it('Fingerprints stored on PostgreSQL by an earlier version are erased by the upgrade', withoutTables, async (t) => {
  const address = await freshDatabase(t, postgres);
  if (address.engine !== 'postgres') throw new Error('this is about PostgreSQL');
  await withClient(address.url, async (client) => {
    await client.query('CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)');
    for (const { number, name, sql } of migrationsBefore('postgres')) {
      await client.query(sql);
      await client.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [number, name]);
    }
    await client.query(`
      INSERT INTO operations (merchant_id, livemode, id, version, kind, status, payment_intent_id, checkout_session_id,
        amount, address_hash, card_hash, due_at, inquiries, created_at)
      SELECT 'acct_1', false, 'op_' || n, 1, 'payment', 'failed', 'pi_1', 'cs_1', 1250, 'theaddress', 'thecard', NULL, 0, 1
      FROM generate_series(0, 499) n`);
  });
  const store = await openStore(address, { serving: true, onConnectionLost: () => {} });
  t.after(() => store.close());
  assert.deepEqual((await store.findBy('operations', 'id', 'op_499'))?.attempt, null);
  const pages = await withClient(address.url, async (client) => {
    const { rows } = await client.query<{ file: string }>("SELECT pg_relation_filepath('operations') AS file");
    await client.query('CHECKPOINT');
    const read = await client.query<{ bytes: Buffer }>('SELECT pg_read_binary_file($1) AS bytes', [rows[0]?.file]);
    return read.rows[0]?.bytes ?? Buffer.alloc(0);
  });
  assert.ok(pages.includes('op_499'));
  for (const trace of ['thecard', 'theaddress']) assert.equal(pages.indexOf(trace), -1, trace);
});

it('Fingerprints stored on SQLite by an earlier version are erased by the upgrade, even from space that rows have left', async (t) => {
  const address = await freshDatabase(t, sqlite);
  if (address.engine !== 'sqlite') throw new Error('this is about the SQLite file');
  const old = openDatabase(address.path);
  old.exec('PRAGMA secure_delete = OFF');
  registerPlaceFunctions(old);
  const before = migrationsBefore('sqlite');
  for (const { sql } of before) old.exec(sql);
  old.exec(`PRAGMA user_version = ${before.length}`);
  const insert = old.prepare(`
    INSERT INTO operations (merchant_id, livemode, id, version, kind, status, payment_intent_id, checkout_session_id,
      amount, payment_method, address_hash, card_hash, due_at, inquiries, created_at)
    VALUES ('acct_1', 0, ?, 1, 'payment', 'pending', 'pi_1', 'cs_1', 1250, ?, ?, ?, 1, 0, 1)`);
  const method = JSON.stringify({ type: 'card', card: { brand: 'visa', last4: '4242' } });
  for (let turn = 0; turn < 500; turn += 1) insert.run(`op_${turn}`, method, `theaddress${turn}`, `thecard${turn}`);
  // Rows that grow move within their page and leave their old content behind.
  for (const reason of ['x', 'y'.repeat(200), 'z']) {
    old.prepare("UPDATE operations SET status = 'failed', due_at = NULL, reason = ?").run(reason);
  }
  old.close();
  const bytesBefore = await storedBytes(address);
  assert.ok(bytesBefore.includes('thecard7') && bytesBefore.includes('theaddress7'));

  const store = await openStore(address, { serving: true, onConnectionLost: () => {} });
  t.after(() => store.close());
  const after = await storedBytes(address);
  for (const trace of ['thecard', 'theaddress']) assert.equal(after.indexOf(trace), -1, trace);
  assert.ok(after.includes('op_499'));
  const operation = await store.findBy('operations', 'id', 'op_499');
  assert.deepEqual(
    [operation?.status, operation?.attempt, operation?.paymentMethod?.card?.last4],
    ['failed', null, '4242'],
  );
});
