// The lock of those that serve a PostgreSQL database: many share it, and nobody migrates or changes the secret key
// meanwhile.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrationsFor } from '../../src/storage/migrations.ts';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import { findPrimary } from '../../src/storage/postgres/primary.ts';
import { connectForLock, tryLock } from '../../src/storage/postgres/serving-lock.ts';
import { StorageUnavailable, type Store } from '../../src/storage/store.ts';
import { changesOf, mustCommit, mustStore } from '../support/committing.ts';
import { type CleansUp, freshDatabase, postgres } from '../support/engines.ts';
import { callPaydesk } from '../support/paydesk-process.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aPayment } from '../support/records.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const serving = { serving: true, onConnectionLost: () => {} };
const command = { ...serving, serving: false };

function urlOf(address: DatabaseAddress): string {
  assert.ok(address.engine === 'postgres');
  return address.url;
}

async function open(t: CleansUp, address: DatabaseAddress, options: Parameters<typeof openStore>[1]): Promise<Store> {
  const store = await openStore(address, options);
  t.after(() => store.close());
  return store;
}

/** As the version before left it. */
async function migratedBefore(t: CleansUp): Promise<DatabaseAddress> {
  const address = await freshDatabase(t, postgres);
  await withClient(urlOf(address), async (client) => {
    await client.query('CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)');
    for (const { number, name, sql } of migrationsFor('postgres').slice(0, -1)) {
      await client.query(sql);
      await client.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [number, name]);
    }
  });
  return address;
}

async function appliedTo(address: DatabaseAddress): Promise<number> {
  return withClient(urlOf(address), async (client) => (await client.query('SELECT 1 FROM migrations')).rowCount ?? 0);
}

describe('Processes that serve a PostgreSQL database', () => {
  it('prevent migrations by every command, except one that is forced', async (t) => {
    const address = await migratedBefore(t);
    const known = migrationsFor('postgres').length;
    const older = await connectForLock(findPrimary(urlOf(address)));
    t.after(() => older.end());
    assert.ok(await tryLock(older, 'public', 'shared'));
    for (const options of [serving, command]) {
      await assert.rejects(openStore(address, options), {
        name: 'StorageUnavailable',
        message:
          /^1 other Paydesk process serves this database, and this newer version has to migrate it first.*Stop all of them.*--force/,
      });
    }
    assert.equal(await appliedTo(address), known - 1);
    const forced = await callPaydesk(['migrate', '--force'], { settings: { DATABASE_URL: urlOf(address) } });
    assert.equal(forced.stdout, 'The postgres database is up to date: 1 migration was applied.\n');
    assert.equal(await appliedTo(address), known);
  });

  it('are recognised by their connections if their version holds no lock', async (t) => {
    const address = await migratedBefore(t);
    const named = new URL(urlOf(address));
    named.searchParams.set('application_name', 'paydesk');
    await withClient(named.href, () =>
      assert.rejects(
        openStore(address, serving),
        /other Paydesk processes have 1 connections to this database, and this/,
      ),
    );
    await open(t, address, serving);
    assert.equal(await appliedTo(address), migrationsFor('postgres').length);
  });

  it('do not prevent commands that migrate nothing', async (t) => {
    const address = await migratedBefore(t);
    const [needs, has] = [migrationsFor('postgres').length, migrationsFor('postgres').length - 1];
    for (const schema of ['existing', 'read-only'] as const) {
      await assert.rejects(openStore(address, { ...command, schema }), {
        name: 'StorageUnavailable',
        message: `the database is at migration ${has}, but this version of Paydesk needs ${needs}: run paydesk migrate`,
      });
    }
    assert.equal(await appliedTo(address), has);
    const empty = await freshDatabase(t, postgres);
    await assert.rejects(openStore(empty, { ...command, schema: 'existing' }), {
      name: 'StorageUnavailable',
      message: /this database has no tables of Paydesk\. Check DATABASE_URL.*paydesk migrate/,
    });
    await withClient(urlOf(empty), async (client) => {
      const { rows } = await client.query(`SELECT 1 FROM pg_class WHERE relname = 'migrations'`);
      assert.deepEqual(rows, []);
    });
  });

  it('exclude work that must be alone, whatever their connections are called, and are excluded by it', async (t) => {
    const address = await freshDatabase(t, postgres);
    const renamed = new URL(urlOf(address));
    renamed.searchParams.set('application_name', 'shop');
    const server = await openStore({ engine: 'postgres', url: renamed.href }, serving);
    const alone = { ...serving, alone: true, schema: 'existing' as const };
    await assert.rejects(openStore({ engine: 'postgres', url: renamed.href }, alone), {
      name: 'StorageUnavailable',
      message: '1 other Paydesk process serves this database. Stop all of them, then try again.',
    });
    await server.close();
    const changing = await openStore(address, alone);
    await assert.rejects(openStore(address, serving), /secret key is being rotated: try again when that is done/);
    await changing.close();
    await open(t, address, serving);
  });

  it('wait for work that is about to end', async (t) => {
    const address = await freshDatabase(t, postgres);
    await (await openStore(address, serving)).close();
    const alone = await connectForLock(findPrimary(urlOf(address)));
    t.after(() => alone.end());
    await until('it has the lock alone', () => tryLock(alone, 'public', 'alone'));
    const starting = open(t, address, serving);
    await withClient(urlOf(address), (client) =>
      until('the other one has tried', async () => {
        const { rows } = await client.query(`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE '%pg_try_advisory_lock_shared%' AND state <> 'active'`);
        return rows.length === 1;
      }),
    );
    await alone.query('SELECT pg_advisory_unlock_all()');
    await mustStore(await starting, aPayment());
  });

  it('acquire the lock again when its connection breaks, and commit nothing before that', async (t) => {
    const address = await freshDatabase(t, postgres);
    const lost: Error[] = [];
    const first = await openStore(address, serving);
    await mustCommit(first, { facts: [{ name: 'secret_key_id', value: 'one' }] });
    await first.close();
    const store = await open(t, address, { serving: true, onConnectionLost: (error) => lost.push(error) });
    const cut = () =>
      withClient(urlOf(address), (client) =>
        client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                      WHERE datname = current_database() AND application_name = 'paydesk serving lock'`),
      );
    await cut();
    await until('the loss is noticed', () => lost.length === 1);
    const { intent } = await mustStore(store, aPayment());

    const rival = await connectForLock(findPrimary(urlOf(address)));
    t.after(() => rival.end());
    await rival.query('SELECT 1');
    await withClient(urlOf(address), async (client) => {
      await client.query(`SELECT pg_terminate_backend(l.pid) FROM pg_locks l
                          WHERE l.locktype = 'advisory' AND l.pid <> pg_backend_pid()
                          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    });
    await until('the rival has it alone', () => tryLock(rival, 'public', 'alone'));
    await until('the loss is noticed', () => lost.length === 2);
    await assert.rejects(store.commit(changesOf(aPayment())), (error) => {
      assert.ok(error instanceof StorageUnavailable);
      assert.match(error.message, /nothing can be committed: .*secret key is being rotated/);
      return true;
    });
    assert.equal((await store.find('paymentIntents', intent, intent.id))?.id, intent.id, 'reads go on');
    await rival.query("UPDATE facts SET value = 'two'");
    await rival.query('SELECT pg_advisory_unlock_all()');
    await until(
      'the store knows that it must not go on',
      async () => {
        const failure = await store.commit(changesOf(aPayment())).catch((error: Error) => error.message);
        return typeof failure === 'string'
          ? /start this process with the new one/.test(failure)
          : assert.fail('committed');
      },
      30_000,
    );
  });

  it('take the lock again if a new connection for it goes silent', async (t) => {
    const address = await freshDatabase(t, postgres);
    const { hostname: host, port } = new URL(urlOf(address));
    const proxy = await startTcpProxy(t, { host, port: Number(port) });
    const url = urlOf(address).replace(`:${port}/`, `:${proxy.port}/`);
    const store = await open(t, { engine: 'postgres', url }, serving);
    proxy.silenceNext('pg_try_advisory_lock_shared');
    await withClient(urlOf(address), (client) =>
      client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name = 'paydesk serving lock'`),
    );
    await until('commits work again', async () => {
      try {
        await mustStore(store, aPayment());
        return true;
      } catch (error) {
        assert.ok(error instanceof StorageUnavailable, String(error));
        return false;
      }
    });
  });
});
