// Commands and the database: which may make or migrate one, which key goes with it, and what is said when it cannot be
// used.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
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
import { adminUrl, dropDatabase, withClient } from '../support/postgres-admin.ts';

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
}

const quiet = { PORT: '0', PAYDESK_METRICS_ADDRESS: 'off' };

/** Those that only work with what is there. */
const readers = [
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

/** Every file with its content, mode and time of change. */
async function picture(folder: string): Promise<unknown[]> {
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

describeOnEachEngine('A command that works with what is there', (engine) => {
  it('makes no database, no tables, no folder and no key', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const settings = { ...keys, DATABASE_URL: databaseUrl(address) };
    for (const words of readers) {
      const ended = await callPaydesk(words, { folder, settings });
      assert.equal(ended.code, 1, words.join(' '));
      const expected = engine.name === 'sqlite' ? /there is no database at/ : /no tables of Paydesk/;
      assert.match(ended.stderr + ended.stdout, expected, words.join(' '));
      assert.match(ended.stderr + ended.stdout, /Check DATABASE_URL.*paydesk start and paydesk migrate/s);
    }
    assert.deepEqual(await readdir(folder), []);
    assert.equal(await tablesIn(address), 0);
    const { DATABASE_URL } = settings;
    await callPaydesk(['doctor'], { folder, settings: { DATABASE_URL } });
    assert.deepEqual(await readdir(folder), [], 'nor a key, where none is given');
  });

  it('leaves migrations to start, migrate and merchant create', async (t) => {
    const folder = await freshFolder(t);
    for (const words of [['migrate'], ['merchant', 'create', '--name', 'Shop']]) {
      const settings = { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) };
      assert.equal((await callPaydesk(words, { folder, settings })).code, 0);
      assert.equal((await callPaydesk(['merchant', 'list'], { folder, settings })).code, 0);
    }
  });

  it('is refused a database whose secret key is lost or another, as a start is', async (t) => {
    const folder = await freshFolder(t);
    const settings = { PAYDESK_METRICS_ADDRESS: 'off', DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) };
    await (await servePaydesk(t, { folder, settings })).kill();
    const beside =
      engine.name === 'sqlite' ? dirname(settings.DATABASE_URL.slice('sqlite:'.length)) : join(folder, 'data');
    const keyFile = join(beside, 'paydesk.key');
    assert.deepEqual(await examine(folder, settings), []);

    await rename(keyFile, `${keyFile}.kept`);
    const lost = await runPaydesk(['start'], { folder, settings });
    assertOneMessage(lost);
    assert.match(lost.stderr, /belongs to the secret key .*, but there is no .*paydesk\.key: restore that file/);
    const [finding, ...others] = await examine(folder, settings);
    assert.deepEqual([finding?.check, others], ['secret key', []]);
    assert.match(finding?.found ?? '', /but there is no .*paydesk\.key: restore that file/);
    await assert.rejects(stat(keyFile), 'no new key was made');

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
  it('changes nothing: not while the file is served, not after a crash, not after a stop', async (t) => {
    const folder = await freshFolder(t);
    const data = join(folder, 'data');
    const server = await servePaydesk(t, { folder, settings: {} });
    const names = (await readdir(data)).toSorted();
    assert.deepEqual(await examine(folder, {}), []);
    assert.deepEqual((await readdir(data)).toSorted(), names);
    await server.kill();
    const crashed = (await picture(data)).filter((file) => !String(file).includes('-shm'));
    assert.deepEqual(await examine(folder, {}), []);
    assert.deepEqual(
      (await picture(data)).filter((file) => !String(file).includes('-shm')),
      crashed,
    );
    const again = await servePaydesk(t, { folder, settings: {} });
    again.signal('SIGTERM');
    assert.equal(await again.ended(), 0);
    const stopped = await picture(data);
    assert.deepEqual(await examine(folder, {}), []);
    assert.deepEqual(await picture(data), stopped);
  });

  it('finds files and a folder that others can use; a start mends the files and tells of the folder', async (t) => {
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

  it('tells of a PostgreSQL database that is not in UTF-8', async (t) => {
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

describe('What cannot be used is told in one message', () => {
  it('an address that is not of this machine, or that is none', async (t) => {
    const folder = await freshFolder(t);
    for (const host of ['203.0.113.9', 'no-such-host.invalid']) {
      const ended = await runPaydesk(['start'], { folder, settings: { ...quiet, HOST: host } });
      assertOneMessage(ended);
      assert.match(ended.stderr, /(EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN).*Set HOST to an address of this machine/);
    }
  });

  it('a place that cannot be written to', { skip: process.platform !== 'linux' }, async (t) => {
    const folder = await freshFolder(t);
    await writeFile(join(folder, 'file'), '');
    for (const path of ['/sys/paydesk/paydesk.db', '/proc/paydesk.db', 'file/paydesk.db', folder]) {
      for (const command of ['start', 'migrate']) {
        const ended = await callPaydesk([command], { folder, settings: { ...quiet, DATABASE_URL: `sqlite:${path}` } });
        assertOneMessage(ended);
        assert.match(ended.stderr, /set DATABASE_URL to a file (elsewhere|in it)/);
      }
    }
  });

  it('a file of another kind, which is left as it is', { skip: process.platform !== 'linux' }, async (t) => {
    const folder = await freshFolder(t);
    const file = join(folder, 'hosts');
    await writeFile(file, '127.0.0.1 localhost\n'.repeat(100), { mode: 0o644 });
    const before = await picture(folder);
    const pipe = join(await freshFolder(t), 'pipe');
    spawnSync('mkfifo', ['-m', '644', pipe]);
    for (const command of ['start', 'migrate', 'merchant create --name X', 'merchant list', 'doctor']) {
      for (const path of [file, pipe]) {
        const settings = { ...quiet, DATABASE_URL: `sqlite:${path}` };
        const { code, stdout, stderr } = await callPaydesk(command.split(' '), { folder, settings });
        assert.equal(code, 1, `${command} ${path}`);
        assert.match(stdout + stderr, /Check DATABASE_URL\.|set DATABASE_URL to a file/);
      }
      assert.deepEqual(await picture(folder), before, command);
      assert.equal((await stat(pipe)).mode & 0o777, 0o644);
    }
  });

  it('a disk without room for a migration, which then works', async (t) => {
    const folder = await freshFolder(t);
    // A limit on the size of files stands in for a full disk.
    const migrate = (limit: string) =>
      spawnSync('sh', ['-c', `ulimit -f ${limit}; exec "$0" migrate`, paydeskCommand], {
        ...{ cwd: folder, env: environment({}), timeout: 60_000, encoding: 'utf8' },
      });
    const { status, stdout, stderr } = migrate('40');
    assertOneMessage({ code: status, stdout, stderr });
    assert.match(stderr, /cannot be opened: disk I\/O error\. Check that the disk is neither full nor failing/);
    assert.equal(migrate('unlimited').status, 0);
  });

  it('a PostgreSQL database that is not there, or whose password is another', async (t) => {
    const folder = await freshFolder(t);
    const missing = new URL(adminUrl());
    missing.pathname = '/paydesk_test_nowhere';
    for (const command of ['start', 'migrate', 'merchant list']) {
      const ended = await callPaydesk(command.split(' '), {
        folder,
        settings: { ...quiet, DATABASE_URL: missing.href },
      });
      assertOneMessage(ended);
      assert.match(ended.stderr, /PostgreSQL is not available: database "paydesk_test_nowhere" does not exist/);
    }
  });

  it('a PostgreSQL user who may not make tables, or not use those that are there', async (t) => {
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
        const ended = await callPaydesk(command.split(' '), { folder, settings });
        assertOneMessage(ended);
        assert.match(ended.stderr, /permission denied for .*\. Let that user own the database/, command);
      }
    }
    await assertRefused(['start', 'migrate', 'merchant create --name X']);
    const owned = { ...quiet, ...keys, DATABASE_URL: databaseUrl(address) };
    assert.equal((await callPaydesk(['migrate'], { folder, settings: owned })).code, 0);
    await assertRefused(['start', 'migrate', 'merchant list']);
  });
});
