// Many payments at once at a provider that takes its time: `node bench/acquirer-load.ts`. The service runs on SQLite in a
// process of its own; the simulator and the customers share this one. Prints how much longer a payment took than the
// provider did, and the memory and CPU time of the service. On a busy machine, only the latter two mean something.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripe } from '../src/acquirers/stripe/stripe.ts';
import { momentAt } from '../src/domain/moment.ts';
import { secretBox } from '../src/domain/secret-box.ts';
import { openStore } from '../src/storage/open-store.ts';
import { addAcquirerAccount } from '../src/usecases/add-acquirer-account.ts';
import { createMerchant } from '../src/usecases/create-merchant.ts';
import { startStripeSimulator } from '../test/acquirers/stripe-simulator/simulator.ts';
import { customerAt, formOf } from '../test/support/customer.ts';
import { cpuMsOf } from './cpu.ts';
import { peakMemoryMb, secretKey, startPaydesk, stopAll } from './processes.ts';

const payments = 500;
const latencyMs = 50;
/** Created, then confirmed. */
const callsPerPayment = 2;

const cleanUps: (() => Promise<void>)[] = [];
const simulator = await startStripeSimulator({ after: (work) => cleanUps.push(work) }, { latencyMs });
const folder = await mkdtemp(join(tmpdir(), 'paydesk-load-'));
process.env.PAYDESK_STRIPE_API_URL = simulator.url;
process.env.PAYDESK_DECLINES_PER_ADDRESS = '1000000';
const { port, pid } = await startPaydesk(`sqlite:${join(folder, 'paydesk.db')}`, folder);
const url = `http://127.0.0.1:${port}`;

try {
  const key = await shopWithAccount();
  const pages = await Promise.all(Array.from({ length: payments }, () => openPage(key)));
  // The first payment loads the connector and compiles what the others use.
  await payOnce(await openPage(key));
  const before = { mb: peakMemoryMb(pid), cpuMs: cpuMsOf(pid), customersMs: process.cpuUsage() };
  const durations = await Promise.all(pages.map(payOnce));
  durations.sort((a, b) => a - b);
  const added = (share: number): number =>
    Math.round((durations[Math.ceil(share * payments) - 1] ?? 0) - callsPerPayment * latencyMs);
  const { captured } = simulator.totals();
  console.log(`${payments} payments at once, ${latencyMs} ms per call of the provider, on SQLite`);
  console.log(`added to the provider's time: median ${added(0.5)} ms, p99 ${added(0.99)} ms, slowest ${added(1)} ms`);
  console.log(`peak memory: ${Math.round(peakMemoryMb(pid))} MB, ${Math.round(before.mb)} MB before`);
  const { user, system } = process.cpuUsage(before.customersMs);
  const here = Math.round((user + system) / 1_000);
  console.log(`CPU: ${cpuMsOf(pid) - before.cpuMs} ms of the service, ${here} ms of the simulator and the customers`);
  console.log(`captured at the provider: ${captured} of ${(payments + 1) * 1_250}`);
} finally {
  await stopAll();
  for (const cleanUp of cleanUps) await cleanUp();
  await rm(folder, { recursive: true, force: true });
}

async function shopWithAccount(): Promise<string> {
  const store = await openStore(
    { engine: 'sqlite', path: join(folder, 'paydesk.db') },
    { serving: false, onConnectionLost: () => {} },
  );
  const moment = () => momentAt(Date.now(), randomBytes);
  const created = await createMerchant({ store, moment, random: randomBytes, actor: 'bench' }, 'Shop');
  if (created === null) throw new Error('the merchant was not created');
  const credentials = {
    ...{ secret_key: simulator.secretKey, publishable_key: 'pk_test_simulated', webhook_secret: 'whsec_simulated' },
  };
  await addAcquirerAccount(
    { store, moment, actor: 'bench', secretBox: secretBox(secretKey, randomBytes) },
    {
      merchantId: created.merchant.id,
      livemode: false,
      provider: stripe,
      name: 'Main',
      methods: ['card'],
      credentials,
    },
  );
  await store.close();
  return created.testKey;
}

async function openPage(key: string) {
  const response = await fetch(`${url}/checkout-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1_250, currency: 'EUR' }),
  });
  const session = (await response.json()) as { id: string };
  const customer = customerAt(url);
  return { customer, form: formOf(await customer.open(session.id)) };
}

async function payOnce({ customer, form }: Awaited<ReturnType<typeof openPage>>): Promise<number> {
  const startedAt = performance.now();
  const fields = { ...form.fields, method: 'card', card_token: 'pm_card_visa' };
  const response = await customer.post(form.action, fields);
  if (response.status !== 303) throw new Error(`a payment got ${response.status}`);
  return performance.now() - startedAt;
}
