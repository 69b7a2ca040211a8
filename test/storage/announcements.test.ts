// A commit in one process wakes the others, through PostgreSQL notifications.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { committed } from '../../src/domain/change-set.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { channelOf } from '../../src/storage/postgres/announcements.ts';
import type { CommittedElsewhere, Store } from '../../src/storage/store.ts';
import { mustCommit } from '../support/committing.ts';
import { type CleansUp, freshDatabase, postgres } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aDelivery, anEvent, aPayment, aPaymentLink, aScope, aWebhookEndpoint } from '../support/records.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { anEndpoint, loopbackAllowed } from '../webhooks/scene.ts';

const serving = { serving: true, onConnectionLost: () => {} };

interface Listener {
  readonly store: Store;
  readonly received: CommittedElsewhere[];
}

async function listeningStore(t: CleansUp, url: string): Promise<Listener> {
  const store = await openStore({ engine: 'postgres', url }, serving);
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= store.close());
  t.after(close);
  const received: CommittedElsewhere[] = [];
  store.onCommittedElsewhere((committed) => received.push(committed));
  return { store: { ...store, close }, received };
}

async function freshUrl(t: CleansUp): Promise<string> {
  const address = await freshDatabase(t, postgres);
  assert.ok(address.engine === 'postgres');
  return address.url;
}

/** Commits until the other store is notified: it may still be connecting. */
async function untilNotified(
  { store }: Listener,
  { received }: Listener,
): Promise<{ merchantId: string; endpointId: string }> {
  const { intent } = aPayment();
  const endpointId = `we_${intent.id}`;
  await until('the other store is notified', async () => {
    const event = anEvent(intent);
    await mustCommit(store, { events: [event], deliveries: [{ ...aDelivery(aWebhookEndpoint(), event), endpointId }] });
    return received.some((committed) => committed.endpointIds.includes(endpointId));
  });
  return { merchantId: intent.merchantId, endpointId };
}

const announcingSql = `FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'paydesk announcements'`;

async function terminateAnnouncing(url: string): Promise<void> {
  await withClient(url, (client) => client.query(`SELECT pg_terminate_backend(pid) ${announcingSql}`));
}

/** The connections for announcements. */
async function announcing(url: string): Promise<number> {
  return withClient(url, async (client) => (await client.query(`SELECT pid ${announcingSql}`)).rows.length);
}

describe('A commit in one process (postgres)', () => {
  it('notifies the other processes of its scopes and endpoints, but not its own', async (t) => {
    const url = await freshUrl(t);
    const [one, other] = [await listeningStore(t, url), await listeningStore(t, url)];
    const { merchantId, endpointId } = await untilNotified(one, other);
    const committed = other.received.find(({ endpointIds }) => endpointIds.includes(endpointId));
    assert.deepEqual(committed?.scopes, [{ merchantId, livemode: false }]);
    await untilNotified(other, one);
    assert.ok(one.received.every((found) => !found.endpointIds.includes(endpointId)));
  });

  it('names records that were changed without an event, except new sessions', async (t) => {
    const url = await freshUrl(t);
    const [one, other] = [await listeningStore(t, url), await listeningStore(t, url)];
    await untilNotified(one, other);
    const { intent, session } = aPayment();
    const scope = { merchantId: intent.merchantId, livemode: false };
    await mustCommit(one.store, { paymentIntents: [intent], checkoutSessions: [session] });
    const link = aPaymentLink(scope);
    await mustCommit(one.store, { paymentLinks: [link] });
    await mustCommit(one.store, { paymentIntents: [committed({ ...intent, description: 'Changed' })] });
    await untilNotified(one, other);
    const ofScope = other.received
      .flatMap(({ scopes }) => scopes)
      .filter(({ merchantId }) => merchantId === scope.merchantId);
    assert.deepEqual(
      ofScope.flatMap(({ changed = [] }): unknown => changed),
      [
        { table: 'paymentLinks', id: link.id },
        { table: 'paymentIntents', id: intent.id },
      ],
    );
  });

  it('names up to ten of them for each merchant, however many merchants there are', async (t) => {
    const url = await freshUrl(t);
    const [one, other] = [await listeningStore(t, url), await listeningStore(t, url)];
    await untilNotified(one, other);
    const merchants = Array.from({ length: 100 }, () => aScope());
    const linksOf = (count: number) =>
      merchants.flatMap((scope) => Array.from({ length: count }, () => aPaymentLink(scope)));
    const namedFor = ({ merchantId }: Scope) =>
      other.received.flatMap(({ scopes }) => scopes).find((scope) => scope.merchantId === merchantId)?.changed;
    const links = linksOf(10);
    await mustCommit(one.store, { paymentLinks: links });
    await until('the other store is notified of all', () => merchants.every((scope) => namedFor(scope) !== undefined));
    for (const scope of merchants) {
      const ids = links.filter(({ merchantId }) => merchantId === scope.merchantId).map(({ id }) => id);
      assert.deepEqual(
        namedFor(scope),
        ids.map((id) => ({ table: 'paymentLinks', id })),
      );
    }

    other.received.length = 0;
    await mustCommit(one.store, { paymentLinks: linksOf(11) });
    await until('the other store is notified of all', () => merchants.every((scope) => namedFor(scope) === 'many'));
  });

  it('notifies the others again after the connection was lost', async (t) => {
    const url = await freshUrl(t);
    const [one, other] = [await listeningStore(t, url), await listeningStore(t, url)];
    await untilNotified(one, other);
    other.received.length = 0;
    await terminateAnnouncing(url);
    await until('it is told what it may have missed', () => other.received.some(({ mayHaveMissed }) => mayHaveMissed));
    await untilNotified(one, other);
    await untilNotified(other, one);
  });

  it('takes one connection, however long PostgreSQL could not be reached', async (t) => {
    const url = await freshUrl(t);
    const { hostname: host, port } = new URL(url);
    const proxy = await startTcpProxy(t, { host, port: Number(port) });
    const direct = await listeningStore(t, url);
    const proxied = await listeningStore(t, url.replace(`:${port}/`, `:${proxy.port}/`));
    await untilNotified(direct, proxied);
    proxy.hold();
    await terminateAnnouncing(url);
    await until('it has failed to connect', () => proxy.heldWith('paydesk announcements') > 1);
    proxy.restore();
    await untilNotified(direct, proxied);
    await proxied.store.close();
    await until('only the other connection is left', async () => (await announcing(url)) === 1);
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
      const received: string[] = [];
      client.on('notification', ({ payload = '' }) => received.push(payload));
      await client.query(`LISTEN ${channelOf('public')}`);
      for (let count = 0; count < 5; count += 1) await mustCommit(store, { events: [anEvent()] });
      await store.close();
      await client.query(`NOTIFY ${channelOf('public')}, 'the end'`);
      await until('the last notification arrives', () => received.includes('the end'));
      assert.deepEqual(received, ['the end']);
    });
  });

  it('makes another process send its webhooks before it polls the queue', async (t) => {
    const withoutPolling = (store: Store): Store => ({
      ...store,
      deliveryQueue: { ...store.deliveryQueue, endpointsWithDue: async () => ({ due: [], next: '' }) },
    });
    const paydesk = await startPaydesk(t, postgres, { settings: loopbackAllowed, storage: withoutPolling });
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

describe('A notification that is no announcement of this version (postgres)', () => {
  const id = 'acct_0123456789abcdefghjkmnpqrstvwx';
  const payloads: readonly string[] = [
    ...['garbage', '', 'null', '[]', '{}', '{"endpointIds":null,"scopes":null}', '{"endpointIds":[]}'],
    ...[
      { endpointIds: [1], scopes: [] },
      { endpointIds: 'all', scopes: [] },
    ].map((value) => JSON.stringify(value)),
    ...[
      null,
      { merchantId: 1, livemode: false },
      { merchantId: id },
      { merchantId: id, livemode: false, changed: 'some' },
      { merchantId: id, livemode: false, changed: [null] },
      { merchantId: id, livemode: false, changed: [{ table: 'tableOfALaterVersion', id }] },
      { merchantId: id, livemode: false, changed: [{ table: 'paymentIntents' }] },
    ].map((scope) => JSON.stringify({ endpointIds: ['we_1'], scopes: [scope] })),
  ];

  const missed = { endpointIds: [], scopes: [], mayHaveMissed: true };

  async function alone(t: CleansUp) {
    const url = await freshUrl(t);
    const listener = await listeningStore(t, url);
    await until('it listens', () => listener.received.length > 0);
    async function notified(payload: string): Promise<CommittedElsewhere[]> {
      listener.received.length = 0;
      await withClient(url, (client) => client.query('SELECT pg_notify($1, $2)', [channelOf('public'), payload]));
      await until(`${payload} arrives`, () => listener.received.length > 0);
      return listener.received;
    }
    return { url, listener, notified };
  }

  it('tells processes only that they may have missed something', async (t) => {
    const { url, listener, notified } = await alone(t);
    for (const payload of payloads) assert.deepEqual(await notified(payload), [missed], payload);
    await untilNotified(await listeningStore(t, url), listener);
  });

  it('is understood if it only has more fields', async (t) => {
    const { notified } = await alone(t);
    const scope = { merchantId: id, livemode: true };
    const record = { table: 'paymentLinks', id: 'plink_1' };
    const later = {
      endpointIds: ['we_1'],
      scopes: [{ ...scope, later: 1, changed: [{ ...record, later: 1 }] }, { ...scope, changed: 'many' }, scope],
      later: 1,
    };
    const scopes = [{ ...scope, changed: [record] }, { ...scope, changed: 'many' }, scope];
    assert.deepEqual(await notified(JSON.stringify(later)), [{ endpointIds: ['we_1'], scopes }]);
  });
});
