// SIGKILL at any moment: acknowledged writes are kept, nothing is half-written, and a retry has no second effect. A
// failure prints its seed; reproduce it with CHAOS_SEED=<seed>.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../src/storage/open-store.ts';
import { type ApiClient, type ApiResponse, apiClient, entriesOf, type Fields, must } from '../support/api-client.ts';
import { type ApiContract, loadContract } from '../support/api-contract.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { chaosNumbers, responseUnlessKilled } from '../support/killing.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';

const rounds = 4;
const connections = 6;

/** A payment as its client knows it: what it requested, and what was acknowledged. */
interface Known {
  readonly key: string;
  readonly body: { readonly amount: number; readonly currency: string; readonly metadata: { readonly n: string } };
  created: ApiResponse | null;
  /** Possible amounts: the last acknowledged one, and one that was sent without a response. */
  amounts: number[];
  readonly expireKey: string;
  expiry: 'not requested' | 'requested' | 'acknowledged';
}

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

/** Creates, updates and expires sessions until the process is gone, and reports each acknowledged request. */
async function hammer(api: ApiClient, known: Known[], next: () => number, onAcknowledged: () => void): Promise<void> {
  for (; ; onAcknowledged()) {
    const open = known.filter(({ created, expiry }) => created !== null && expiry === 'not requested');
    const one = open[Math.floor(next() * open.length)];
    const choice = next();
    if (one === undefined || choice < 0.5) {
      const amount = 1 + Math.floor(next() * 1_000_000);
      const body = { amount, currency: 'EUR', metadata: { n: randomUUID() } };
      const payment: Known = {
        key: randomUUID(),
        body,
        created: null,
        amounts: [amount],
        expireKey: randomUUID(),
        expiry: 'not requested',
      };
      known.push(payment);
      payment.created = await responseUnlessKilled(api.post('/checkout-sessions', body, keyed(payment.key)));
      if (payment.created === null) return;
    } else if (choice < 0.8) {
      const amount = 1 + Math.floor(next() * 1_000_000);
      one.amounts.push(amount);
      if ((await responseUnlessKilled(api.patch(`/checkout-sessions/${one.created?.body.id}`, { amount }))) === null)
        return;
      one.amounts = [amount];
    } else {
      one.expiry = 'requested';
      const path = `/checkout-sessions/${one.created?.body.id}/expire`;
      if ((await responseUnlessKilled(api.post(path, {}, keyed(one.expireKey)))) === null) return;
      one.expiry = 'acknowledged';
    }
  }
}

async function all(api: ApiClient, path: string): Promise<Fields[]> {
  const entries: Fields[] = [];
  let cursor = '';
  for (let page = 0; page < 1_000; page += 1) {
    const response = await api.get(`${path}?limit=100${cursor}`);
    entries.push(...entriesOf(response));
    if (response.body.has_more === false) return entries;
    cursor = `&cursor=${response.body.next_cursor}`;
  }
  return assert.fail('the pages do not end');
}

function assertAsAcknowledged(one: Known, session: Fields | undefined): void {
  assert.ok(session !== undefined, 'an acknowledged session is kept');
  assert.equal(session.id, one.created?.body.id);
  assert.ok(one.amounts.includes(Number(session.amount)), `${session.amount} is not one of ${one.amounts}`);
  if (one.expiry !== 'requested') assert.equal(session.status, one.expiry === 'acknowledged' ? 'expired' : 'open');
  const kept = ['currency', 'metadata', 'payment_intent', 'client_secret', 'created_at'];
  for (const field of session.status === 'open' ? [...kept, 'expires_at'] : kept) {
    assert.deepEqual(session[field], one.created?.body[field], field);
  }
}

function assertWhole(session: Fields, intent: Fields | undefined): void {
  assert.ok(intent !== undefined, 'a session has its payment intent');
  assert.equal(intent.id, session.payment_intent);
  assert.equal(intent.amount, session.amount);
  assert.deepEqual(intent.metadata, session.metadata);
  assert.equal(intent.status, session.status === 'open' ? 'requires_payment_method' : 'expired');
}

describeOnEachEngine('A process that is killed while it writes', (engine) => {
  it('has kept every acknowledged write after a restart', async (t) => {
    const next = chaosNumbers(t);
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const options = { folder, settings: { DATABASE_URL: databaseUrl(address), LOG_LEVEL: 'warn' } };
    const shop = await paydeskJson<{ test_key: string; merchant: string }>(
      ['merchant', 'create', '--name', 'Shop'],
      options,
      callPaydesk,
    );
    let contract: ApiContract | undefined;
    const shares = Array.from({ length: connections }, (): Known[] => []);
    for (let round = 0; round < rounds; round += 1) {
      const server = await servePaydesk(t, options);
      contract ??= await loadContract(server.url);
      const api = apiClient({ url: server.url, key: shop.test_key, contract });
      let acknowledged = 0;
      const working = shares.map((share) => hammer(api, share, next, () => (acknowledged += 1)));
      const settled = Promise.allSettled(working);
      const enough = 20 + next() * 150;
      await until(`${enough} requests are acknowledged`, () => acknowledged >= enough);
      await pause(next() * 20);
      await server.kill();
      for (const result of await settled) {
        if (result.status === 'rejected') throw result.reason;
      }
    }
    const known = shares.flat();

    const server = await servePaydesk(t, options);
    const api = apiClient({ url: server.url, key: shop.test_key });
    const before = new Map((await all(api, '/checkout-sessions')).map((session) => [session.id, session]));
    for (const one of known) {
      if (one.created !== null) assertAsAcknowledged(one, before.get(one.created.body.id));
    }

    // Every client resends requests without a response, and some with a response, with the same key.
    for (const [index, one] of known.entries()) {
      if (one.created !== null && index % 5 !== 0) continue;
      const again = await api.post('/checkout-sessions', one.body, keyed(one.key));
      must(201, again);
      if (one.created !== null) assert.equal(again.text, one.created.text);
      one.created = again;
    }
    for (const one of known.filter(({ expiry }) => expiry === 'requested')) {
      must(200, await api.post(`/checkout-sessions/${one.created?.body.id}/expire`, {}, keyed(one.expireKey)));
      one.expiry = 'acknowledged';
    }

    const sessions = await all(api, '/checkout-sessions');
    const intents = new Map((await all(api, '/payment-intents')).map((intent) => [intent.checkout_session, intent]));
    assert.equal(sessions.length, known.length, 'one session for each key');
    assert.equal(intents.size, sessions.length);
    const byId = new Map(sessions.map((session) => [session.id, session]));
    for (const one of known) assertAsAcknowledged(one, byId.get(one.created?.body.id));
    for (const session of sessions) assertWhole(session, intents.get(session.id));
    await server.kill();

    const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
    const events = await store.list('events', {
      scope: { merchantId: shop.merchant, livemode: false },
      limit: 100_000,
    });
    await store.close();
    assert.deepEqual(
      events.map(({ data }) => data.id).sort(),
      sessions.flatMap(({ id, status }) => (status === 'expired' ? [id] : [])).sort(),
      'one event for each expired session',
    );
  });
});
