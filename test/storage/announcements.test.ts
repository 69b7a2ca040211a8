// A commit in one process wakes the others, over PostgreSQL's notifications.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStore } from '../../src/storage/open-store.ts';
import { channelOf } from '../../src/storage/postgres/announcements.ts';
import type { CommittedElsewhere, Store } from '../../src/storage/store.ts';
import { mustCommit } from '../support/committing.ts';
import { type CleansUp, freshDatabase, postgres } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aDelivery, anEvent, aPayment, aWebhookEndpoint } from '../support/records.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { anEndpoint, loopbackAllowed } from '../webhooks/scene.ts';

const serving = { serving: true, onConnectionLost: () => {} };

interface Hearing {
  readonly store: Store;
  readonly heard: CommittedElsewhere[];
}

async function hearing(t: CleansUp, url: string): Promise<Hearing> {
  const store = await openStore({ engine: 'postgres', url }, serving);
  t.after(() => store.close());
  const heard: CommittedElsewhere[] = [];
  store.onCommittedElsewhere((committed) => heard.push(committed));
  return { store, heard };
}

async function freshUrl(t: CleansUp): Promise<string> {
  const address = await freshDatabase(t, postgres);
  assert.ok(address.engine === 'postgres');
  return address.url;
}

/** Commits until the other has heard of it: it may still be connecting. */
async function untilHeard({ store }: Hearing, { heard }: Hearing): Promise<{ merchantId: string; endpointId: string }> {
  const { intent } = aPayment();
  const endpointId = `we_${intent.id}`;
  await until('the commit is heard of', async () => {
    const event = anEvent(intent);
    await mustCommit(store, { events: [event], deliveries: [{ ...aDelivery(aWebhookEndpoint(), event), endpointId }] });
    return heard.some((committed) => committed.endpointIds.includes(endpointId));
  });
  return { merchantId: intent.merchantId, endpointId };
}

describe('A commit in one process (postgres)', () => {
  it('is heard of by the others, with whose events and deliveries they are, and not by itself', async (t) => {
    const url = await freshUrl(t);
    const [one, other] = [await hearing(t, url), await hearing(t, url)];
    const { merchantId, endpointId } = await untilHeard(one, other);
    const committed = other.heard.find(({ endpointIds }) => endpointIds.includes(endpointId));
    assert.deepEqual(committed?.scopes, [{ merchantId, livemode: false }]);
    await untilHeard(other, one);
    assert.ok(one.heard.every((found) => !found.endpointIds.includes(endpointId)));
  });

  it('is heard of again after the connection was lost', async (t) => {
    const url = await freshUrl(t);
    const [one, other] = [await hearing(t, url), await hearing(t, url)];
    await untilHeard(one, other);
    await withClient(url, (client) =>
      client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name = 'paydesk announcements'`),
    );
    await untilHeard(one, other);
    await untilHeard(other, one);
  });

  it('is not announced while no other process serves', async (t) => {
    const url = await freshUrl(t);
    const store = await openStore({ engine: 'postgres', url }, serving);
    await withClient(url, async (client) => {
      await until('the store knows that it is alone', async () => {
        const { rowCount } = await client.query(`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
          AND application_name = 'paydesk announcements' AND state = 'idle' AND query LIKE '%pg_locks%'`);
        return rowCount === 1;
      });
      const heard: string[] = [];
      client.on('notification', ({ payload = '' }) => heard.push(payload));
      await client.query(`LISTEN ${channelOf('public')}`);
      for (let count = 0; count < 5; count += 1) await mustCommit(store, { events: [anEvent()] });
      await store.close();
      await client.query(`NOTIFY ${channelOf('public')}, 'the end'`);
      await until('the end is heard', () => heard.includes('the end'));
      assert.deepEqual(heard, ['the end']);
    });
  });

  it('has its webhooks sent by another that is told, without a look at the queue', async (t) => {
    const blind = (store: Store): Store => ({
      ...store,
      deliveryQueue: { ...store.deliveryQueue, endpointsWithDue: async () => ({ due: [], next: '' }) },
    });
    const paydesk = await startPaydesk(t, postgres, { settings: loopbackAllowed, storage: blind });
    const merchant = await paydesk.newMerchant();
    const receiver = await startWebhookReceiver(t);
    const endpoint = await anEndpoint(paydesk, merchant, receiver.url);
    await until('a webhook arrives', async () => {
      const event = anEvent(aPayment({ scope: merchant.scope }).intent);
      await mustCommit(paydesk.store, { events: [event], deliveries: [aDelivery(endpoint, event)] });
      return receiver.requests.length > 0;
    });
  });
});
