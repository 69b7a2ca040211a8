// A replica that lists are read from while it is current.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { mustStore } from '../support/committing.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aPayment } from '../support/records.ts';
import { startReplicatedPostgres } from '../support/replicated-postgres.ts';
import { until } from '../support/until.ts';

describe('A replica in PAYDESK_REPLICA_URL', () => {
  it('serves lists while it is current, and otherwise the primary does', async (t) => {
    const { primary, replica } = await startReplicatedPostgres(t);
    const notices: string[] = [];
    const store = await openStore(
      { engine: 'postgres', url: primary.url },
      {
        ...{ serving: true, replicaUrl: replica.url, onConnectionLost: () => {} },
        onNotice: (message) => notices.push(message),
      },
    );
    t.after(() => store.close());
    const { intent } = await mustStore(store, aPayment());
    const scope = { merchantId: intent.merchantId, livemode: intent.livemode };
    const listed = async () => (await store.replica.list('paymentIntents', { scope, limit: 10 })).map(({ id }) => id);
    const onReplica = () =>
      withClient(`postgres://postgres@127.0.0.1:${replica.port}/paydesk`, async (client) => {
        const { rowCount } = await client.query(`
          SELECT 1 FROM pg_stat_activity WHERE application_name = 'paydesk' AND query LIKE '%FROM payment_intents%'`);
        return (rowCount ?? 0) > 0;
      });
    const noticed = (what: RegExp) => until(`it is noticed: ${what}`, () => what.test(notices.at(-1) ?? ''));

    await noticed(/^lists are read from the replica/);
    await until('the replica answers a list', async () => {
      assert.deepEqual(await listed(), [intent.id]);
      return onReplica();
    });
    assert.equal(await store.replica.count('paymentIntents', { scope }, 10), 1);
    const { found } = await store.replica.payments.ids({ scope, filter: {}, before: undefined }, 10);
    assert.deepEqual(found, [intent.id]);
    assert.equal((await store.replica.find('paymentsByIntent', scope, intent.id))?.intent.id, intent.id);

    const admin = `postgres://postgres@127.0.0.1:${replica.port}/postgres`;
    await withClient(admin, (client) => client.query('SELECT pg_wal_replay_pause()'));
    const second = await mustStore(store, aPayment({ scope }));
    await noticed(/^lists are read from the primary, .*: it is more than 500 ms behind/);
    assert.ok((await store.replica.find('paymentsByIntent', scope, second.intent.id)) !== null);
    assert.deepEqual((await listed()).toSorted(), [intent.id, second.intent.id].toSorted());
    await withClient(admin, (client) => client.query('SELECT pg_wal_replay_resume()'));
    await noticed(/^lists are read from the replica/);
    assert.equal((await listed()).length, 2);

    await replica.kill();
    assert.equal((await listed()).length, 2, 'no list fails');
    await noticed(/^lists are read from the primary/);
  });

  it('must be one server, and only beside PostgreSQL', () => {
    const problemsOf = (settings: Record<string, string>): string => {
      try {
        readConfig(settings);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const DATABASE_URL = 'postgres://one/paydesk';
    assert.equal(problemsOf({ DATABASE_URL, PAYDESK_REPLICA_URL: 'postgres://two/paydesk' }), '');
    assert.match(
      problemsOf({ DATABASE_URL, PAYDESK_REPLICA_URL: 'postgres://two,three/paydesk' }),
      /must name one replica/,
    );
    assert.match(
      problemsOf({ PAYDESK_REPLICA_URL: 'postgres://two/paydesk' }),
      /without a PostgreSQL server in DATABASE_URL/,
    );
    assert.match(
      problemsOf({ DATABASE_URL: 'postgres://one:5432,two:x/paydesk' }),
      /DATABASE_URL has a host that cannot/,
    );
  });
});
