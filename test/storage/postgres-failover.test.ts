// Several servers in DATABASE_URL: a primary that is killed or hangs, and a replica that is promoted.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStore } from '../../src/storage/open-store.ts';
import { findPrimary } from '../../src/storage/postgres/primary.ts';
import { StorageUnavailable, type Store } from '../../src/storage/store.ts';
import { changesOf, mustStore } from '../support/committing.ts';
import { callPaydesk } from '../support/paydesk-process.ts';
import { aPayment } from '../support/records.ts';
import { startReplicatedPostgres } from '../support/replicated-postgres.ts';
import { until } from '../support/until.ts';

const serving = { serving: true, onConnectionLost: () => {} };

/** Commits until it works again. Only `StorageUnavailable` is retried. */
async function untilItCommits(store: Store): Promise<void> {
  await until(
    'the store commits again',
    async () => {
      try {
        const { committed } = await store.commit(changesOf(aPayment()));
        assert.ok(committed);
        return true;
      } catch (error) {
        assert.ok(error instanceof StorageUnavailable, String(error));
        return false;
      }
    },
    20_000,
  );
}

describe('Several PostgreSQL servers in DATABASE_URL', () => {
  it('are searched for the one that accepts writes, before and after a failover', async (t) => {
    const { primary, replica, url } = await startReplicatedPostgres(t);
    const store = await openStore({ engine: 'postgres', url }, serving);
    t.after(() => store.close());
    const { intent } = await mustStore(store, aPayment());
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), intent);

    await primary.kill();
    await assert.rejects(store.commit(changesOf(aPayment())), StorageUnavailable);
    const refused = await findPrimary(url)
      .find()
      .catch((error: Error) => error.message);
    assert.match(
      String(refused),
      new RegExp(
        `accepts writes: 127.0.0.1:${replica.port} \\(.*replica.*, 127.0.0.1:${primary.port} \\(.*ECONNREFUSED`,
      ),
    );
    await replica.promote();
    const promotedAt = performance.now();
    await untilItCommits(store);
    t.diagnostic(`commits again ${Math.round(performance.now() - promotedAt)} ms after the promotion`);
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), intent, 'acknowledged commits are kept');
    await store.check();
  });

  it('are searched again when the primary stops responding', async (t) => {
    const { primary, replica, url } = await startReplicatedPostgres(t);
    const store = await openStore({ engine: 'postgres', url }, serving);
    t.after(() => store.close());
    const { intent } = await mustStore(store, aPayment());
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), intent);
    await primary.freeze();
    const hanging = [
      store.find('paymentIntents', intent, intent.id), // over the connection of before
      store.list('paymentIntents', { scope: intent, limit: 1 }), // over a new one
    ];
    await replica.promote();
    await untilItCommits(store);
    const read = await Promise.all(hanging);
    assert.deepEqual(read, [intent, [intent]], 'reads that waited for the old primary are served by the new one');
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), intent);
  });

  it('work for commands too', async (t) => {
    const { url } = await startReplicatedPostgres(t);
    const settings = { DATABASE_URL: url, PAYDESK_METRICS_ADDRESS: 'off' };
    const migrated = await callPaydesk(['migrate'], { settings });
    assert.equal(migrated.code, 0, migrated.stderr);
    const examined = await callPaydesk(['doctor'], { settings });
    assert.match(examined.stdout, /ok +storage +postgres is reachable/);
    assert.match(examined.stdout, /ok +clock/);
  });
});
