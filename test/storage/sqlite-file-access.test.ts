// The files of a SQLite database: their owner's alone, and one serving process whichever name it knows them by.

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../src/storage/open-store.ts';
import { mustStore } from '../support/committing.ts';
import { aPayment } from '../support/records.ts';

const serving = { serving: true, onConnectionLost: () => {} };
const refusesSecond = { name: 'StorageUnavailable', message: /another Paydesk process is serving/ };

function freshFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-test-files-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const at = (path: string) => ({ engine: 'sqlite', path }) as const;
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const modesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));

const names = ['paydesk.db', 'paydesk.db-shm', 'paydesk.db-wal', 'paydesk.db.lock'];
const allPrivate = Object.fromEntries(names.map((name) => [name, '600']));

describe('The files of a SQLite database', () => {
  it('are accessible only to their owner, and so is their folder, whatever the umask', async (t) => {
    const folder = join(freshFolder(t), 'deep', 'data');
    const umask = process.umask(0);
    t.after(() => process.umask(umask));
    const store = await openStore(at(join(folder, 'paydesk.db')), serving);
    t.after(() => store.close());
    await mustStore(store, aPayment());
    assert.deepEqual(modesIn(folder), allPrivate);
    assert.equal(modeOf(folder), '700');
  });

  it('that others could access are made private, with a notice; an existing folder only gets a notice', async (t) => {
    const folder = freshFolder(t);
    const path = join(folder, 'paydesk.db');
    const first = await openStore(at(path), serving);
    await mustStore(first, aPayment());
    for (const name of names) chmodSync(join(folder, name), 0o644);
    await first.close();
    chmodSync(folder, 0o755);
    const notices: string[] = [];
    const store = await openStore(at(path), { ...serving, onNotice: (notice) => notices.push(notice) });
    t.after(() => store.close());
    await mustStore(store, aPayment());
    assert.deepEqual(modesIn(folder), allPrivate);
    assert.equal(modeOf(folder), '755');
    for (const name of ['paydesk.db', 'paydesk.db.lock'])
      assert.ok(
        notices.some((notice) => notice.includes(`${name} was accessible to other users`)),
        name,
      );
    assert.ok(notices.some((notice) => notice.includes(`chmod 700 ${folder}`)));
  });

  it('can be served while someone reads the lock file', async (t) => {
    const path = join(freshFolder(t), 'paydesk.db');
    await (await openStore(at(path), serving)).close();
    const reader = new DatabaseSync(`${path}.lock`);
    t.after(() => reader.close());
    reader.exec('BEGIN; SELECT count(*) FROM sqlite_master');
    const store = await openStore(at(path), serving);
    await assert.rejects(openStore(at(path), serving), refusesSecond);
    await store.close();
  });

  it('have one serving process, whichever path it uses', async (t) => {
    const folder = freshFolder(t);
    const data = join(folder, 'data');
    mkdirSync(data);
    const path = join(data, 'paydesk.db');
    const store = await openStore(at(path), serving);
    t.after(() => store.close());
    symlinkSync('data', join(folder, 'linked'));
    symlinkSync(path, join(folder, 'elsewhere.db'));
    symlinkSync('elsewhere.db', join(folder, 'further.db'));
    const others = [
      relative(process.cwd(), path),
      join(folder, 'linked', 'paydesk.db'),
      join(folder, 'elsewhere.db'),
      join(folder, 'further.db'),
      `${data}/../data//paydesk.db`,
    ];
    for (const other of others) await assert.rejects(openStore(at(other), serving), refusesSecond, other);
    assert.deepEqual(readdirSync(folder).toSorted(), ['data', 'elsewhere.db', 'further.db', 'linked']);
  });

  it('can be created through a symbolic link whose target does not exist yet', async (t) => {
    const folder = freshFolder(t);
    mkdirSync(join(folder, 'disk'));
    const link = join(folder, 'paydesk.db');
    symlinkSync(join('disk', 'real.db'), link);
    const store = await openStore(at(link), serving);
    t.after(() => store.close());
    await assert.rejects(openStore(at(join(folder, 'disk', 'real.db')), serving), refusesSecond);
    assert.ok(existsSync(join(folder, 'disk', 'real.db.lock')));
  });

  it('with a hard link are refused under either name, because each would have its own log', async (t) => {
    const folder = freshFolder(t);
    const [path, second] = [join(folder, 'paydesk.db'), join(folder, 'second.db')];
    const store = await openStore(at(path), serving);
    linkSync(path, second);
    for (const options of [serving, { ...serving, serving: false }, { ...serving, schema: 'existing' as const }]) {
      await assert.rejects(openStore(at(second), options), {
        name: 'StorageUnavailable',
        message: /second\.db has another name \(a hard link\).*remove the other name/,
      });
    }
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('second.db')),
      ['second.db'],
    );
    await store.close();
    unlinkSync(second);
    await (await openStore(at(path), serving)).close();
  });
});

describe('A database that must not be created', () => {
  const looking = ['existing', 'read-only'] as const;

  it('is refused with what to do if it is missing, and nothing is created', async (t) => {
    const folder = freshFolder(t);
    for (const schema of looking) {
      for (const isServing of [false, true]) {
        await assert.rejects(
          openStore(at(join(folder, 'deep', 'paydesk.db')), { ...serving, serving: isServing, schema }),
          {
            name: 'StorageUnavailable',
            message: /there is no database at .*paydesk\.db\. Check DATABASE_URL.*paydesk start and paydesk migrate/,
          },
        );
      }
    }
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is not migrated either, and stays unchanged', async (t) => {
    const folder = freshFolder(t);
    const path = join(folder, 'paydesk.db');
    const old = new DatabaseSync(path);
    old.exec('CREATE TABLE facts (name TEXT); PRAGMA user_version = 4');
    old.close();
    const before = readFileSync(path);
    for (const schema of looking) {
      await assert.rejects(openStore(at(path), { ...serving, serving: false, schema }), {
        name: 'StorageUnavailable',
        message: /the database is at migration 4, but this version of Paydesk needs \d+: run paydesk migrate/,
      });
    }
    assert.deepEqual(readFileSync(path), before);
    assert.deepEqual(readdirSync(folder), ['paydesk.db']);
  });

  it('can be read without creating a file: while it is served, afterwards, and after a crash', async (t) => {
    const folder = freshFolder(t);
    const path = join(folder, 'paydesk.db');
    const server = await openStore(at(path), serving);
    const { intent } = await mustStore(server, aPayment());
    const look = async (file: string): Promise<void> => {
      const reader = await openStore(at(file), { ...serving, serving: false, schema: 'read-only' });
      assert.equal((await reader.find('paymentIntents', intent, intent.id))?.id, intent.id);
      await reader.close();
    };
    const filesIn = (place: string) => readdirSync(place).toSorted();
    await look(path);
    assert.deepEqual(filesIn(folder), names);

    // What a process that was killed leaves behind.
    const crashed = freshFolder(t);
    for (const name of filesIn(folder)) writeFileSync(join(crashed, name), readFileSync(join(folder, name)));
    const before = filesIn(crashed).map((name) => [name, readFileSync(join(crashed, name)).toString('base64')]);
    await look(join(crashed, basename(path)));
    const after = filesIn(crashed).map((name) => [name, readFileSync(join(crashed, name)).toString('base64')]);
    const data = (files: string[][]) => files.filter(([name]) => !name?.endsWith('-shm'));
    assert.deepEqual(data(after), data(before));
    assert.deepEqual(filesIn(crashed), names);

    await server.close();
    const closed = filesIn(folder);
    await look(path);
    assert.deepEqual(filesIn(folder), closed);
  });
});
