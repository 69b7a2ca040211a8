// kill -9 while customers pay: when the service is back, every payment is settled, nobody is charged twice, and the
// merchant gets each event once. A failure prints its seed; repeat the kill times with CHAOS_SEED=<seed>.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startApp } from '../../src/app.ts';
import type { Event } from '../../src/domain/event.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import { loggingTo } from '../../src/log.ts';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { type ApiClient, apiClient, type Fields, must } from '../support/api-client.ts';
import { type ApiContract, loadContract } from '../support/api-contract.ts';
import { type Customer, cardFields, customerAt, formOf, operationOf, pathOf } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { chaosNumbers } from '../support/killing.ts';
import { secretKey, settingsFor } from '../support/paydesk.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { sandboxPayment } from '../support/sandbox-books.ts';
import { until } from '../support/until.ts';

const rounds = 3;
const customerCount = 20;

/** One payment, as its merchant and its customer know it. */
interface KnownPayment {
  readonly session: Fields;
  readonly method: string;
  readonly manual: boolean;
  readonly key: string;
  /** The operation of every submitted form. */
  readonly operations: string[];
  readonly followUp: Fields;
}

const methods = [
  '4242424242424242',
  '4242424242424242',
  '5555555555554444',
  '4000000000000002',
  '4000000000003220',
  '4000000000000077',
  'ideal',
  'sepa_debit',
] as const;

interface Scenario {
  readonly api: ApiClient;
  readonly customer: Customer;
  readonly next: () => number;
  readonly onStep: () => void;
}

/** Creates a session and pays it, until done or the process is killed. */
async function shopOnce({ api, customer, next, onStep }: Scenario, known: KnownPayment[]): Promise<void> {
  const manual = next() < 0.3;
  const method = methods[Math.floor(next() * methods.length)] ?? methods[0];
  const amount = 200 + Math.floor(next() * 10_000);
  const body = { amount, currency: 'EUR', capture_method: manual ? 'manual' : 'automatic' };
  const session = must(201, await api.post('/checkout-sessions', body));
  const followUp = manual ? { amount_to_capture: 100 + Math.floor(next() * 100) } : { amount: 50 };
  const one: KnownPayment = { session, method, manual, key: randomUUID(), operations: [], followUp };
  known.push(one);
  onStep();
  await payOnce(customer, one);
  onStep();
  if (next() < 0.5) await followUpOn(api, one);
  onStep();
}

/** Opens the page, and pays if it shows a form. */
async function payOnce(customer: Customer, { session, method, operations }: KnownPayment): Promise<void> {
  let page = await customer.open(session.id);
  if (page.status === 200 && page.html.includes('name="attempt"')) {
    const form = formOf(page);
    operations.push(operationOf(form));
    const chosen = /^\d/.test(method) ? cardFields(method) : { method };
    page = await customer.post(form.action, { ...form.fields, ...chosen });
  }
  if (page.location === null || !pathOf(page).startsWith('/sandbox-')) return;
  const challenge = await customer.follow(page);
  // Already completed by a customer who did not return: it redirects by itself.
  const returned = challenge.location === null ? await customer.post(pathOf(page), { result: 'pass' }) : challenge;
  await customer.follow(returned);
}

/** Captures or refunds with an idempotency key; a refused request has no effect. */
async function followUpOn(api: ApiClient, { session, manual, key, followUp }: KnownPayment): Promise<void> {
  const path = `/payment-intents/${session.payment_intent}/${manual ? 'capture' : 'refund'}`;
  const response = await api.post(path, followUp, { headers: { 'Idempotency-Key': key } });
  assert.ok([200, 201, 409].includes(response.status), response.text);
}

/** Keeps paying until the process is gone; any other error fails the test. */
async function keepPaying(scenario: Scenario, known: KnownPayment[]): Promise<void> {
  try {
    for (;;) {
      const [unpaid] = known.filter(({ operations }) => operations.length === 0);
      const again = known[Math.floor(scenario.next() * known.length)];
      if (unpaid !== undefined) await payOnce(scenario.customer, unpaid);
      else if (again !== undefined && scenario.next() < 0.3) {
        await payOnce(scenario.customer, again);
        if (scenario.next() < 0.5) await followUpOn(scenario.api, again);
      } else await shopOnce(scenario, known);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Starts the service in this process, at a time when every unfinished operation is due for an inquiry. */
async function startLater(test: CleansUp, address: DatabaseAddress): Promise<string> {
  const app = await startApp({
    config: settingsFor(address),
    store: await openStore(address, { serving: true, onConnectionLost: () => {} }),
    secretBox: secretBox(secretKey, randomBytes),
    logging: loggingTo('fatal', process.stderr),
    clock: { now: () => Date.now() + 20_000 },
    random: randomBytes,
  });
  test.after(() => app.close());
  return app.address;
}

async function assertConsistent(store: Store, scope: Scope, all: readonly Event[], one: KnownPayment): Promise<string> {
  const { session, operations } = one;
  const payment = await store.find('paymentsBySession', scope, String(session.id));
  assert.ok(payment !== null);
  const { intent } = payment;
  const events = all.filter(({ data }) =>
    [data.id, data.payment_intent].some((id) => id === session.id || id === session.payment_intent),
  );
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  const acquirerPayments = (await Promise.all(operations.map((id) => sandboxPayment(store, id)))).filter(
    (one) => one !== null,
  );
  const sum = (field: 'amountCaptured' | 'amountRefunded'): number =>
    acquirerPayments.reduce((total, one) => total + one[field], 0);
  const about = `${JSON.stringify(intent)} ${JSON.stringify(acquirerPayments)}`;
  assert.equal(sum('amountCaptured'), intent.amountCaptured, about);
  assert.equal(sum('amountRefunded'), intent.amountRefunded, about);
  assert.equal(intent.pendingOperationId, null, about);
  assert.equal(
    acquirerPayments.filter(({ status }) => status === 'authorised' || status === 'captured').length > 1,
    false,
    about,
  );
  assert.equal(count('payment_intent.succeeded'), intent.status === 'succeeded' ? 1 : 0, about);
  const completed = intent.status === 'succeeded' || intent.status === 'requires_capture';
  assert.equal(count('checkout_session.completed'), payment.session.status === 'completed' ? 1 : 0, about);
  if (completed) assert.equal(payment.session.status, 'completed', about);
  const stored = (await Promise.all(operations.map((id) => store.findBy('operations', 'id', id)))).filter(
    (one) => one !== null,
  );
  assert.equal(
    count('payment_intent.payment_failed'),
    stored.filter(({ status }) => status === 'failed').length,
    about,
  );
  assert.equal(count('refund.created') - count('refund.failed'), intent.amountRefunded / 50, about);
  assert.notEqual(intent.status, 'requires_capture', about);
  return intent.status;
}

describeOnEachEngine('A service that is killed while customers pay', (engine) => {
  it('settles every payment when it is back, and charges nobody twice', async (t) => {
    const next = chaosNumbers(t);
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const settings = {
      DATABASE_URL: databaseUrl(address),
      LOG_LEVEL: 'warn',
      PAYDESK_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
      PAYDESK_DECLINES_PER_ADDRESS: '1000000',
      PAYDESK_DECLINES_PER_CARD: '1000000',
    };
    const args = ['merchant', 'create', '--name', 'Shop'];
    const merchant = await paydeskJson<{ test_key: string; merchant: string }>(args, { folder, settings }, callPaydesk);
    let contract: ApiContract | undefined;
    const byCustomer = Array.from({ length: customerCount }, (): KnownPayment[] => []);
    for (let round = 0; round < rounds; round += 1) {
      const server = await servePaydesk(t, { folder, settings });
      contract ??= await loadContract(server.url);
      const api = apiClient({ url: server.url, key: merchant.test_key, contract });
      let steps = 0;
      const scenario: Scenario = { api, customer: customerAt(server.url), next, onStep: () => (steps += 1) };
      const settled = Promise.allSettled(byCustomer.map((payments) => keepPaying(scenario, payments)));
      const stepTarget = 40 + next() * 120;
      await until(`${stepTarget} steps are done`, () => steps >= stepTarget);
      await pause(next() * 30);
      await server.kill();
      for (const result of await settled) if (result.status === 'rejected') throw result.reason;
      assert.equal(server.stdout().includes('request failed'), false, server.stdout());
    }

    const known = byCustomer.flat();
    const url = await startLater(t, address);
    const api = apiClient({ url, key: merchant.test_key, ...(contract === undefined ? {} : { contract }) });
    const left = async (): Promise<number> =>
      (await api.get('/payment-intents?status=processing&limit=100').then(({ body }) => body.data as unknown[])).length;
    await until('nothing is processing', async () => (await left()) === 0);
    for (const one of known) await followUpOn(api, one);
    // If the service was killed before it requested a capture, the response for that key is that none was made.
    for (const one of known) await followUpOn(api, { ...one, key: randomUUID() });
    const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
    const finalStatuses: Record<string, number> = {};
    const scope = { merchantId: merchant.merchant, livemode: false };
    const events = await store.list('events', { scope: scope, limit: 100_000 });
    for (const one of known) {
      const status = await assertConsistent(store, scope, events, one);
      finalStatuses[status] = (finalStatuses[status] ?? 0) + 1;
    }
    await store.close();
    t.diagnostic(JSON.stringify(finalStatuses));
    assert.ok((finalStatuses.succeeded ?? 0) > 10);
  });
});
