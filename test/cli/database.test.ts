// Commands and the database: which ones may create or migrate it, which key belongs to it, and the errors when it cannot
// be used.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/cli/doctor.ts';
import { migrationsFor } from '../../src/storage/migrations.ts';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import { describeOnEachEngine, freshDatabase, postgres } from '../support/engines.ts';
import {
  callPaydesk,
  databaseUrl,
  environment,
  freshFolder,
  paydeskCommand,
  runPaydesk,
  servePaydesk,
} from '../support/paydesk-process.ts';
import { adminUrl, createDatabase, dropDatabase, withClient } from '../support/postgres-admin.ts';

const quiet = { PORT: '0', PAYDESK_METRICS_ADDRESS: 'off' };

/** Commands that need an existing database. */
const needDatabase = [
  ['doctor'],
  ['merchant', 'list'],
  ['merchant', 'update', 'acct_x', '--name', 'y'],
  ['key', 'list'],
  ['key', 'create'],
  ['key', 'revoke', 'key_x'],
  ['secret-key', 'rotate'],
];
const keys = {
  PAYDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  PAYDESK_OLD_SECRET_KEY: Buffer.alloc(32, 2).toString('base64'),
};

async function examine(folder: string, settings: Readonly<Record<string, string>>): Promise<Finding[]> {
  const { stdout } = await callPaydesk(['doctor', '--json'], { folder, settings });
  return (JSON.parse(stdout) as Finding[]).filter(({ ok }) => !ok);
}

async function tablesIn(address: DatabaseAddress): Promise<number> {
  if (address.engine === 'sqlite') return (await stat(address.path).catch(() => null))?.size ?? 0;
  return withClient(address.url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    );
    return rows[0]?.count ?? 0;
  });
}

/** Every file with its content, mode and modification time. */
async function snapshot(folder: string): Promise<unknown[]> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const { mode, mtimeMs, ino } = await stat(join(folder, name));
      return [name, mode, mtimeMs, ino, (await readFile(join(folder, name)).catch(() => '')).toString('base64')];
    }),
  );
}

function assertOneMessage({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): void {
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^paydesk: .+\n$/, 'one line');
  assert.doesNotMatch(stderr, /^\s+at /m);
}

describeOnEachEngine('A command that needs an existing database', (engine) => {
  it('creates no database, tables, folder or key', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const settings = { ...keys, DATABASE_URL: databaseUrl(address) };
    for (const args of needDatabase) {
      const result = await callPaydesk(args, { folder, settings });
      assert.equal(result.code, 1, args.join(' '));
      const expected = engine.name === 'sqlite' ? /there is no database at/ : /no tables of Paydesk/;
      assert.match(result.stderr + result.stdout, expected, args.join(' '));
      assert.match(result.stderr + result.stdout, /Check DATABASE_URL.*paydesk start and paydesk migrate/s);
    }
    assert.deepEqual(await readdir(folder), []);
    assert.equal(await tablesIn(address), 0);
    const { DATABASE_URL } = settings;
    await callPaydesk(['doctor'], { folder, settings: { DATABASE_URL } });
    assert.deepEqual(await readdir(folder), [], 'no key is created if none is set');
  });

  it('works after migrate, which says how many migrations it applied', async (t) => {
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) };
    const all = migrationsFor(engine.name).length;
    const migrate = (...more: string[]) => callPaydesk(['migrate', ...more], { folder, settings });
    const first = await migrate('--json');
    assert.deepEqual(JSON.parse(first.stdout), { database: engine.name, migrated: true, applied_migrations: all });
    const second = await migrate('--json');
    assert.deepEqual(JSON.parse(second.stdout), { database: engine.name, migrated: true, applied_migrations: 0 });
    const { stdout } = await migrate();
    assert.equal(stdout, `The ${engine.name} database was already up to date: no migrations were applied.\n`);

    const empty = { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) };
    const created = await callPaydesk(['migrate'], { folder, settings: empty });
    assert.equal(created.stdout, `The ${engine.name} database is up to date: ${all} migrations were applied.\n`);
  });

  it('works after migrate or merchant create', async (t) => {
    const folder = await freshFolder(t);
    for (const args of [['migrate'], ['merchant', 'create', '--name', 'Shop']]) {
      const settings = { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) };
      assert.equal((await callPaydesk(args, { folder, settings })).code, 0);
      assert.equal((await callPaydesk(['merchant', 'list'], { folder, settings })).code, 0);
    }
  });

  it('rejects a database whose secret key is lost or different, like start', async (t) => {
    const folder = await freshFolder(t);
    const settings = { PAYDESK_METRICS_ADDRESS: 'off', DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) };
    await (await servePaydesk(t, { folder, settings })).kill();
    const keyFolder =
      engine.name === 'sqlite' ? dirname(settings.DATABASE_URL.slice('sqlite:'.length)) : join(folder, 'data');
    const keyFile = join(keyFolder, 'paydesk.key');
    assert.deepEqual(await examine(folder, settings), []);

    await rename(keyFile, `${keyFile}.kept`);
    const lost = await runPaydesk(['start'], { folder, settings });
    assertOneMessage(lost);
    assert.match(lost.stderr, /belongs to the secret key .*, but there is no .*paydesk\.key: restore that file/);
    const [finding, ...others] = await examine(folder, settings);
    assert.deepEqual([finding?.check, others], ['secret key', []]);
    assert.match(finding?.found ?? '', /but there is no .*paydesk\.key: restore that file/);
    await assert.rejects(stat(keyFile), 'no new key was created');

    const other = { ...settings, PAYDESK_SECRET_KEY: keys.PAYDESK_SECRET_KEY };
    const [wrong] = await examine(folder, other);
    assert.equal(wrong?.check, 'secret key');
    assert.match(wrong?.found ?? '', /belongs to the secret key .*, but the one in use is/);
    assertOneMessage(await runPaydesk(['start'], { folder, settings: other }));

    await rename(`${keyFile}.kept`, keyFile);
    await (await servePaydesk(t, { folder, settings })).kill();
  });
});

describe('paydesk doctor', () => {
  it('changes nothing while the service runs, after a crash or after a stop', async (t) => {
    const folder = await freshFolder(t);
    const data = join(folder, 'data');
    const server = await servePaydesk(t, { folder, settings: {} });
    const names = (await readdir(data)).toSorted();
    assert.deepEqual(await examine(folder, {}), []);
    assert.deepEqual((await readdir(data)).toSorted(), names);
    await server.kill();
    const crashed = (await snapshot(data)).filter((file) => !String(file).includes('-shm'));
    assert.deepEqual(await examine(folder, {}), []);
    assert.deepEqual(
      (await snapshot(data)).filter((file) => !String(file).includes('-shm')),
      crashed,
    );
    const again = await servePaydesk(t, { folder, settings: {} });
    again.signal('SIGTERM');
    assert.equal(await again.ended(), 0);
    const stopped = await snapshot(data);
    assert.deepEqual(await examine(folder, {}), []);
    assert.deepEqual(await snapshot(data), stopped);
  });

  it('reports files and a folder that others can access; start fixes the files and warns about the folder', async (t) => {
    const folder = await freshFolder(t);
    const data = join(folder, 'data');
    const first = await servePaydesk(t, { folder, settings: {} });
    assert.equal((await stat(data)).mode & 0o777, 0o700);
    for (const name of await readdir(data)) assert.equal((await stat(join(data, name))).mode & 0o777, 0o600, name);
    await first.kill();
    await chmod(data, 0o755);
    for (const name of ['paydesk.db', 'paydesk.db.lock', 'paydesk.key']) await chmod(join(data, name), 0o644);
    const found = (await examine(folder, {})).map(({ found }) => found).join('\n');
    for (const name of ['data ', 'data/paydesk.db ', 'data/paydesk.db.lock ', 'data/paydesk.key '])
      assert.ok(found.includes(name), `${name} in ${found}`);
    const second = await servePaydesk(t, { folder, settings: {} });
    assert.match(second.stdout(), /paydesk\.db was accessible to other users; its mode is now 600/);
    assert.match(second.stdout(), /paydesk\.key was accessible to other users/);
    assert.match(second.stdout(), /chmod 700 .*data/);
    for (const name of await readdir(data)) assert.equal((await stat(join(data, name))).mode & 0o777, 0o600, name);
    assert.deepEqual(
      (await examine(folder, {})).map(({ check }) => check),
      ['files'],
    );
  });

  it('reports a PostgreSQL database that is not encoded in UTF-8', async (t) => {
    const name = `paydesk_test_doctor_${process.pid}`;
    const url = new URL(adminUrl());
    url.pathname = `/${name}`;
    await withClient(adminUrl(), (client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`),
    );
    t.after(() => dropDatabase(url.href));
    const folder = await freshFolder(t);
    const settings = { ...quiet, DATABASE_URL: url.href };
    const [finding] = await examine(folder, settings);
    assert.match(finding?.found ?? '', /is encoded in LATIN1.*createdb --template=template0 --encoding=UTF8/);
    const start = await callPaydesk(['start'], { folder, settings });
    assertOneMessage(start);
    assert.match(start.stderr, /is encoded in LATIN1/);
  });
});

describe('A single message reports', () => {
  it('an invalid address, or one that does not belong to this machine', async (t) => {
    const folder = await freshFolder(t);
    for (const host of ['203.0.113.9', 'no-such-host.invalid']) {
      const result = await runPaydesk(['start'], { folder, settings: { ...quiet, HOST: host } });
      assertOneMessage(result);
      assert.match(result.stderr, /(EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN).*Set HOST to an address of this machine/);
    }
  });

  it('a location that is not writable', { skip: process.platform !== 'linux' }, async (t) => {
    const folder = await freshFolder(t);
    await writeFile(join(folder, 'file'), '');
    for (const path of ['/sys/paydesk/paydesk.db', '/proc/paydesk.db', 'file/paydesk.db', folder]) {
      for (const command of ['start', 'migrate']) {
        const result = await callPaydesk([command], { folder, settings: { ...quiet, DATABASE_URL: `sqlite:${path}` } });
        assertOneMessage(result);
        assert.match(result.stderr, /set DATABASE_URL to a file (elsewhere|in it)/);
      }
    }
  });

  it('a file that is not a database, and leaves it unchanged', { skip: process.platform !== 'linux' }, async (t) => {
    const folder = await freshFolder(t);
    const file = join(folder, 'hosts');
    await writeFile(file, '127.0.0.1 localhost\n'.repeat(100), { mode: 0o644 });
    const before = await snapshot(folder);
    const pipe = join(await freshFolder(t), 'pipe');
    spawnSync('mkfifo', ['-m', '644', pipe]);
    for (const command of ['start', 'migrate', 'merchant create --name X', 'merchant list', 'doctor']) {
      for (const path of [file, pipe]) {
        const settings = { ...quiet, DATABASE_URL: `sqlite:${path}` };
        const { code, stdout, stderr } = await callPaydesk(command.split(' '), { folder, settings });
        assert.equal(code, 1, `${command} ${path}`);
        assert.match(stdout + stderr, /Check DATABASE_URL|set DATABASE_URL to a file/);
      }
      assert.deepEqual(await snapshot(folder), before, command);
      assert.equal((await stat(pipe)).mode & 0o777, 0o644);
    }
  });

  it('a SQLite database of another program, and leaves it unchanged', async (t) => {
    for (const [name, sql] of Object.entries({
      unrelated: 'CREATE TABLE notes (a)',
      same: 'CREATE TABLE events (id TEXT)',
      migrations: 'CREATE TABLE migrations (id INTEGER, migration TEXT, batch INTEGER)',
      numbered: 'CREATE TABLE notes (a); PRAGMA user_version = 5',
      current: 'PRAGMA user_version = 26',
    })) {
      const folder = await freshFolder(t);
      await chmod(folder, 0o700);
      const file = join(folder, `${name}.db`);
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
      await chmod(file, 0o644);
      const before = await snapshot(folder);
      const settings = { ...quiet, ...keys, DATABASE_URL: `sqlite:${file}` };
      for (const command of ['start', 'migrate', 'merchant create --name X', 'merchant list', 'doctor']) {
        const { code, stdout, stderr } = await callPaydesk(command.split(' '), { folder, settings });
        assert.equal(code, 1, `${command} ${name}`);
        assert.match(stdout + stderr, /\.db is not a database of Paydesk: .*Check DATABASE_URL/, `${command} ${name}`);
        assert.doesNotMatch(stderr, /\n {4}at /, 'no stack');
        assert.deepEqual(await snapshot(folder), before, `${command} ${name}`);
      }
    }
  });

  it('a PostgreSQL database with tables of another program, and leaves it unchanged', async (t) => {
    for (const [sql, expected] of [
      ['CREATE TABLE migrations (id int, migration text)', /has a table "migrations" of another program/],
      ['CREATE TABLE events (id text)', /relation "events" already exists/],
    ] as const) {
      const folder = await freshFolder(t);
      const url = await createDatabase();
      t.after(() => dropDatabase(url));
      await withClient(url, (client) => client.query(sql));
      const settings = { ...quiet, ...keys, DATABASE_URL: url };
      for (const command of ['start', 'migrate', 'merchant create --name X']) {
        const result = await callPaydesk(command.split(' '), { folder, settings });
        assertOneMessage(result);
        assert.match(result.stderr, expected, command);
        assert.match(result.stderr, /needs a database of its own/, command);
      }
      const tables = "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'";
      await withClient(url, async (client) => assert.equal((await client.query(tables)).rows[0]?.tables, 1));
    }
  });

  it('a disk too full for a migration, which succeeds later', async (t) => {
    const folder = await freshFolder(t);
    // A file size limit simulates a full disk.
    const migrate = (limit: string) =>
      spawnSync('sh', ['-c', `ulimit -f ${limit}; exec "$0" migrate`, paydeskCommand], {
        ...{ cwd: folder, env: environment({}), timeout: 60_000, encoding: 'utf8' },
      });
    const { status, stdout, stderr } = migrate('40');
    assertOneMessage({ code: status, stdout, stderr });
    assert.match(stderr, /cannot be opened: disk I\/O error\. Check that the disk is neither full nor failing/);
    assert.equal(migrate('unlimited').status, 0);
  });

  it('a PostgreSQL database that does not exist', async (t) => {
    const folder = await freshFolder(t);
    const missing = new URL(adminUrl());
    missing.pathname = '/paydesk_test_nowhere';
    for (const command of ['start', 'migrate', 'merchant list']) {
      const result = await callPaydesk(command.split(' '), {
        folder,
        settings: { ...quiet, DATABASE_URL: missing.href },
      });
      assertOneMessage(result);
      assert.match(result.stderr, /PostgreSQL is not available: database "paydesk_test_nowhere" does not exist/);
    }
  });

  it('a PostgreSQL user without permission to create or use tables', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, postgres);
    const url = new URL(databaseUrl(address));
    url.username = 'paydesk_test_guest';
    url.password = 'guest';
    await withClient(databaseUrl(address), async (client) => {
      await client.query(`CREATE ROLE ${url.username} LOGIN PASSWORD 'guest'`);
      await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
      await client.query(`GRANT USAGE ON SCHEMA public TO ${url.username}`);
    });
    t.after(() =>
      withClient(adminUrl(), (client) => client.query(`DROP ROLE IF EXISTS ${url.username}`)).then(() => {}),
    );
    t.after(() => dropDatabase(databaseUrl(address)));
    async function assertRefused(commands: readonly string[]): Promise<void> {
      for (const command of commands) {
        const settings = { ...quiet, ...keys, DATABASE_URL: url.href };
        const result = await callPaydesk(command.split(' '), { folder, settings });
        assertOneMessage(result);
        assert.match(result.stderr, /permission denied for .*\. Let that user own the database/, command);
      }
    }
    await assertRefused(['start', 'migrate', 'merchant create --name X']);
    const owned = { ...quiet, ...keys, DATABASE_URL: databaseUrl(address) };
    assert.equal((await callPaydesk(['migrate'], { folder, settings: owned })).code, 0);
    await assertRefused(['start', 'migrate', 'merchant list']);
  });
});
