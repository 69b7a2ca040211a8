// PgBouncer between Paydesk and PostgreSQL, in transaction mode (server connections are shared) and in session mode.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type pg from 'pg';
import { openStore } from '../../src/storage/open-store.ts';
import { isTransactionPooled } from '../../src/storage/postgres/pooler.ts';
import { findPrimary } from '../../src/storage/postgres/primary.ts';
import { StorageUnavailable, type Store } from '../../src/storage/store.ts';
import { must } from '../support/api-client.ts';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { changesOf, mustStore } from '../support/committing.ts';
import { type CleansUp, freshDatabase, postgres } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { callPaydesk, freshFolder, paydeskJson } from '../support/paydesk-process.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aPayment } from '../support/records.ts';
import { until } from '../support/until.ts';

const serving = { serving: true, onConnectionLost: () => {} };
const transactions = { mode: 'transaction', poolSize: 5 } as const;
const sessions = { mode: 'session', poolSize: 40 } as const;

interface Pooled extends PgBouncer {
  /** The URL without the pooler. */
  readonly direct: string;
}

async function pooledDatabase(t: CleansUp, options: Parameters<typeof startPgBouncer>[2]): Promise<Pooled> {
  const address = await freshDatabase(t, postgres);
  assert.ok(address.engine === 'postgres');
  return { ...(await startPgBouncer(t, address.url, options)), direct: address.url };
}

const opened = (url: string, options = {}): Promise<Store> =>
  openStore({ engine: 'postgres', url }, { ...serving, ...options });

/** Closed after the test. */
async function open(t: CleansUp, url: string): Promise<Store> {
  const store = await opened(url);
  t.after(() => store.close());
  return store;
}

const lockOf = `SELECT a.pid, a.backend_xmin, a.backend_xid, a.state FROM pg_stat_activity a JOIN pg_locks l USING (pid)
  WHERE l.locktype = 'advisory' AND a.datname = current_database()`;

describe('Behind PgBouncer in transaction mode', () => {
  it('the pooler is detected, unlike a direct connection or one in session mode', async (t) => {
    const pooled = async (url: string): Promise<boolean> => {
      const primary = findPrimary(url);
      const connect = (): Promise<pg.Client> => primary.connect({});
      const client = await connect();
      return isTransactionPooled(client, connect).finally(() => client.end());
    };
    const { url, direct } = await pooledDatabase(t, transactions);
    assert.equal(await pooled(url), true);
    assert.equal(await pooled(direct), false);
    assert.equal(await pooled((await pooledDatabase(t, sessions)).url), false);
  });

  it('a store migrates, commits and reads, with more connections than the pooler has', async (t) => {
    const { url } = await pooledDatabase(t, transactions);
    const stores = await Promise.all([open(t, url), open(t, url)]);
    const payments = Array.from({ length: 200 }, () => aPayment());
    await Promise.all(payments.map((payment, at) => mustStore(stores[at % 2] as Store, payment)));
    for (const store of stores) {
      const found = await Promise.all(payments.map(({ intent }) => store.find('paymentIntents', intent, intent.id)));
      assert.ok(found.every((one) => one !== null));
      await store.check();
    }
  });

  it('the serving lock is held, and blocks neither vacuum nor changes to tables', async (t) => {
    const { url, direct } = await pooledDatabase(t, transactions);
    const store = await opened(url);
    const alone = { alone: true, schema: 'existing' };
    await assert.rejects(opened(url, alone), /^StorageUnavailable: 1 other Paydesk process serves this database/);
    await withClient(direct, async (client) => {
      await until('one connection holds the lock', async () => (await client.query(lockOf)).rowCount === 1);
      const { rows } = await client.query(lockOf);
      assert.deepEqual(
        { xmin: rows[0].backend_xmin, xid: rows[0].backend_xid, state: rows[0].state },
        { xmin: null, xid: null, state: 'idle in transaction' },
      );
      await client.query('SET lock_timeout = 1000');
      await client.query('ALTER TABLE facts ADD COLUMN note text');
      await client.query('ALTER TABLE migrations ADD COLUMN note text');
    });
    await store.close();
    await (await opened(url, alone)).close();
    await (await opened(url)).close();
  });

  it('the serving lock is taken again if its connection is terminated', async (t) => {
    const { url, direct } = await pooledDatabase(t, transactions);
    const store = await open(t, url);
    await withClient(direct, async (client) => {
      const { rows } = await client.query(lockOf);
      await client.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
      await until('another connection holds it', async () => {
        const { rows: now } = await client.query(lockOf);
        return now.length === 1 && now[0].pid !== rows[0].pid;
      });
    });
    await mustStore(store, aPayment());
  });

  it('unsuitable defaults of the user are rejected with the statements that fix them', async (t) => {
    const { url, direct, reconnect } = await pooledDatabase(t, transactions);
    await (await opened(url)).close();
    const database = new URL(direct).pathname.slice(1);
    await withClient(direct, async (client) => {
      for (const setting of [
        "default_transaction_isolation = 'serializable'",
        'synchronous_commit = off',
        "statement_timeout = '200ms'",
        "search_path = 'elsewhere'",
      ])
        await client.query(`ALTER ROLE paydesk IN DATABASE ${database} SET ${setting}`);
    });
    await reconnect();
    const refusal = await opened(url).catch((error: Error) => error);
    assert.ok(refusal instanceof StorageUnavailable);
    const statements = refusal.message.match(/ALTER ROLE [^;]*;/g) ?? [];
    assert.deepEqual(statements.toSorted(), [
      `ALTER ROLE "paydesk" SET default_transaction_isolation = 'read committed';`,
      `ALTER ROLE "paydesk" SET search_path = public;`,
      `ALTER ROLE "paydesk" SET statement_timeout = '10s';`,
      `ALTER ROLE "paydesk" SET synchronous_commit = 'on';`,
    ]);
    await withClient(direct, async (client) => {
      for (const statement of statements)
        await client.query(statement.replace('ALTER ROLE "paydesk"', `ALTER ROLE paydesk IN DATABASE ${database}`));
    });
    await reconnect();
    await mustStore(await open(t, url), aPayment());
  });

  it('commands work, also while a process serves', async (t) => {
    const { url } = await pooledDatabase(t, transactions);
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: url };
    const works = async (...args: string[]): Promise<void> => {
      const { code, stdout, stderr } = await callPaydesk(args, { folder, settings });
      assert.equal(code, 0, `paydesk ${args.join(' ')}: ${stdout}${stderr}`);
    };
    const commands = async (): Promise<void> => {
      for (const command of ['migrate', 'merchant create --name Shop', 'merchant list', 'doctor'])
        await works(...command.split(' '));
      const list = await paydeskJson<{ merchant: string }[]>(['merchant', 'list'], { folder, settings }, callPaydesk);
      for (const command of ['key create', 'user list', 'audit list', 'mail list', 'acquirer list'])
        await works(...command.split(' '), '--merchant', list[0]?.merchant ?? '');
      await works('customer', 'erase', 'ada@example.com', '--dry-run');
    };
    await commands();
    await open(t, url);
    await commands();
  });

  it('the API serves many concurrent requests', async (t) => {
    const lastFirst = cleanUpInReverse(t);
    const { url } = await pooledDatabase(lastFirst, transactions);
    const address = { engine: 'postgres', url } as const;
    const openFresh = async () => ({
      ...{ address, store: await opened(url), openAnother: () => opened(url) },
      remove: async () => {},
    });
    const paydesk = await startPaydesk(lastFirst, { ...postgres, openFresh });
    const { test, newSession } = await paydesk.newMerchant();
    const created = await Promise.all(Array.from({ length: 60 }, () => newSession()));
    const responses = await Promise.all(created.map(({ id }) => test.post(`/checkout-sessions/${id}/expire`, {})));
    for (const response of responses) must(200, response);
  });
});

describe('Behind PgBouncer in session mode', () => {
  it('a store works as on a direct connection, whatever the defaults of the user are', async (t) => {
    const { url, direct } = await pooledDatabase(t, sessions);
    await withClient(direct, (client) =>
      client.query(
        `ALTER DATABASE ${new URL(direct).pathname.slice(1)} SET default_transaction_isolation = 'serializable'`,
      ),
    );
    const store = await open(t, url);
    const payment = aPayment();
    await mustStore(store, payment);
    await Promise.all(Array.from({ length: 50 }, () => mustStore(store, aPayment())));
    assert.deepEqual(await store.commit(changesOf(payment)), { committed: false, conflict: 'version' });
    await withClient(direct, async (client) => assert.equal((await client.query(lockOf)).rows[0].state, 'idle'));
  });
});
