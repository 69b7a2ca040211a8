// Migrations: applied once, whichever of several processes comes first, and never on a database that is ahead.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { checksumOf, type Migration, migrationsFor, pendingMigrations } from '../../src/storage/migrations.ts';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import { migrate as migratePostgres } from '../../src/storage/postgres/migrate.ts';
import { migrate as migrateSqlite } from '../../src/storage/sqlite/migrate.ts';
import { openDatabase } from '../../src/storage/sqlite/open-database.ts';
import { startProgram } from '../support/child-process.ts';
import { mustStore } from '../support/committing.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aPayment, aScope } from '../support/records.ts';

const options = { serving: false, onConnectionLost: () => {} };

async function migrate(address: DatabaseAddress): Promise<number> {
  if (address.engine === 'postgres') return migratePostgres(address.url);
  const database = openDatabase(address.path);
  try {
    return migrateSqlite(database);
  } finally {
    database.close();
  }
}

/** Marks the first `count` migrations as applied. */
async function setApplied(address: DatabaseAddress, count: number): Promise<void> {
  if (address.engine === 'sqlite') {
    const database = new DatabaseSync(address.path);
    database.exec(`PRAGMA user_version = ${count}`);
    database.close();
    return;
  }
  await withClient(address.url, async (client) => {
    await client.query('DELETE FROM migrations WHERE number > $1', [count]);
    await client.query(
      `INSERT INTO migrations (number, name) SELECT n, 'from the future' FROM generate_series(1, $1) n
       ON CONFLICT DO NOTHING`,
      [count],
    );
  });
}

/** Adds a migration that this version does not know. */
async function addNewer(address: DatabaseAddress, migration: { number: number; usableFrom: number }): Promise<void> {
  const { number, usableFrom } = migration;
  if (address.engine === 'sqlite') {
    const database = new DatabaseSync(address.path);
    database.exec(`PRAGMA user_version = ${number}`);
    database.exec(`INSERT INTO migrations VALUES (${number}, 'newer', 'other', ${usableFrom})`);
    database.close();
    return;
  }
  await withClient(address.url, (client) =>
    client.query(`INSERT INTO migrations VALUES (${number}, 'newer', 'other', ${usableFrom})`),
  );
}

describeOnEachEngine('Migrations', (engine) => {
  it('are all applied to an empty database, and only once', async (t) => {
    const address = await freshDatabase(t, engine);
    const count = migrationsFor(engine.name).length;
    assert.ok(count > 0);
    assert.equal(await migrate(address), count);
    assert.equal(await migrate(address), 0);
  });

  it('do not change stored data when a store is opened again', async (t) => {
    const address = await freshDatabase(t, engine);
    const first = await openStore(address, options);
    const { session } = await mustStore(first, aPayment());
    await first.close();
    const second = await openStore(address, options);
    t.after(() => second.close());
    assert.deepEqual(await second.find('checkoutSessions', session, session.id), session);
  });

  it('are applied once when ten processes start at the same time on an empty database', async (t) => {
    const address = await freshDatabase(t, engine);
    const scope = aScope();
    const program = new URL('./programs/open-when-told.ts', import.meta.url);
    const processes = Array.from({ length: 10 }, () => startProgram(program, { address, scope }));
    try {
      await Promise.all(processes.map((process) => process.firstLine()));
      for (const process of processes) process.writeLine('go');
      const codes = await Promise.all(processes.map((process) => process.ended()));
      assert.deepEqual(codes, Array(10).fill(0));
    } finally {
      await Promise.all(processes.map((process) => process.kill()));
    }
    const store = await openStore(address, options);
    t.after(() => store.close());
    assert.equal((await store.list('checkoutSessions', { scope: scope, limit: 100 })).length, 10);
    assert.equal(await migrate(address), 0);
  });

  it('refuse a database that a newer version has migrated, with the reason', async (t) => {
    const address = await freshDatabase(t, engine);
    const known = await migrate(address);
    await setApplied(address, known + 1);
    await assert.rejects(openStore({ ...address }, { ...options, serving: true }), (error: Error) => {
      const expected = `the database is at migration ${known + 1}, but this version of Paydesk only knows ${known}: run a newer version`;
      assert.equal(error.message, expected);
      return true;
    });
    await setApplied(address, known);
    const store = await openStore(address, { ...options, serving: true });
    await store.close();
  });

  it('of a newer version are accepted if they declare that this version can use the tables', async (t) => {
    const address = await freshDatabase(t, engine);
    const known = await migrate(address);
    await addNewer(address, { number: known + 1, usableFrom: known });
    for (const schema of ['migrate', 'existing'] as const) {
      const store = await openStore(address, { ...options, serving: true, schema });
      await store.check();
      await mustStore(store, aPayment());
      await store.close();
    }
    await addNewer(address, { number: known + 2, usableFrom: known + 1 });
    await assert.rejects(openStore(address, { ...options, serving: true }), /but this version of Paydesk only knows/);
  });

  it('that are missing are reported by the check', async (t) => {
    const address = await freshDatabase(t, engine);
    const store = await openStore(address, options);
    t.after(() => store.close());
    await store.check();
    await setApplied(address, 0);
    await assert.rejects(store.check(), {
      name: 'StorageUnavailable',
      message: /at migration 0, .* needs \d+: run paydesk migrate/,
    });
  });
});

/** Changes what the database recorded about the migrations. */
async function changeChecksums(address: DatabaseAddress, sql: string): Promise<void> {
  if (address.engine === 'postgres') {
    await withClient(address.url, (client) => client.query(sql));
    return;
  }
  const database = new DatabaseSync(address.path);
  database.exec(sql);
  database.close();
}

describeOnEachEngine('The checksum of a migration', (engine) => {
  const uses = ['migrate', 'existing', 'read-only'] as const;

  it('detects a database that was migrated with other statements, which cannot be opened', async (t) => {
    const address = await freshDatabase(t, engine);
    await migrate(address);
    await changeChecksums(address, "UPDATE migrations SET checksum = 'other' WHERE number = 2");
    for (const schema of uses) {
      await assert.rejects(openStore(address, { ...options, schema }), {
        name: 'StorageUnavailable',
        message: /migration 2 \(paying\) was applied to this database in a different form: run/,
      });
    }
  });

  it('is recorded for migrations of earlier versions, and compared from then on', async (t) => {
    const address = await freshDatabase(t, engine);
    await migrate(address);
    const forget = engine.name === 'sqlite' ? 'DROP TABLE migrations' : 'ALTER TABLE migrations DROP COLUMN checksum';
    await changeChecksums(address, forget);
    for (const schema of ['existing', 'migrate'] as const) {
      const store = await openStore(address, { ...options, schema });
      await store.check();
      await store.close();
    }
    await changeChecksums(address, "UPDATE migrations SET checksum = 'other' WHERE number = 1");
    await assert.rejects(openStore(address, options), /migration 1 \(core\) was applied/);
  });
});

describe('Pending migrations', () => {
  it('have a checksum that does not depend on the line endings of the checkout', () => {
    const [first] = migrationsFor('sqlite');
    assert.ok(first !== undefined);
    const windows = { ...first, sql: first.sql.replaceAll('\n', '\r\n') };
    assert.equal(checksumOf(windows), checksumOf(first));
    assert.notEqual(checksumOf({ ...first, sql: `${first.sql}-- more` }), checksumOf(first));
  });

  const all: Migration[] = [1, 2, 3].map((number) => ({ number, name: `m${number}`, sql: '', usableFrom: number }));

  it('are those after the last applied one, in order', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((applied) => pendingMigrations(all, applied).map(({ number }) => number)),
      [[1, 2, 3], [2, 3], [3], []],
    );
  });

  it('declare since the twelfth which earlier versions can use their tables', () => {
    for (const { number, name, usableFrom } of migrationsFor('sqlite').slice(12)) {
      assert.ok(usableFrom < number, `${name} declares: -- Usable by versions that know migration ${number - 1}.`);
    }
  });

  it('exist as the same list, by number and name, for both engines', () => {
    const names = (engine: 'sqlite' | 'postgres') => migrationsFor(engine).map(({ number, name }) => [number, name]);
    assert.deepEqual(names('sqlite'), names('postgres'));
  });
});
