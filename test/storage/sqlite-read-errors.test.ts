// Errors of the disk while a SQLite file is read: they concern that read, and not the process.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { reader } from '../../src/storage/sqlite/reader.ts';
import { orUnavailable } from '../../src/storage/sqlite/result-codes.ts';
import { StorageUnavailable } from '../../src/storage/store.ts';
import { facts } from '../../src/storage/tables/facts.ts';
import { freshFolder } from '../support/paydesk-process.ts';

function aReader() {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE TABLE facts (name TEXT, value TEXT); INSERT INTO facts VALUES ('colour', 'green')");
  const read = reader(database);
  const colour = read.one(facts, "WHERE name = 'colour'");
  return { database, read, value: () => colour()?.value };
}

describe('A read of a SQLite file that the disk fails', () => {
  it('leaves the reads that follow working, although SQLite has ended their transaction', async () => {
    const { database, value } = aReader();
    assert.equal(value(), 'green');
    assert.ok(database.isTransaction);
    // As SQLite does by itself.
    database.exec('ROLLBACK');
    assert.equal(value(), 'green', 'in the same tick');
    await nextTurn();
    assert.equal(value(), 'green', 'in a later one');
    assert.ok(database.isTransaction);
    await nextTurn();
    assert.equal(database.isTransaction, false);
  });

  it('leaves the writes that follow working', () => {
    const { database, read, value } = aReader();
    assert.equal(value(), 'green');
    database.exec('ROLLBACK');
    read.end();
    database.exec("BEGIN IMMEDIATE; UPDATE facts SET value = 'red'; COMMIT");
    assert.equal(value(), 'red');
  });

  it('is reported once if its page cannot be read, and does not end the process', async (t) => {
    const path = join(await freshFolder(t), 'facts.db');
    const file = new DatabaseSync(path);
    file.exec("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT); INSERT INTO facts VALUES ('colour', 'green')");
    const { page } = file.prepare("SELECT rootpage AS page FROM sqlite_master WHERE name = 'facts'").get() as {
      page: number;
    };
    file.close();
    const bytes = await readFile(path);
    const broken = Buffer.from(bytes).fill(0xff, (page - 1) * 4_096, page * 4_096);
    await writeFile(path, broken);
    const database = new DatabaseSync(path);
    t.after(() => database.close());
    const colour = reader(database).one(facts, "WHERE value = 'green'");
    assert.throws(() => colour(), StorageUnavailable);
    await nextTurn();
    assert.equal(database.isTransaction, false);
    assert.throws(() => colour(), StorageUnavailable);
    await nextTurn();
  });

  it('is reported as unavailable storage', () => {
    const shortRead = 10 | (2 << 8);
    const corrupt = 11;
    for (const [errcode, message] of [
      [shortRead, 'disk I/O error'],
      [corrupt, 'database disk image is malformed'],
    ] as const) {
      const failed = Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
      const read = (): never => {
        throw failed;
      };
      assert.throws(
        () => orUnavailable(read),
        (error) => error instanceof StorageUnavailable && error.cause === failed && error.message.endsWith(message),
      );
    }
  });
});
