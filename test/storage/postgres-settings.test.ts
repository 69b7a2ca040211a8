// A PostgreSQL database with settings of its own: none of them changes what a store does. And errors that are no fault of
// ours are told apart from those that are.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import { openPostgresStore } from '../../src/storage/postgres/postgres-store.ts';
import { settingsSql } from '../../src/storage/postgres/session.ts';
import { StorageUnavailable } from '../../src/storage/store.ts';
import { must } from '../support/api-client.ts';
import { changesOf, mustCommit, mustStore } from '../support/committing.ts';
import { freshDatabase, freshStore, postgres } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { adminUrl, dropDatabase, withClient } from '../support/postgres-admin.ts';
import { aMerchant, anApiKey, aPayment } from '../support/records.ts';

const options = { serving: true, onConnectionLost: () => {} };

function urlOf(address: DatabaseAddress): string {
  assert.ok(address.engine === 'postgres');
  return address.url;
}

/** For every connection that is made from now on. */
async function setForDatabase(address: DatabaseAddress, settings: Readonly<Record<string, string>>): Promise<void> {
  const name = pg.escapeIdentifier(new URL(urlOf(address)).pathname.slice(1));
  await withClient(urlOf(address), async (client) => {
    for (const [setting, value] of Object.entries(settings))
      await client.query(`ALTER DATABASE ${name} SET ${setting} = ${value}`);
  });
}

const hostile = {
  default_transaction_isolation: "'serializable'",
  default_transaction_read_only: 'on',
  default_transaction_deferrable: 'on',
  lock_timeout: "'1ms'",
  statement_timeout: "'200ms'",
  idle_in_transaction_session_timeout: "'1ms'",
  idle_session_timeout: "'1s'",
  synchronous_commit: 'off',
  standard_conforming_strings: 'off',
  client_encoding: "'LATIN1'",
  bytea_output: "'escape'",
  array_nulls: 'off',
  extra_float_digits: '-15',
  DateStyle: "'German'",
  TimeZone: "'Asia/Kolkata'",
  exit_on_error: 'on',
  row_security: 'off',
};

async function pidsOf(address: DatabaseAddress): Promise<number[]> {
  return withClient(urlOf(address), async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'paydesk' ORDER BY pid`,
    );
    return rows.map(({ pid }) => pid);
  });
}

describe('A PostgreSQL database with settings of its own', () => {
  it('is migrated, written to and read as any other', async (t) => {
    const address = await freshDatabase(t, postgres);
    await setForDatabase(address, hostile);
    const store = await openStore(address, options);
    t.after(() => store.close());
    const payment = aPayment();
    const named = { ...payment, session: { ...payment.session, description: 'ø 🙂 \\ \' "' } };
    const { intent, session } = await mustStore(store, named);
    assert.deepEqual(await store.find('checkoutSessions', session, session.id), session);
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), intent);
    const key = anApiKey();
    await mustCommit(store, { merchants: [aMerchant()], apiKeys: [key] });
    await store.markKeysUsed([{ id: key.id, usedAt: 5 }]);
    assert.equal((await store.findBy('apiKeys', 'id', key.id))?.lastUsedAt, 5);
  });

  it('has its settings replaced on each connection, and stays durable', async (t) => {
    const address = await freshDatabase(t, postgres);
    await setForDatabase(address, hostile);
    await withClient(urlOf(address), async (client) => {
      await client.query(
        settingsSql({ schema: 'public', statementTimeoutMs: 7_000, lockTimeoutMs: 0, readOnly: false, planOnce: true }),
      );
      const shown = async (name: string) => (await client.query(`SHOW ${name}`)).rows[0] as Record<string, string>;
      const expected = {
        default_transaction_isolation: 'read committed',
        default_transaction_read_only: 'off',
        lock_timeout: '0',
        statement_timeout: '7s',
        idle_session_timeout: '0',
        synchronous_commit: 'on',
        search_path: 'public',
        TimeZone: 'UTC',
      };
      for (const [name, value] of Object.entries(expected))
        assert.deepEqual(Object.values(await shown(name)), [value], name);
      await client.query('SET synchronous_commit = remote_apply');
      await client.query(
        settingsSql({ schema: 'public', statementTimeoutMs: 0, lockTimeoutMs: 0, readOnly: true, planOnce: true }),
      );
      assert.deepEqual(
        await shown('synchronous_commit'),
        { synchronous_commit: 'remote_apply' },
        'what is stronger stays',
      );
      assert.deepEqual(await shown('default_transaction_read_only'), { default_transaction_read_only: 'on' });
    });
  });

  for (const level of ['repeatable read', 'serializable']) {
    it(`answers 25 changes of one session at the same time, under ${level}`, async (t) => {
      const address = await postgres.fresh();
      t.after(address.remove);
      await setForDatabase(address.address, { default_transaction_isolation: `'${level}'`, lock_timeout: "'1ms'" });
      const paydesk = await startPaydesk(t, { ...postgres, openFresh: () => openFreshOn(address.address) });
      const { test, newSession } = await paydesk.newMerchant();
      const { id } = await newSession();
      const answers = await Promise.all(
        Array.from({ length: 25 }, (_, at) => test.patch(`/checkout-sessions/${id}`, { amount: 100 + at })),
      );
      for (const answer of answers) must(200, answer);
    });
  }

  it('has its tables found even if the search path was changed since', async (t) => {
    const address = await freshDatabase(t, postgres);
    const first = await openStore(address, options);
    const { intent } = await mustStore(first, aPayment());
    await withClient(urlOf(address), (client) => client.query('CREATE SCHEMA elsewhere'));
    await setForDatabase(address, { search_path: 'elsewhere' });
    const second = await openStore(address, options);
    for (const store of [first, second]) {
      const found = await Promise.all(
        Array.from({ length: 9 }, () => store.list('paymentIntents', { scope: intent, limit: 1 })),
      );
      assert.ok(found.every(([one]) => one?.id === intent.id));
      await store.close();
    }
    const chosen = new URL(urlOf(address));
    chosen.searchParams.set('options', '-c search_path=elsewhere');
    const third = await openStore({ engine: 'postgres', url: chosen.href }, options);
    assert.deepEqual(
      await third.list('paymentIntents', { scope: intent, limit: 1 }),
      [],
      'what the address says is meant',
    );
    await third.close();
  });

  it('with an encoding other than UTF-8 is refused, with what to do', async (t) => {
    for (const encoding of ['LATIN1', 'SQL_ASCII']) {
      const name = `paydesk_test_${encoding.toLowerCase()}_${process.pid}`;
      const url = new URL(adminUrl());
      url.pathname = `/${name}`;
      await withClient(adminUrl(), (client) =>
        client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LOCALE 'C'`),
      );
      t.after(() => dropDatabase(url.href));
      for (const schema of ['migrate', 'existing', 'read-only'] as const) {
        await assert.rejects(openStore({ engine: 'postgres', url: url.href }, { ...options, schema }), {
          name: 'StorageUnavailable',
          message: new RegExp(`${name} is encoded in ${encoding}, .*createdb .*--encoding=UTF8`),
        });
      }
    }
  });
});

/** A store on a database that is there. */
async function openFreshOn(address: DatabaseAddress) {
  const stores = [await openStore(address, options)];
  const openAnother = async () => {
    const store = await openStore(address, options);
    stores.push(store);
    return store;
  };
  const remove = async () => {
    await Promise.allSettled(stores.map((store) => store.close()));
  };
  return { store: stores[0] as (typeof stores)[number], address, openAnother, remove };
}

describe('An error of PostgreSQL', () => {
  it('that is a conflict keeps its connection', async (t) => {
    const address = await freshDatabase(t, postgres);
    const store = await openPostgresStore({ url: urlOf(address), maxConnections: 4, onConnectionLost: () => {} });
    t.after(() => store.close());
    const payment = aPayment();
    await mustStore(store, payment);
    const again = () => Promise.all(Array.from({ length: 40 }, () => store.commit(changesOf(payment))));
    await again();
    const before = await pidsOf(address);
    const outcomes = await again();
    assert.ok(outcomes.every(({ committed }) => !committed));
    assert.deepEqual(await pidsOf(address), before);
    assert.ok(before.length <= 4);
  });

  it('is classified: decide again, try again later, or a bug', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    const fails = (code: string) =>
      withClient(urlOf(address), (client) =>
        client.query(`
          CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'made to fail' USING ERRCODE = '${code}'; END $$;
          CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON payment_intents EXECUTE FUNCTION fail()`),
      );
    for (const code of ['40001', '40P01']) {
      await fails(code);
      assert.deepEqual(await store.commit(changesOf(aPayment())), { committed: false, conflict: 'version' }, code);
    }
    for (const code of ['55P03', '57014', '25006', '53100', '42501']) {
      await fails(code);
      await assert.rejects(store.commit(changesOf(aPayment())), StorageUnavailable, code);
    }
    await fails('22012');
    await assert.rejects(store.commit(changesOf(aPayment())), (error) => !(error instanceof StorageUnavailable));
  });
});
