// kill -9 at random moments while customers pay, merchants capture, void and refund, sessions expire and notifications
// arrive. The service starts again; when everything is quiet, its books and the provider's must agree. A seed is printed
// at the start: repeat the kill times with CHAOS_SEED=<seed>.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { loadProvider, providers } from '../../src/acquirers/providers.ts';
import { startApp } from '../../src/app.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import { loggingTo } from '../../src/log.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { type ApiClient, apiClient, type Fields } from '../support/api-client.ts';
import { type ApiContract, loadContract } from '../support/api-contract.ts';
import { type Customer, customerAt, formOf } from '../support/customer.ts';
import { type CleansUp, type Engine, freshDatabase } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { secretKey, settingsFor } from '../support/paydesk.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';
import { assertNothingUnknown, assertPayment, type Ledgers } from './agreement.ts';
import type { Call, ProviderUnderTest, RunningProvider, Way } from './provider-under-test.ts';

export interface KillRun {
  readonly engine: Engine;
  readonly underTest: ProviderUnderTest;
  /** How often the service is killed. */
  readonly rounds: number;
  readonly next: () => number;
}

export interface KillFigures {
  readonly payments: number;
  readonly operations: number;
  /** Payments by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How many operations were unknown when the service was killed, over all rounds. */
  readonly unknownAtKill: number;
}

const shoppers = 6;
/** So that the service is often killed while the provider works. */
const latencyMs = 20;
/** How far the clock is moved at a time, in the end. */
const stepMs = 60_000;

interface Shopping {
  readonly api: ApiClient;
  readonly customer: Customer;
  readonly provider: RunningProvider;
  readonly underTest: ProviderUnderTest;
  readonly next: () => number;
  readonly sessions: Fields[];
  readonly onStep: () => void;
}

export async function killAndCompare(test: CleansUp, run: KillRun): Promise<KillFigures> {
  const { engine, underTest, rounds, next } = run;
  let shiftMs = 0;
  const provider = await underTest.start(test, () => Date.now() + shiftMs, latencyMs);
  const folder = await freshFolder(test);
  const address = await freshDatabase(test, engine);
  const port = String(await freePort());
  const settings = {
    ...provider.settings,
    DATABASE_URL: databaseUrl(address),
    LOG_LEVEL: 'warn',
    PORT: port,
    PAYDESK_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PAYDESK_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
    PAYDESK_ACQUIRER_TIMEOUT: '1',
    PAYDESK_DECLINES_PER_SESSION: '1000000',
    PAYDESK_DECLINES_PER_ADDRESS: '1000000',
    PAYDESK_DECLINES_PER_CARD: '1000000',
  };
  const merchant = await paydeskJson<{ test_key: string; merchant: string }>(
    ['merchant', 'create', '--name', 'Shop'],
    { folder, settings },
    callPaydesk,
  );
  const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
  test.after(() => store.close());
  const accountId = await addAccount(store, underTest, provider, merchant.merchant);
  provider.begin?.(`http://127.0.0.1:${port}/acquirers/${accountId}/notifications`);
  const scope = { merchantId: merchant.merchant, livemode: false };
  const sessions: Fields[] = [];
  let unknownAtKill = 0;
  let contract: ApiContract | undefined;

  const operations = () => store.list('operations', { scope, limit: 100_000 });
  for (let round = 0; round < rounds; round += 1) {
    const server = await servePaydesk(test, { folder, settings });
    contract ??= await loadContract(server.url);
    const api = apiClient({ url: server.url, key: merchant.test_key, contract });
    let steps = 0;
    const shopping: Shopping = {
      ...{ api, customer: customerAt(server.url), provider, underTest, next, sessions },
      onStep: () => {
        steps += 1;
      },
    };
    const done = Promise.allSettled(Array.from({ length: shoppers }, () => keepShopping(shopping)));
    const target = 5 + next() * 40;
    await until(`${target} steps are done`, () => steps >= target);
    await pause(next() * 15);
    await server.kill();
    for (const result of await done) if (result.status === 'rejected') throw result.reason;
    unknownAtKill += (await operations()).filter(({ status }) => status === 'pending').length;
    assert.ok(!server.stdout().includes('request failed'), server.stdout());
  }

  provider.clearFaults();
  const app = await startApp({
    config: settingsFor(address, settings),
    store: await openStore(address, { serving: true, onConnectionLost: () => {} }),
    secretBox: secretBox(secretKey, randomBytes),
    logging: loggingTo('error', process.stderr),
    clock: { now: () => Date.now() + shiftMs },
    random: randomBytes,
    longestPauseMs: 50,
  });
  const open = async () => {
    const left = (await operations()).filter(({ status }) => status === 'pending' || status === 'action_needed');
    const notices = await store.list('acquirerNotices', { scope, limit: 100_000 });
    return left.length + notices.filter(({ dueAt }) => dueAt !== null).length;
  };
  // Every customer who was at the provider has left: their sessions expire.
  await until('everything is quiet', async () => {
    await provider.settlePending();
    await provider.notifications?.idle();
    shiftMs += stepMs;
    await pause(50);
    return (await open()) === 0;
  }).finally(() => app.close());
  const ledgers: Ledgers = {
    ...{ store, scope, operations: await operations(), books: await provider.books(store) },
    events: await store.list('events', { scope, limit: 100_000 }),
  };
  const statuses: Record<string, number> = {};
  for (const { id } of sessions) {
    const { status } = await assertPayment(ledgers, String(id), null);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  await assertNothingUnknown(ledgers);
  return { payments: sessions.length, operations: ledgers.operations.length, statuses, unknownAtKill };
}

async function addAccount(
  store: Store,
  { name }: ProviderUnderTest,
  { account }: RunningProvider,
  merchantId: string,
): Promise<string | null> {
  if (account === null) return null;
  const provider = await loadProvider(providers, name);
  assert.ok(provider !== null);
  const moment = () => momentAt(Date.now(), randomBytes);
  const added = await addAcquirerAccount(
    { store, secretBox: secretBox(secretKey, randomBytes), actor: 'test', moment },
    { merchantId, livemode: false, name: 'Main', provider, ...account },
  );
  assert.ok('done' in added);
  return added.done.id;
}

/** Until the process is gone; any other error fails the run. */
async function keepShopping(shopping: Shopping): Promise<void> {
  try {
    for (;;) await shopOnce(shopping);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

const ways: readonly Way[] = ['plain', 'plain', 'declined', 'challenge', 'challenge'];
const calls: readonly Call[] = ['begin', 'authorise', 'inquire', 'capture', 'void', 'refund'];

async function shopOnce({ api, customer, provider, underTest, next, sessions, onStep }: Shopping): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  // Now and then something else goes wrong too.
  if (next() < 0.1) {
    const call = pick(calls);
    const possible = underTest.faults[call].filter(({ how }) => how !== 'silence');
    if (possible.length > 0) provider.inject(call, pick(possible));
  }
  const old = sessions.length > 0 && next() < 0.3 ? pick(sessions) : null;
  const session = old ?? (await newSession());
  onStep();
  const way = pick(ways);
  const opened = await customer.open(session.id);
  let actionUrl = actionOf(opened.location);
  if (opened.html.includes('name="attempt"')) {
    const form = formOf(opened);
    const entry = provider.form(way, session.capture_method === 'manual' ? 'manual' : 'automatic');
    onStep();
    actionUrl = actionOf((await customer.post(form.action, { ...form.fields, ...entry.fields })).location);
  }
  onStep();
  // Some leave here, and never come back.
  if (actionUrl !== null && next() < 0.85) {
    const back = await provider.act(actionUrl, next() < 0.8 ? 'pass' : 'fail');
    onStep();
    if (back !== '' && next() < 0.8) await customer.get(new URL(back).pathname);
  }
  onStep();
  const path = `/payment-intents/${session.payment_intent}`;
  const key = { headers: { 'Idempotency-Key': `${session.id}-${Math.floor(next() * 4)}` } };
  if (session.capture_method === 'manual') {
    const verb = next() < 0.6 ? 'capture' : 'cancel';
    await api.post(`${path}/${verb}`, verb === 'capture' ? { amount_to_capture: 900 } : {}, key);
  } else await api.post(`${path}/refund`, { amount: 100 + Math.floor(next() * 3) * 100 }, key);
  onStep();

  async function newSession(): Promise<Fields> {
    const manual = next() < 0.35;
    const types = manual ? ['card'] : (provider.account?.methods ?? ['card']);
    const body = { amount: 1_250, currency: 'EUR', expires_in: 300, payment_method_types: types };
    const made = await api.post('/checkout-sessions', { ...body, capture_method: manual ? 'manual' : 'automatic' });
    assert.equal(made.status, 201, made.text);
    sessions.push(made.body);
    return made.body;
  }
}

/** The provider's page; pages of the sandbox are on the same server. */
function actionOf(location: string | null): string | null {
  if (location === null || location.startsWith('/')) return null;
  const { pathname } = new URL(location);
  return pathname.startsWith('/checkout/cs_') ? null : location;
}
