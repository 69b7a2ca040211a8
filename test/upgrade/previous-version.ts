// `npm run test:upgrade`: the previous version of Paydesk serves a database that this version has migrated. On PostgreSQL
// both serve it at the same time; on SQLite one after the other. Not part of `npm test`: it needs the history of git.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ApiClient, apiClient, must } from '../support/api-client.ts';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { customerAt } from '../support/customer.ts';
import { type Engine, engines, freshDatabase } from '../support/engines.ts';
import {
  callPaydesk,
  databaseUrl,
  freshFolder,
  paydeskCommand,
  paydeskJson,
  runPaydesk,
  type ServingProcess,
  servePaydesk,
} from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { checkOutPreviousVersion } from './checkout.ts';

interface Purchase {
  readonly intentId: string;
  readonly refundId: string;
}

/** Each step at another process: all of them see what the others have written. */
async function purchase(apis: readonly ApiClient[]): Promise<Purchase> {
  const turn = (step: number): ApiClient => {
    const api = apis[step % apis.length];
    assert.ok(api !== undefined);
    return api;
  };
  const session = must(201, await turn(0).post('/checkout-sessions', { amount: 1250, currency: 'EUR' }));
  await customerAt(turn(1).url).payByCard(session.id, '4242424242424242');
  const intentId = String(session.payment_intent);
  const paid = async (): Promise<boolean> =>
    must(200, await turn(0).get(`/payment-intents/${intentId}`)).status === 'succeeded';
  await until(`${intentId} is paid`, paid);
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const refund = must(201, await turn(0).post(`/payment-intents/${intentId}/refund`, { amount: 250 }, { headers }));
  const again = must(201, await turn(1).post(`/payment-intents/${intentId}/refund`, { amount: 250 }, { headers }));
  assert.equal(again.id, refund.id, 'another version repeats the response to an idempotency key');
  const declined = must(201, await turn(1).post('/checkout-sessions', { amount: 99, currency: 'EUR' }));
  await customerAt(turn(0).url).payByCard(declined.id, '4000000000000002');
  must(200, await turn(1).post(`/checkout-sessions/${declined.id}/expire`));
  return { intentId, refundId: String(refund.id) };
}

async function checkAll(api: ApiClient, purchases: readonly Purchase[]): Promise<void> {
  for (const { intentId, refundId } of purchases) {
    const intent = must(200, await api.get(`/payment-intents/${intentId}`));
    assert.deepEqual([intent.status, intent.amount_captured, intent.amount_refunded], ['succeeded', 1250, 250]);
    assert.equal(must(200, await api.get(`/refunds/${refundId}`)).status, 'succeeded');
  }
}

async function stop(server: ServingProcess): Promise<void> {
  server.signal('SIGTERM');
  assert.equal(await server.ended(), 0, server.stdout());
}

for (const engine of engines) {
  it(`The previous version works on a database of this one, and beside it (${engine.name})`, async (test) => {
    const t = cleanUpInReverse(test);
    const previous = checkOutPreviousVersion(t);
    if (typeof previous === 'string') return test.skip(previous);
    test.diagnostic(`the previous version is ${previous.commit.slice(0, 7)}`);
    await rollOutAndBack(t, engine, previous.command);
  });
}

async function rollOutAndBack(t: ReturnType<typeof cleanUpInReverse>, engine: Engine, oldCommand: string) {
  const isShared = engine.name === 'postgres';
  const folder = await freshFolder(t);
  const settings = {
    DATABASE_URL: databaseUrl(await freshDatabase(t, engine)),
    PAYDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PAYDESK_WEBHOOK_RETRY_DELAYS: '1,1,1',
  };
  const serve = (command: string): Promise<ServingProcess> => servePaydesk(t, { folder, settings, command });
  const purchases: Purchase[] = [];
  let key = '';
  async function shopAt(...servers: readonly ServingProcess[]): Promise<void> {
    const apis = servers.map(({ url }) => apiClient({ url, key }));
    for (let n = 0; n < 3; n++) purchases.push(await purchase(n === 1 ? apis.toReversed() : apis));
    for (const api of apis) await checkAll(api, purchases);
  }

  // The previous version creates the database.
  let older = await serve(oldCommand);
  const args = ['merchant', 'create', '--name', 'Shop'];
  ({ test_key: key } = await paydeskJson<{ test_key: string }>(args, { folder, settings }, oldRun(oldCommand)));
  const receiver = await startWebhookReceiver(t);
  const enabled_events = ['payment_intent.succeeded', 'checkout_session.expired', 'refund.created'];
  must(201, await apiClient({ url: older.url, key }).post('/webhook-endpoints', { url: receiver.url, enabled_events }));
  await shopAt(older);

  // Rolled out: migrated under the previous version where several can serve.
  if (!isShared) await stop(older);
  const force = isShared ? ['--force'] : [];
  const migrated = await callPaydesk(['migrate', ...force], { folder, settings });
  assert.equal(migrated.code, 0, migrated.stderr);
  let newer = await serve(paydeskCommand);
  await shopAt(...(isShared ? [older, newer] : [newer]));

  // Rolled back: the previous version starts on the new tables.
  await stop(newer);
  if (isShared) await stop(older);
  older = await serve(oldCommand);
  await shopAt(older);

  // And out again.
  if (!isShared) await stop(older);
  newer = await serve(paydeskCommand);
  await shopAt(...(isShared ? [newer, older] : [newer]));

  const received = (): Map<string, number> => {
    const types = new Map<string, Set<string>>();
    for (const { body } of receiver.requests) {
      const { id, type } = JSON.parse(body.toString()) as { id: string; type: string };
      types.set(type, (types.get(type) ?? new Set()).add(id));
    }
    return new Map([...types].map(([type, ids]) => [type, ids.size]));
  };
  await until('every event was delivered', () =>
    enabled_events.every((type) => received().get(type) === purchases.length),
  );
}

const oldRun =
  (command: string): typeof runPaydesk =>
  (args, options) =>
    runPaydesk(args, { ...options, command });
