// `npm run test:cluster`: three Paydesk processes on a Patroni cluster whose leader is killed twice under load. Nothing
// that was acknowledged is lost, the only failure in the meantime is 503, and service resumes soon after there is a new
// primary. Not part of `npm test`: it takes a few minutes and needs Debian's packages patroni, etcd-server and
// postgresql.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openStore } from '../../src/storage/open-store.ts';
import { apiClient, entriesOf, type Fields, must } from '../support/api-client.ts';
import { loadContract } from '../support/api-contract.ts';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { callPaydesk, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { sandboxPayment } from '../support/sandbox-books.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { startPatroniCluster } from './patroni.ts';
import { startShopping } from './shopping.ts';

const processes = 3;
const kills = 2;
const customers = 12;
const purchasesBetween = 40;
/** From the moment a new primary accepts writes to the first successful response of each process. */
const maxAnswerMs = 2_000;
const failoverMs = 60_000;

it('A cluster whose leader is killed under load loses nothing and recovers by itself', async (test) => {
  const t = cleanUpInReverse(test);
  const cluster = await startPatroniCluster(t);
  const folder = await freshFolder(t);
  const settings = {
    DATABASE_URL: cluster.url,
    LOG_LEVEL: 'warn',
    PAYDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PAYDESK_WEBHOOK_RETRY_DELAYS: '1,1,2,2,5,5',
  };
  const args = ['merchant', 'create', '--name', 'Shop'];
  const merchant = await paydeskJson<{ test_key: string; merchant: string }>(args, { folder, settings }, callPaydesk);
  const servers = await Promise.all(Array.from({ length: processes }, () => servePaydesk(t, { folder, settings })));
  const urls = servers.map(({ url }) => url);
  const [url = ''] = urls;
  const contract = await loadContract(url);
  const api = apiClient({ url, key: merchant.test_key, contract });
  const receiver = await startWebhookReceiver(t);
  // A payment in progress when the leader is killed may fail: the customer pays again.
  const enabled_events = [
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'checkout_session.completed',
    'refund.created',
  ];
  must(201, await api.post('/webhook-endpoints', { url: receiver.url, enabled_events }));

  const { ledger, stop } = startShopping({ urls, key: merchant.test_key, contract, customers });
  const morePurchases = async (): Promise<void> => {
    const wanted = ledger.purchases.length + purchasesBetween;
    await until('customers have shopped', () => ledger.purchases.length >= wanted);
  };
  for (let kill = 1; kill <= kills; kill += 1) {
    await morePurchases();
    const leader = await cluster.leader();
    assert.ok(leader !== null);
    const killedAt = performance.now();
    await leader.kill();
    await until('there is a new primary', async () => (await cluster.leader()) !== null, failoverMs);
    const primaryAt = performance.now();
    const answeredAt = await Promise.all(
      urls.map((url) => firstSuccess(apiClient({ url, key: merchant.test_key, contract }))),
    );
    const answerMs = answeredAt.map((at) => Math.round(at - primaryAt));
    test.diagnostic(
      `${leader.name} killed: a new primary after ${Math.round(primaryAt - killedAt)} ms; the last of ${processes} ` +
        `processes answered again ${Math.max(...answerMs)} ms later`,
    );
    for (const ms of answerMs) assert.ok(ms < maxAnswerMs, `a process needed ${ms} ms`);
    await leader.start();
    await cluster.untilComplete();
  }
  await morePurchases();
  await stop();

  const failures = [...ledger.statuses].filter(([status]) => status >= 500 && status !== 503);
  assert.deepEqual(failures, [], 'the only failure is 503');
  const store = await openStore(
    { engine: 'postgres', url: cluster.url },
    { serving: false, onConnectionLost: () => {} },
  );
  t.after(() => store.close());
  for (const { sessionId, intentId, amount, operations, refund } of ledger.purchases) {
    const session = must(200, await api.get(`/checkout-sessions/${sessionId}`));
    assert.deepEqual([session.amount, session.status], [amount, 'completed'], sessionId);
    const intent = must(200, await api.get(`/payment-intents/${intentId}`));
    const expected = { status: 'succeeded', amount_captured: amount, amount_refunded: refund?.amount ?? 0 };
    const refunded = refund === null ? null : must(200, await api.get(`/refunds/${refund.id}`));
    for (const [field, value] of Object.entries(expected))
      assert.equal(intent[field], value, `${intentId} ${field}, refund: ${JSON.stringify(refunded)}`);
    if (refund !== null) assert.equal(refunded?.amount, refund.amount);
    const charges = (await Promise.all(operations.map((id) => sandboxPayment(store, id)))).filter(
      (charge) => charge !== null,
    );
    const sum = (field: 'amountCaptured' | 'amountRefunded'): number =>
      charges.reduce((total, charge) => total + charge[field], 0);
    assert.deepEqual([sum('amountCaptured'), sum('amountRefunded')], [amount, refund?.amount ?? 0], intentId);
  }

  const received = (): Set<string> =>
    new Set(receiver.requests.map(({ body }) => String(JSON.parse(body.toString()).id)));
  const events = await allEvents(api);
  const undelivered = (): Fields[] => {
    const ids = received();
    return events.filter(({ id }) => !ids.has(String(id)));
  };
  await until(
    () => `every event was delivered: ${JSON.stringify(undelivered())}`,
    () => undelivered().length === 0,
  );
  const counted = (type: string): number => events.filter((event) => event.type === type).length;
  assert.equal(counted('payment_intent.succeeded'), ledger.purchases.length);
  assert.equal(counted('checkout_session.completed'), ledger.purchases.length);
  assert.equal(counted('refund.created'), ledger.purchases.filter(({ refund }) => refund !== null).length);
  test.diagnostic(
    `${ledger.purchases.length} purchases, ${counted('refund.created')} refunds, ${events.length} events delivered in ` +
      `${receiver.requests.length} requests; answers: ${[...ledger.statuses].map((pair) => pair.join(': ')).join(', ')}`,
  );
  for (const server of servers)
    assert.equal(/"level":(50|60).*request failed/.test(server.stdout()), false, server.stdout().slice(-3_000));
});

/** Resolves to the time of the first created session. As with real clients, a waiting request does not delay others. */
async function firstSuccess(api: ReturnType<typeof apiClient>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = (): void =>
    void api.post('/checkout-sessions', { amount: 100, currency: 'EUR' }).then(({ status }) => {
      if (status === 201) resolve(performance.now());
      else if (status !== 503) reject(new Error(`answered ${status}`));
    }, reject);
  const timer = setInterval(request, 100);
  const limit = setTimeout(() => reject(new Error(`no success within ${failoverMs} ms`)), failoverMs);
  request();
  return promise.finally(() => {
    clearInterval(timer);
    clearTimeout(limit);
  });
}

async function allEvents(api: ReturnType<typeof apiClient>): Promise<Fields[]> {
  const events: Fields[] = [];
  for (let cursor = ''; ; ) {
    const response = await api.get(`/events?limit=100${cursor}`);
    events.push(...entriesOf(response));
    if (response.body.has_more !== true) return events;
    cursor = `&cursor=${String(response.body.next_cursor)}`;
  }
}
