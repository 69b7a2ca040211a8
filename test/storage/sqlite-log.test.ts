// The write-ahead log of a serving process: a thread copies it into the database, it stays short however much is
// written, and nothing is lost if that is not possible.

import assert from 'node:assert/strict';
import { renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openSqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { changesOf, committed, mustCommit, mustStore } from '../support/committing.ts';
import { type CleansUp, freshDatabase, sqlite } from '../support/engines.ts';
import { aPayment, aScope } from '../support/records.ts';
import { until } from '../support/until.ts';

const pageBytes = 4_096;
const limits = { copyEveryPages: 20, restartPages: 100, heldPages: 20, maxPages: 200 };
/** A header and a checksum for each page. */
const logBytes = (pages: number): number => 32 + pages * (pageBytes + 24);

async function openStore(t: CleansUp, logLimits = limits) {
  const address = await freshDatabase(t, sqlite);
  assert.ok(address.engine === 'sqlite');
  const { path } = address;
  const notices: string[] = [];
  const store = openSqliteStore({ path, serving: true, logLimits, onNotice: (notice) => notices.push(notice) });
  let closed = false;
  const close = async (): Promise<void> => {
    if (!closed) await store.close();
    closed = true;
  };
  t.after(close);
  return { store, path, close, notices: () => notices.filter((notice) => !notice.includes('data directory')) };
}

/** Writers that never pause: each commits a payment and reads it, then the next. */
async function writeWithoutPause(store: Store, payments: number, watch: () => void = () => {}): Promise<string[]> {
  const scope = aScope();
  const ids: string[] = [];
  let left = payments;
  const writer = async (): Promise<void> => {
    while (left-- > 0) {
      const payment = aPayment({ scope });
      assert.deepEqual(await store.commit(changesOf(payment)), committed);
      assert.equal((await store.find('paymentIntents', scope, payment.intent.id))?.version, 1);
      ids.push(payment.intent.id);
      watch();
    }
  };
  await Promise.all(Array.from({ length: 16 }, writer));
  return ids;
}

function look<T>(path: string, read: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path);
  try {
    return read(database);
  } finally {
    database.close();
  }
}

const storedIn = (path: string): string[] =>
  look(path, (database) =>
    database
      .prepare('SELECT id FROM payment_intents')
      .all()
      .map(({ id }) => String(id)),
  );

describe('The write-ahead log of a serving process', () => {
  it('is emptied of erased counters as soon as no other program reads it, if one did before', async (t) => {
    const { store, path } = await openStore(t);
    const declined = { slots: { '1000': [0, 1] }, lastDeclinedAt: 1_000, eraseAt: 1_000 } as const;
    const counter = { key: 'card 1', ...declined, atMost: null, since: 0 };
    const logged = (): number => statSync(`${path}-wal`).size;
    await mustCommit(store, { attemptCounts: [counter] });
    const other = new DatabaseSync(path);
    other.exec('BEGIN');
    other.prepare('SELECT count(*) FROM attempt_counters').get();
    assert.equal(await store.eraseAttempts(2_000, 0, 100), 1);
    assert.ok(logged() > 0);
    await mustStore(store, aPayment());
    other.close();
    assert.equal(await store.eraseAttempts(3_000, 0, 100), 0);
    assert.equal(logged(), 0);
  });

  it('stays within its limit while writes never pause, and everything is in the database', async (t) => {
    const { store, path, close } = await openStore(t);
    let longest = 0;
    const ids = await writeWithoutPause(store, 2_500, () => {
      longest = Math.max(longest, statSync(`${path}-wal`).size);
    });
    // 16 payments of a group change at most ten pages each.
    assert.ok(longest <= logBytes(limits.maxPages + 160), `the log had ${longest} bytes`);
    assert.ok(statSync(path).size > logBytes(limits.maxPages + 160), 'more than that was written');
    await close();
    assert.deepEqual(storedIn(path).toSorted(), ids.toSorted());
    assert.equal(
      look(path, (database) => database.prepare('PRAGMA integrity_check').get()?.integrity_check),
      'ok',
    );
  });

  it('holds back all writes at its limit, which is reported', async (t) => {
    const { store, notices } = await openStore(t, { ...limits, copyEveryPages: 1_000_000 });
    await writeWithoutPause(store, 300);
    await until('the limit was reported', async () => notices().length > 0);
    assert.match(notices()[0] ?? '', /^writes had to wait until the write-ahead log was copied into .*grown to \d+ MB/);
  });

  it('grows while another program reads, which is reported, and starts over afterwards', async (t) => {
    const { store, path, notices } = await openStore(t);
    await mustStore(store, aPayment());
    const reader = new DatabaseSync(path);
    t.after(async () => reader.close());
    reader.exec('BEGIN; SELECT count(*) FROM payment_intents');
    await writeWithoutPause(store, 300);
    await until('the growth is reported', async () => notices().length > 0);
    assert.match(
      notices().join('\n'),
      /^the write-ahead log of .* has grown to \d+ MB: another program, such as a backup/,
    );
    reader.exec('COMMIT');
    await until('the log has started over', async () => {
      await mustStore(store, aPayment());
      return Number(reader.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log) < limits.maxPages;
    });
    const reports = notices().filter((notice) => notice.includes('another program'));
    assert.ok(reports.length <= 4, 'only when it has doubled since');
  });

  it('is copied by SQLite itself if the thread cannot be started, which is reported', async (t) => {
    const { store, path, close, notices } = await openStore(t);
    renameSync(path, `${path}.away`);
    const ids = await writeWithoutPause(store, 100);
    await until('the loss of the thread is reported', async () => notices().length > 0);
    const more = await writeWithoutPause(store, 100);
    assert.equal(notices().length, 1);
    assert.match(notices()[0] ?? '', /^the checkpoint thread could not be started: ENOENT.*restart the service$/);
    renameSync(`${path}.away`, path);
    await close();
    assert.deepEqual(storedIn(path).toSorted(), [...ids, ...more].toSorted());
  });

  it('is emptied on request while it is being written to', async (t) => {
    const { store, path } = await openStore(t);
    const counter = { key: 'card one', slots: { '5': [0, 1] as const }, lastDeclinedAt: 1, eraseAt: 5 };
    await mustCommit(store, { attemptCounts: [{ ...counter, atMost: null, since: 0 }] });
    const writing = writeWithoutPause(store, 300);
    assert.equal(await store.eraseAttempts(10, 0, 50), 1);
    await writing;
    assert.equal(
      look(path, (database) => database.prepare('SELECT count(*) AS n FROM attempt_counters').get()?.n),
      0,
    );
  });
});
