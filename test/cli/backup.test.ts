// paydesk backup and paydesk restore: a copy of a SQLite database that is in use, checked, private and complete, and the
// way back.

import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { progressOn } from '../../src/cli/progress.ts';
import { migrationsFor } from '../../src/storage/migrations.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { registerPlaceFunctions } from '../../src/storage/sqlite/places.ts';
import { openSqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import { apiClient, must } from '../support/api-client.ts';
import { changesOf } from '../support/committing.ts';
import { freshDatabase, postgres } from '../support/engines.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { aPayment } from '../support/records.ts';
import { aShop, countIn, type RestoreResult } from '../support/sqlite-shop.ts';
import { until } from '../support/until.ts';

const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);

async function addPayments(path: string, count: number): Promise<void> {
  const store = openSqliteStore({ path, serving: true });
  await store.commit(changesOf(...Array.from({ length: count }, () => aPayment())));
  await store.close();
}

describe('paydesk backup', () => {
  it('copies a database while a service writes to it: every payment is whole, and nothing committed before is missing', async (t) => {
    const { folder, key, call } = await aShop(t, 0);
    const server = await servePaydesk(t, { folder, settings: {} });
    const api = apiClient({ url: server.url, key });
    let writing = true;
    const created: string[] = [];
    const writers = Array.from({ length: 4 }, async () => {
      while (writing) {
        const response = await api.post('/checkout-sessions', { amount: 5, currency: 'EUR' });
        must(201, response);
        created.push(String(response.body.id));
      }
    });
    await until('there are sessions', () => created.length >= 100);
    const before = [...created];
    const result = await call('backup', 'backup.db');
    assert.equal(result.code, 0, result.stderr);
    const during = created.length;
    await until('the service goes on', () => created.length > during + 10);
    writing = false;
    await Promise.all(writers);
    const copy = new DatabaseSync(join(folder, 'backup.db'), { readOnly: true });
    t.after(() => copy.close());
    const copied = new Set(
      copy
        .prepare('SELECT id FROM checkout_sessions')
        .all()
        .map(({ id }) => String(id)),
    );
    assert.deepEqual(
      before.filter((id) => !copied.has(id)),
      [],
    );
    const halves = copy.prepare(
      'SELECT count(*) AS n FROM checkout_sessions s LEFT JOIN payment_intents p ON p.id = s.payment_intent_id WHERE p.id IS NULL',
    );
    assert.equal(halves.get()?.n, 0);
    assert.match(
      result.stdout,
      /^Backed up to backup\.db: [\d.]+ MB \(merchants: 1, payments: \d+, .*\), checked without errors\.$/m,
    );
    assert.match(
      result.stdout,
      /The secret key is not part of it\. Keep a copy of data\/paydesk\.key \(key [0-9a-f]{8}\)/,
    );
  });

  it('is private, complete in one file, and leaves nothing else', async (t) => {
    const { folder, path, backUp } = await aShop(t, 3);
    await mkdir(join(folder, 'elsewhere'));
    const umask = process.umask(0);
    t.after(() => process.umask(umask));
    const result = await backUp('elsewhere/copy.db');
    assert.deepEqual(await readdir(join(folder, 'elsewhere')), ['copy.db']);
    assert.equal(await modeOf(join(folder, 'elsewhere/copy.db')), '600');
    assert.equal(result.bytes, (await stat(path)).size);
    assert.equal(result.migration, migrationsFor('sqlite').length);
    assert.deepEqual([result.rows.merchants, result.rows.payment_intents, result.rows.checkout_sessions], [1, 3, 3]);
    assert.equal(result.secret_key, null, 'nothing is encrypted yet');
  });

  it('does not replace a file without --force, and never one of its own', async (t) => {
    const { folder, call } = await aShop(t, 1);
    await writeFile(join(folder, 'data/paydesk.key'), `${Buffer.alloc(32, 1).toString('base64')}\n`);
    await writeFile(join(folder, 'kept'), 'kept');
    await symlink('data/paydesk.db', join(folder, 'link.db'));
    const refused = await call('backup', 'kept');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^paydesk: kept already exists: choose another file, or replace it with --force\n$/);
    assert.equal(await readFile(join(folder, 'kept'), 'utf8'), 'kept');
    for (const own of ['paydesk.db', 'paydesk.db-wal', 'paydesk.db-shm', 'paydesk.db.lock', 'paydesk.key']) {
      const { code, stderr } = await call('backup', `data/${own}`, '--force');
      assert.equal(code, 1, own);
      assert.match(stderr, /is in use by Paydesk itself: choose another file/);
    }
    assert.match((await call('backup', 'link.db', '--force')).stderr, /is in use by Paydesk itself/);
    assert.match((await call('backup', 'data', '--force')).stderr, /data is not a file: specify the file to write/);
    assert.match((await call('backup', 'nowhere/x.db')).stderr, /the directory nowhere does not exist: create it/);
    assert.match((await call('backup')).stderr, /specify a file: paydesk backup FILE/);
    assert.equal((await call('backup', 'kept', '--force')).code, 0);
    assert.equal(countIn(join(folder, 'kept')), 1);
  });

  it('fails on a damaged database, which it names, and leaves no file', async (t) => {
    const { folder, path, call } = await aShop(t, 200);
    const file = await readFile(path);
    // The middle of the file: neither its head nor its schema.
    file.fill(0x5a, Math.floor(file.length / 2 / 4096) * 4096, Math.floor(file.length / 2 / 4096) * 4096 + 8 * 4096);
    await writeFile(path, file);
    const { code, stderr } = await call('backup', 'copy.db');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^paydesk: the database data\/paydesk\.db is damaged: .*\. No backup was made\. Restore an earlier one: paydesk restore FILE\n$/s,
    );
    assert.deepEqual((await readdir(folder)).toSorted(), ['data']);
  });

  it('names the database, not the copy, if only the check of the copy finds the damage', async (t) => {
    const { folder, path, call } = await aShop(t, 1);
    // An index over another column than its entries are from.
    const database = new DatabaseSync(path, { defensive: false });
    database.exec('CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2); CREATE INDEX i ON t (a)');
    database.exec('PRAGMA writable_schema = ON');
    database.exec("UPDATE sqlite_master SET sql = 'CREATE INDEX i ON t (b)' WHERE name = 'i'");
    database.close();
    const { code, stderr } = await call('backup', 'copy.db');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^paydesk: the database data\/paydesk\.db is damaged: row 1 missing from index i\. No backup was made\./,
    );
    assert.deepEqual((await readdir(folder)).toSorted(), ['data']);
  });

  it('needs a database of Paydesk', async (t) => {
    const folder = await freshFolder(t);
    assert.match(
      (await callPaydesk(['backup', 'x.db'], { folder })).stderr,
      /there is no database at data\/paydesk\.db/,
    );
    const other = new DatabaseSync(join(folder, 'other.db'));
    other.exec('CREATE TABLE t (a)');
    other.close();
    const settings = { DATABASE_URL: 'sqlite:other.db' };
    const { stderr } = await callPaydesk(['backup', 'x.db'], { folder, settings });
    assert.match(stderr, /other\.db is not a database of Paydesk/);
  });
});

describe('paydesk restore', () => {
  it('puts a backup in place of the database, which it keeps under a name with the time', async (t) => {
    const { folder, path, key, backUp, call } = await aShop(t, 2);
    await backUp('copy.db');
    await addPayments(path, 5);
    const result = await call('restore', 'copy.db');
    assert.equal(result.code, 0, result.stderr);
    assert.equal(countIn(path), 2);
    assert.equal(await modeOf(path), '600');
    const [, replaced = ''] = /The previous database is in (\S+)\. Delete it/.exec(result.stdout) ?? [];
    assert.match(replaced, /paydesk\.db\.replaced-\d{8}T\d{6}Z$/);
    assert.equal(countIn(replaced), 7);
    assert.equal(await modeOf(replaced), '600');
    assert.deepEqual(
      (await readdir(join(folder, 'data'))).filter((name) => name.includes('partial')),
      [],
    );
    const server = await servePaydesk(t, { folder, settings: {} });
    must(200, await apiClient({ url: server.url, key }).get('/me'));
  });

  it('lists the keys and users that were valid in the backup and no longer are', async (t) => {
    const { folder, backUp, call, restore } = await aShop(t, 0);
    const keysOf = async () =>
      (await paydeskJson<{ key: string }[]>(['key', 'list'], { folder }, callPaydesk)).map(({ key }) => key);
    const printedBy = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await call(...args);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    for (const email of ['ada@shop.example', 'bob@shop.example'])
      await printedBy('user', 'create', '--email', email, '--role', 'support');
    const [first = '', second = ''] = await keysOf();
    await backUp('copy.db');
    await printedBy('key', 'create', '--name', 'later');
    for (const id of await keysOf()) if (id !== second) await printedBy('key', 'revoke', id);
    await printedBy('user', 'disable', 'bob@shop.example');
    const printed = await printedBy('restore', 'copy.db');
    assert.match(printed, new RegExp(`^Keys that were revoked .* paydesk key revoke: ${first}$`, 'm'));
    assert.match(printed, /^Users who were disabled .* paydesk user disable: bob@shop\.example$/m);
    const { revived_keys, revived_users } = await restoreLater(restore);
    assert.deepEqual({ revived_keys, revived_users }, { revived_keys: [], revived_users: [] });
  });

  it('makes a database where there is none', async (t) => {
    const { folder, path, backUp, restore } = await aShop(t, 2);
    await backUp('copy.db');
    await rm(dirname(path), { recursive: true });
    const result = await restore('copy.db');
    assert.equal(result.replaced, null);
    assert.equal(countIn(path), 2);
    assert.equal(await modeOf(join(folder, 'data')), '700');
  });

  it('is refused while a service or a command uses the database', async (t) => {
    const { folder, path, backUp, call } = await aShop(t, 2);
    await backUp('copy.db');
    const server = await servePaydesk(t, { folder, settings: {} });
    const refused = await call('restore', 'copy.db');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /another Paydesk process is serving .*Stop it first, then run paydesk restore again/);
    await server.kill();
    const user = new DatabaseSync(path);
    user.exec('BEGIN; SELECT count(*) FROM payment_intents');
    const inUse = await call('restore', 'copy.db');
    assert.equal(inUse.code, 1);
    assert.match(inUse.stderr, /another process is using .*paydesk\.db: wait until it has finished/);
    user.close();
    assert.equal(countIn(path), 2);
    assert.equal((await call('restore', 'copy.db')).code, 0);
  });

  it('changes nothing if the backup is damaged, incomplete, of another program, or missing', async (t) => {
    const { folder, path, backUp, call } = await aShop(t, 300);
    await backUp('copy.db');
    const at = (name: string): string => join(folder, name);
    await copyFile(at('copy.db'), at('short.db'));
    await truncate(at('short.db'), Math.floor((await stat(at('copy.db'))).size / 2));
    const damaged = await readFile(at('copy.db'));
    damaged.fill(0x5a, damaged.length - 20 * 4096, damaged.length - 12 * 4096);
    await writeFile(at('damaged.db'), damaged);
    await writeFile(at('text.db'), 'not a database, but long enough to be taken for one'.repeat(100));
    await copyFile(at('copy.db'), at('live.db'));
    await writeFile(at('live.db-wal'), 'something');
    new DatabaseSync(at('other.db')).exec('CREATE TABLE t (a)');
    const expected: Readonly<Record<string, RegExp>> = {
      'short.db': /^paydesk: short\.db is damaged/,
      'damaged.db': /^paydesk: damaged\.db is damaged: /,
      'text.db': /^paydesk: text\.db is damaged, or not a SQLite database/,
      'live.db': /live\.db is not complete by itself: live\.db-wal belongs to it/,
      'other.db': /other\.db is not a database of Paydesk/,
      'missing.db': /there is no file missing\.db/,
      data: /data is not a file/,
      'data/paydesk.db': /is the database itself/,
    };
    for (const [file, message] of Object.entries(expected)) {
      const { code, stderr } = await call('restore', file);
      assert.equal(code, 1, file);
      assert.match(stderr, message, file);
    }
    assert.equal(countIn(path), 300);
    assert.deepEqual(
      (await readdir(at('data'))).filter((name) => /partial|replaced/.test(name)),
      [],
    );
  });

  it('replaces a damaged database, and keeps it with its log', async (t) => {
    const { folder, path, backUp, restore } = await aShop(t, 2);
    await backUp('copy.db');
    await writeFile(path, 'garbage'.repeat(10_000));
    await writeFile(`${path}-wal`, 'its log');
    const { replaced } = await restore('copy.db');
    assert.ok(!(await readdir(join(folder, 'data'))).includes('paydesk.db-wal'));
    assert.equal(countIn(path), 2);
    assert.equal((await readFile(replaced ?? '')).toString().slice(0, 7), 'garbage');
    assert.equal(await readFile(`${replaced}-wal`, 'utf8'), 'its log');
  });

  it('takes a backup of an earlier version, which the next start migrates, and one of a later version only if this one can use it', async (t) => {
    const { folder, path, backUp, call, restore } = await aShop(t, 1);
    const all = migrationsFor('sqlite');
    const old = new DatabaseSync(join(folder, 'old.db'));
    registerPlaceFunctions(old);
    for (const { sql } of all.slice(0, 9)) old.exec(sql);
    old.exec('PRAGMA user_version = 9');
    old.close();
    assert.equal((await restore('old.db')).pending_migrations, all.length - 9);
    const store = await openStore({ engine: 'sqlite', path }, { serving: true, onConnectionLost: () => {} });
    await store.check();
    await store.close();

    await backUp('new.db');
    const later = new DatabaseSync(join(folder, 'new.db'));
    later.exec(`PRAGMA user_version = ${all.length + 1}`);
    later.close();
    const { code, stderr } = await call('restore', 'new.db');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /the database is at migration \d+, but this version of Paydesk only knows \d+: run a newer version/,
    );

    const usable = new DatabaseSync(join(folder, 'new.db'));
    usable
      .prepare('INSERT INTO migrations (number, name, checksum, usable_from) VALUES (?, ?, ?, ?)')
      .run(all.length + 1, 'later', 'unknown here', all.length);
    usable.close();
    assert.equal((await restoreLater(restore, 'new.db')).pending_migrations, 0);
  });

  it('says which secret key the backup needs if it is not the one here', async (t) => {
    const { folder, backUp, restore } = await aShop(t, 1);
    await (await servePaydesk(t, { folder, settings: {} })).kill();
    const { secret_key: id, secret_key_file: file } = await backUp('copy.db');
    assert.equal(file, 'data/paydesk.key');
    assert.equal((await restore('copy.db')).secret_key_problem, null);
    await writeFile(join(folder, 'data/paydesk.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
    assert.match(
      (await restoreLater(restore)).secret_key_problem ?? '',
      new RegExp(`belongs to the secret key ${id?.slice(0, 8)},`),
    );
    await rm(join(folder, 'data/paydesk.key'));
    assert.match(
      (await restoreLater(restore)).secret_key_problem ?? '',
      /but there is no data\/paydesk\.key: restore that/,
    );
  });
});

/** The name of a replaced database has the time in seconds. */
async function restoreLater(
  restore: (file: string) => Promise<RestoreResult>,
  file = 'copy.db',
): Promise<RestoreResult> {
  const second = Math.floor(Date.now() / 1000);
  await until('a second has passed', () => Math.floor(Date.now() / 1000) > second);
  return restore(file);
}

describe('paydesk backup and paydesk restore on PostgreSQL', () => {
  it('refer to the programs of the server', async (t) => {
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: databaseUrl(await freshDatabase(t, postgres)) };
    const backup = await callPaydesk(['backup', 'x.db'], { folder, settings });
    assert.equal(backup.code, 1);
    assert.match(backup.stderr, /paydesk backup is for SQLite.*pg_dump/);
    const restore = await callPaydesk(['restore', 'x.db'], { folder, settings });
    assert.equal(restore.code, 1);
    assert.match(restore.stderr, /paydesk restore is for SQLite.*pg_restore/);
    assert.deepEqual(await readdir(folder), []);
  });
});

describe('The progress of longer work', () => {
  function watched(isTTY: boolean) {
    let now = 0;
    let written = '';
    const progress = progressOn({ isTTY, write: (text) => (written += text) }, () => now);
    return { progress, written: () => written, pass: (ms: number) => (now += ms) };
  }

  it('is one line on a terminal, overwritten at most ten times a second and removed at the end', () => {
    const { progress, written, pass } = watched(true);
    for (let percent = 0; percent < 4; percent++) {
      progress.show(`copying: ${percent} %`);
      pass(50);
    }
    progress.end();
    assert.equal(written(), '\r\u001b[Kcopying: 0 %\r\u001b[Kcopying: 2 %\r\u001b[K');
  });

  it('shows the next step at once, so that no finished one stays on the screen', () => {
    for (const [isTTY, shown] of [
      [true, '\r\u001b[Kcopying: 98 %\r\u001b[Kchecking'],
      [false, 'copying: 98 %\nchecking\n'],
    ] as const) {
      const { progress, written, pass } = watched(isTTY);
      pass(2_000);
      progress.show('copying: 98 %', 'copying');
      progress.show('copying: 99 %', 'copying');
      progress.show('checking', 'checking');
      assert.equal(written(), shown);
    }
  });

  it('is a line every two seconds elsewhere, so nothing for short work', () => {
    const { progress, written, pass } = watched(false);
    progress.show('copying: 1 %', 'copying');
    progress.show('checking', 'checking');
    assert.equal(written(), '');
    pass(2_000);
    progress.show('copying: 2 %', 'copying');
    progress.end();
    assert.equal(written(), 'copying: 2 %\n');
  });
});
