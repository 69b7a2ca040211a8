// The SQLite file: one serving process, short commands beside it, and a lock that ends with its holder.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../src/storage/open-store.ts';
import { openDatabase } from '../../src/storage/sqlite/open-database.ts';
import { startProgram } from '../support/child-process.ts';
import { mustCommit, mustStore } from '../support/committing.ts';
import { freshDatabase, freshStore, sqlite } from '../support/engines.ts';
import { anApiKey, aPayment, aScope } from '../support/records.ts';

const serving = { serving: true, onConnectionLost: () => {} };
const shortCommand = { ...serving, serving: false };

describe('A SQLite file', () => {
  it('is served by one process at a time: a second is refused until the first has closed', async (t) => {
    const address = await freshDatabase(t, sqlite);
    const first = await openStore(address, serving);
    await assert.rejects(openStore(address, serving), {
      name: 'StorageUnavailable',
      message: /another Paydesk process is serving .*paydesk\.db\. Stop it first, or use PostgreSQL/,
    });
    await first.check();
    await first.close();
    const second = await openStore(address, serving);
    await second.close();
  });

  it('can be served again after the serving process was killed', async (t) => {
    const address = await freshDatabase(t, sqlite);
    const program = new URL('./programs/commit-until-killed.ts', import.meta.url);
    const committer = startProgram(program, { address, scope: aScope() });
    try {
      await committer.firstLine();
      await assert.rejects(openStore(address, serving), /another Paydesk process is serving/);
    } finally {
      await committer.kill();
    }
    const store = await openStore(address, serving);
    await store.close();
  });

  it('allows short commands alongside the serving process, and each sees what the other wrote', async (t) => {
    const { store, openAnother } = await freshStore(t, sqlite);
    const command = await openAnother();
    const { intent } = await mustStore(store, aPayment());
    assert.deepEqual(await command.find('paymentIntents', intent, intent.id), intent);
    const key = anApiKey();
    await mustCommit(command, { apiKeys: [key] });
    assert.equal((await store.findBy('apiKeys', 'id', key.id))?.hash, key.hash);
  });

  it('may be in a folder that does not exist yet', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-test-sqlite-'));
    t.after(() => rmSync(folder, { recursive: true }));
    for (const [name, options] of Object.entries({ serving, shortCommand })) {
      const store = await openStore({ engine: 'sqlite', path: join(folder, name, 'deep', 'paydesk.db') }, options);
      await store.check();
      await store.close();
    }
  });

  it('can be opened while another process is still creating it', async (t) => {
    const address = await freshDatabase(t, sqlite);
    const maker = startProgram(new URL('./programs/hold-new-file.ts', import.meta.url), { address, holdMs: 200 });
    await maker.firstLine();
    const store = await openStore(address, serving);
    t.after(() => store.close());
    await store.check();
    assert.equal(await maker.ended(), 0);
  });

  it('is synced to disk with every commit', async (t) => {
    const address = await freshDatabase(t, sqlite);
    assert.ok(address.engine === 'sqlite');
    const database = openDatabase(address.path);
    t.after(() => database.close());
    assert.equal(database.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
    assert.equal(database.prepare('PRAGMA synchronous').get()?.synchronous, 2, 'FULL');
  });

  it('contains pending commits after the store is closed', async (t) => {
    const address = await freshDatabase(t, sqlite);
    const store = await openStore(address, serving);
    const { intent, session } = aPayment();
    const outcome = store.commit({ paymentIntents: [intent], checkoutSessions: [session] });
    await store.close();
    assert.deepEqual(await outcome, { committed: true });
    const again = await openStore(address, serving);
    t.after(() => again.close());
    assert.equal((await again.find('paymentIntents', intent, intent.id))?.version, 1);
  });
});
