// The speed of webhooks: compared with a bare sender, with a backlog, and beside endpoints that hang.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Delivery, resend } from '../src/domain/delivery.ts';
import { type Event, eventBody, hostedCheckoutEventTypes } from '../src/domain/event.ts';
import { momentAt } from '../src/domain/moment.ts';
import { secretBox } from '../src/domain/secret-box.ts';
import { sealSecret, type WebhookEndpoint } from '../src/domain/webhook-endpoint.ts';
import { newWebhookSecret, signWebhook } from '../src/domain/webhook-signature.ts';
import { pooledRandom } from '../src/entropy.ts';
import { type DatabaseAddress, openStore } from '../src/storage/open-store.ts';
import type { Store } from '../src/storage/store.ts';
import { peakMemoryMb, type Serving, secretKey, stopAll } from './processes.ts';
import { arrived, type Receiver, recorded, startReceiver } from './receiving.ts';
import { amount, type Figure, median } from './report.ts';
import { createMerchantWithKey, onEachEngine, serve } from './shop.ts';

export interface WebhookSizes {
  readonly perRound: number;
  readonly rounds: number;
  readonly backlog: number;
  readonly latencySeconds: number;
}

const endpoints = 16;
/** Longer than storing a round takes. */
const queueMs = 3_000;

const random = pooledRandom();
const here = (file: string): string => new URL(file, import.meta.url).pathname;

export async function benchWebhooks(folder: string, sizes: WebhookSizes): Promise<Figure[]> {
  const receiver = await startReceiver();
  try {
    return await onEachEngine(folder, async (_engine, addressOf) => {
      const sending = await benchEngine(await addressOf('webhooks'), folder, receiver, sizes);
      await stopAll();
      const sides = [await addressOf('empty'), await addressOf('backlog')];
      return [...sending, ...(await benchBacklog(sides, folder, receiver, sizes))];
    });
  } finally {
    receiver.stop();
  }
}

async function benchEngine(
  address: DatabaseAddress,
  folder: string,
  receiver: Receiver,
  { perRound, rounds, latencySeconds }: WebhookSizes,
): Promise<Figure[]> {
  const { engine } = address;
  const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
  const newShop = async (fast: number, hanging: number) =>
    createShop(store, await createMerchantWithKey(address), receiver.port, { fast, hanging });
  const busy = await newShop(endpoints, 0);
  const [single, healthy, partlyHanging] = [await newShop(1, 0), await newShop(20, 0), await newShop(18, 2)];
  const paydesk = await serve(address, folder);
  const dispatch = () => dispatchRound(busy, store, receiver, perRound);
  const bare = () => bareRound(busy, receiver, perRound);

  await bare();
  await dispatch();
  const bareRates: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bareRates.push(await bare());
    rates.push(await dispatch());
  }
  const latency = await latencyOf(paydesk, single, receiver, { perSecond: 200, seconds: latencySeconds });
  // Longer than an attempt that hangs, so that hanging attempts pile up as far as they can.
  const pace = { perSecond: 20, seconds: Math.max(latencySeconds, 15) };
  const without = await latencyOf(paydesk, healthy, receiver, pace);
  const beside = await latencyOf(paydesk, partlyHanging, receiver, pace);

  await store.close();

  const figure = figureOf(engine);
  return [
    figure('deliveries recorded, against a bare undici loop', {
      measured: median(rates),
      limit: median(bareRates),
      wanted: engine === 'sqlite' ? 0.45 : 0.3,
      unit: '/s',
    }),
    figure('p99 from commit to arrival, 200 events/s', {
      measured: latency.p99Ms,
      limit: 100,
      wanted: 1,
      atMost: true,
      unit: 'ms',
      note: `p50 ${latency.p50Ms} ms`,
    }),
    figure('p99 of 18 endpoints beside 2 that hang, against 20 alone', {
      measured: beside.p99Ms,
      limit: without.p99Ms,
      wanted: 2,
      atMost: true,
      unit: 'ms',
    }),
  ];
}

/** Two services measured alternately, one without a backlog and one with. */
async function benchBacklog(
  addresses: readonly DatabaseAddress[],
  folder: string,
  receiver: Receiver,
  { perRound, rounds, backlog }: WebhookSizes,
): Promise<Figure[]> {
  const sides = await Promise.all(
    addresses.map(async (address) => {
      const merchant = await createMerchantWithKey(address);
      const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
      const shop = await createShop(store, merchant, receiver.port, { fast: endpoints, hanging: 0 });
      const stuck = await createShop(store, await createMerchantWithKey(address), receiver.port, {
        fast: 0,
        hanging: 1,
      });
      const { pid } = await serve(address, folder);
      return { store, shop, stuck, pid, rates: [] as number[] };
    }),
  );
  const [empty, full] = sides;
  if (empty === undefined || full === undefined) throw new Error('two databases are needed');
  await full.stuck.queue(backlog, Date.now());
  for (const { shop, store } of sides) await dispatchRound(shop, store, receiver, perRound);
  for (let round = 0; round < rounds; round += 1) {
    for (const { shop, store, rates } of sides) rates.push(await dispatchRound(shop, store, receiver, perRound));
  }
  const memoryMb = peakMemoryMb(full.pid);
  for (const { store } of sides) await store.close();
  const figure = figureOf(addresses[0]?.engine ?? '');
  return [
    figure(`deliveries with ${amount(backlog)} waiting, against without`, {
      measured: median(full.rates),
      limit: median(empty.rates),
      wanted: 0.8,
      unit: '/s',
    }),
    figure(`memory with ${amount(backlog)} waiting`, {
      measured: memoryMb,
      limit: 300,
      wanted: 1,
      atMost: true,
      unit: 'MB',
    }),
  ];
}

function figureOf(engine: string): (name: string, rest: Omit<Figure, 'name'>) => Figure {
  return (name, rest) => ({ name: `${engine}: ${name}`, ...rest });
}

type Shop = Awaited<ReturnType<typeof createShop>>;

async function createShop(
  store: Store,
  { merchantId, apiKey }: { merchantId: string; apiKey: string },
  port: number,
  { fast, hanging }: { fast: number; hanging: number },
) {
  const scope = { merchantId, livemode: false };
  const box = secretBox(secretKey, random);
  const moment = () => momentAt(Date.now(), random);
  const event: Event = {
    ...scope,
    id: moment().newId('evt'),
    type: 'payment_intent.succeeded',
    data: {
      id: moment().newId('pi'),
      object: 'payment_intent',
      status: 'succeeded',
      amount: 1250,
      currency: 'EUR',
      metadata: { order: '6735' },
    },
    paymentIntentId: null,
    createdAt: Date.now(),
  };
  const newEndpoint = (path: string): WebhookEndpoint => {
    const { now, newId } = moment();
    const id = newId('we');
    return {
      ...scope,
      id,
      version: 0,
      url: `http://127.0.0.1:${port}${path}`,
      description: null,
      enabledEvents: hostedCheckoutEventTypes,
      disabledReason: null,
      secret: sealSecret(box, id, newWebhookSecret(random)),
      nextSecret: null,
      nextSecretAt: null,
      secretKeyId: box.keyId,
      createdAt: now,
      deletedAt: null,
    };
  };
  const paths = [...Array<string>(fast).fill('/fast'), ...Array<string>(hanging).fill('/hang')];
  const created = paths.map(newEndpoint);
  await mustCommit(store, { events: [event], webhookEndpoints: created });
  return {
    event,
    apiKey,
    fast,
    endpointIds: created.map(({ id }) => id),
    /** Distributes deliveries over all endpoints, all due at that time. */
    async queue(count: number, dueAt: number): Promise<void> {
      for (let stored = 0; stored < count; stored += 2_000) {
        const deliveries = Array.from({ length: Math.min(2_000, count - stored) }, (_, at): Delivery => {
          const endpoint = created[at % created.length];
          return { ...resend(event, endpoint?.id ?? '', moment()), dueAt };
        });
        await mustCommit(store, { deliveries });
      }
    },
  };
}

async function mustCommit(store: Store, changes: Parameters<Store['commit']>[0]): Promise<void> {
  const outcome = await store.commit(changes);
  if (!outcome.committed) throw new Error('the data for the measurement could not be stored');
}

/** Deliveries per second, from the first arrival until all are recorded. */
async function dispatchRound(shop: Shop, store: Store, receiver: Receiver, count: number): Promise<number> {
  await receiver.reset(false);
  await shop.queue(count, Date.now() + queueMs);
  const rate = await arrived(receiver, count);
  const lastArrivedAt = performance.now();
  await recorded(store, shop.endpointIds);
  return count / (count / rate + (performance.now() - lastArrivedAt) / 1000);
}

async function bareRound({ event }: Shop, receiver: Receiver, count: number): Promise<number> {
  await receiver.reset(false);
  const body = JSON.stringify(eventBody(event));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'bare',
    'service-signature': signWebhook('whsec_bare', Math.floor(Date.now() / 1000), body),
  };
  const child = spawn(
    process.execPath,
    [here('bare-sender.ts'), `http://127.0.0.1:${receiver.port}/fast/0`, String(count)],
    { stdio: 'inherit', env: { ...process.env, BARE_REQUEST: JSON.stringify({ headers, body }) } },
  );
  await once(child, 'exit');
  return arrived(receiver, count);
}

/** Expires sessions at a steady pace, with one event each. */
async function latencyOf(
  { port }: Serving,
  { apiKey, fast }: Shop,
  receiver: Receiver,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<{ p50Ms: number; p99Ms: number }> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8 });
  const call = async (path: string, body: object): Promise<{ id: string }> => {
    const response = await pool.request({
      method: 'POST',
      path: `/checkout-sessions${path}`,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.statusCode >= 300) throw new Error(await response.body.text());
    return (await response.body.json()) as { id: string };
  };
  const count = perSecond * seconds;
  const sessions: string[] = [];
  while (sessions.length < count) sessions.push((await call('', { amount: 1250, currency: 'EUR' })).id);
  await receiver.reset(true);
  const startedAt = performance.now();
  const calls: Promise<unknown>[] = [];
  for (const [at, id] of sessions.entries()) {
    await pause(Math.max(0, startedAt + (at * 1000) / perSecond - performance.now()));
    calls.push(call(`/${id}/expire`, {}));
  }
  await Promise.all(calls);
  await arrived(receiver, count * fast);
  await pool.close();
  const { latenciesMs } = await receiver.report();
  const at = (share: number): number => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
