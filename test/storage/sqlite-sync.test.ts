// Which commits of a SQLite file wait for the disk: all but those of records that a power failure may lose.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChangeSet } from '../../src/domain/change-set.ts';
import { groupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { openDatabase } from '../../src/storage/sqlite/open-database.ts';
import { tables } from '../../src/storage/tables.ts';
import { writesInto } from '../../src/storage/writes.ts';
import { changesOf } from '../support/committing.ts';
import { type CleansUp, freshStore, sqlite } from '../support/engines.ts';
import { aPayment, aRequestRecord, aScope } from '../support/records.ts';

async function aGroup(t: CleansUp) {
  const { address, store } = await freshStore(t, sqlite);
  await store.close();
  assert.ok(address.engine === 'sqlite');
  const database = openDatabase(address.path);
  t.after(async () => database.close());
  const group = groupCommit(database, { endReading() {} });
  const writesOf = writesInto(tables);
  return {
    commit: (changes: ChangeSet) => group.commit(writesOf(changes), changes.attemptCounts),
    /** 2: every commit is synced to disk; 1: only when the log is copied. */
    synced: () => database.prepare('PRAGMA synchronous').get()?.synchronous === 2,
  };
}

const records = (): ChangeSet => ({ requestRecords: [aRequestRecord(aScope())] });

describe('A commit on SQLite', () => {
  it('waits for the disk, unless it consists of request records only', async (t) => {
    const { commit, synced } = await aGroup(t);
    assert.ok(synced());
    await commit(records());
    assert.ok(!synced());
    await commit(changesOf(aPayment()));
    assert.ok(synced());
    await commit(records());
    assert.ok(!synced());
  });

  it('waits for the disk if any of its group has to', async (t) => {
    const { commit, synced } = await aGroup(t);
    await commit(records());
    await Promise.all([commit(records()), commit(changesOf(aPayment())), commit(records())]);
    assert.ok(synced());
  });
});
