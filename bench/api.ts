// The speed of the API: lookups and creations compared with their limits, the latency of creations at half of the full
// rate, and each call with a hundred times as many payments stored.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseAddress } from '../src/storage/open-store.ts';
import {
  alternate,
  compared,
  generations,
  latencies,
  longTurns,
  paymentTurns,
  perGeneration,
  type Rate,
  rate,
  shortTurns,
  together,
} from './alternate.ts';
import { benchClaims } from './claims.ts';
import { requestBytes } from './connection.ts';
import { payFor } from './customer.ts';
import { type LoadResult, runLoad } from './load.ts';
import { runPacedLoad } from './paced-load.ts';
import { runPgbench } from './pgbench.ts';
import { peakMemoryMb, runDirectWrites, type Serving, startBare, stopAll } from './processes.ts';
import { amount, type Figure, median } from './report.ts';
import { createMerchantWithKey, onEachEngine, serve } from './shop.ts';
import { fillPostgres, fillSqlite } from './stored-payments.ts';

const connections = 64;
const customers = 16;
/** Long enough to contain the pauses that come with much writing: checkpoints, for example. */
const pacedMs = 6_000;
const pacedTurns = 5;
const longestP99Ms = 25;

export interface Sizes {
  readonly small: number;
  readonly middle: number;
  readonly large: number;
}

interface StoredPayments {
  readonly apiKey: string;
  readonly ids: readonly string[];
}

interface Filled extends StoredPayments {
  readonly address: DatabaseAddress;
  readonly size: number;
}

interface Shop extends Serving, Filled {}

type Sized<Value> = readonly [small: Value, middle: Value, large: Value];

export function benchApi(folder: string, sizes: Sizes): Promise<Figure[]> {
  return onEachEngine(folder, async (engine, addressOf) => {
    const filledWith = async (name: keyof Sizes) => fill(await addressOf(name), sizes[name]);
    const filled = [await filledWith('small'), await filledWith('middle'), await filledWith('large')] as const;
    const [small, middle, large] = filled;
    const claims = await benchClaims(filled);
    const { looked, listed, middleMb } = await measureReads(filled, folder);
    const { paid, created } = await measureWrites(filled, folder);
    const written = await alternateWrites(small, folder);
    const halfRate = rate(created.large) / 2;
    const { p99Ms, largeMb } = await measureLarge(large, halfRate, folder);
    const growth = (call: string, few: readonly Rate[], many: readonly Rate[]): Figure => ({
      name: `${engine}: ${call}, ${amount(large.size)} payments against ${amount(small.size)}`,
      ...compared(many, few),
      wanted: 0.9,
      unit: '/s',
    });
    const memory = ({ size }: Filled, measured: number): Figure => ({
      name: `${engine}: memory, ${amount(size)} payments stored`,
      measured,
      limit: 250,
      wanted: 1,
      atMost: true,
      unit: 'MB',
    });
    return [
      {
        name: `${engine}: lookup, against bare node:http`,
        ...compared(looked.middle, looked.bare),
        wanted: engine === 'sqlite' ? 0.5 : 0.4,
        unit: '/s',
        note: latencies(looked.middle),
      },
      {
        name: `${engine}: create session, against ${engine === 'sqlite' ? 'direct writes' : 'pgbench, 32 clients'}`,
        ...compared(written.service, written.direct),
        wanted: engine === 'sqlite' ? 0.35 : 0.6,
        unit: '/s',
        note: latencies(written.service),
      },
      {
        name: `${engine}: p99 of create at half of the full rate`,
        measured: p99Ms,
        limit: longestP99Ms,
        wanted: 1,
        atMost: true,
        unit: 'ms',
        note: `${amount(halfRate)}/s, ${amount(large.size)} payments stored`,
      },
      growth('lookup', looked.small, looked.large),
      growth('create session', created.small, created.large),
      growth('pay', paid.small, paid.large),
      growth('claim expired sessions', claims.small, claims.large),
      growth('list', listed.small, listed.large),
      memory(middle, middleMb),
      memory(large, largeMb),
    ];
  });
}

async function fill(address: DatabaseAddress, size: number): Promise<Filled> {
  const startedAt = performance.now();
  const { merchantId, apiKey } = await createMerchantWithKey(address);
  const ids =
    address.engine === 'sqlite'
      ? fillSqlite(address.path, merchantId, size)
      : await fillPostgres(address.url, merchantId, size);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${address.engine}: ${amount(size)} payments stored in ${seconds.toFixed(0)} s`);
  return { address, apiKey, ids, size };
}

/** Before anything is written: a service makes use of idle time to index new payments, at the expense of the others. */
async function measureReads(filled: Sized<Filled>, folder: string) {
  const runs = await throughGenerations(filled, folder, async ([small, middle, large]) => ({
    looked: await alternateLookups(small, middle, large),
    listed: await alternate({ small: () => lists(small), large: () => lists(large) }, perGeneration(shortTurns)),
    middleMb: peakMemoryMb(middle.pid),
  }));
  return {
    looked: together(runs.map(({ looked }) => looked)),
    listed: together(runs.map(({ listed }) => listed)),
    middleMb: Math.max(...runs.map(({ middleMb }) => middleMb)),
  };
}

async function measureWrites(filled: Sized<Filled>, folder: string) {
  const runs = await throughGenerations(filled, folder, async ([small, , large]) => {
    const pay = (shop: Shop) => () => payFor(shop, { customers, durationMs: paymentTurns.ms });
    const create = (shop: Shop) => () => runLoad({ ...creations(shop), durationMs: shortTurns.ms });
    return {
      paid: await alternate({ small: pay(small), large: pay(large) }, perGeneration(paymentTurns)),
      created: await alternate({ small: create(small), large: create(large) }, perGeneration(shortTurns)),
    };
  });
  return { paid: together(runs.map(({ paid }) => paid)), created: together(runs.map(({ created }) => created)) };
}

/** With several processes for each size, one after the other. */
async function throughGenerations<Run>(
  filled: Sized<Filled>,
  folder: string,
  measure: (shops: Sized<Shop>) => Promise<Run>,
): Promise<Run[]> {
  const runs: Run[] = [];
  for (let generation = 0; generation < generations; generation++) {
    const [small, middle, large] = filled;
    runs.push(await measure(await Promise.all([open(small, folder), open(middle, folder), open(large, folder)])));
    await stopAll();
  }
  return runs;
}

async function open(filled: Filled, folder: string): Promise<Shop> {
  return { ...(await serve(filled.address, folder)), ...filled };
}

/** After all kinds of calls, and with nothing beside it. */
async function measureLarge(filled: Filled, perSecond: number, folder: string) {
  const shop = await open(filled, folder);
  await lookups(shop.port, shop);
  await lists(shop);
  await payFor(shop, { customers, durationMs: longTurns.ms });
  await runLoad({ ...creations(shop), durationMs: 3 * longTurns.ms });
  const p99Ms = await pacedCreations(shop, perSecond);
  const largeMb = peakMemoryMb(shop.pid);
  await stopAll();
  return { p99Ms, largeMb };
}

async function alternateLookups(small: Shop, middle: Shop, large: Shop) {
  const response = await fetch(`http://127.0.0.1:${middle.port}/payment-intents/${middle.ids[0]}`, {
    headers: { authorization: `Bearer ${middle.apiKey}` },
  });
  const bare = await startBare(response);
  return alternate(
    {
      bare: () => lookups(bare.port, middle),
      small: () => lookups(small.port, small),
      middle: () => lookups(middle.port, middle),
      large: () => lookups(large.port, large),
    },
    perGeneration(shortTurns),
  );
}

/** Creations, and the same rows written without the service. */
async function alternateWrites(filled: Filled, folder: string) {
  const { address } = filled;
  const shop = await open(filled, folder);
  // pgbench takes whole seconds.
  const direct = () =>
    address.engine === 'sqlite'
      ? runDirectWrites(join(folder, 'direct.db'), longTurns.ms / 1000)
      : runPgbench(address.url, folder, 2);
  const written = await alternate(
    {
      service: () => runLoad({ ...creations(shop), durationMs: longTurns.ms }),
      direct: async () => ({ perSecond: await direct(), p50Ms: 0, p99Ms: 0, count: 0 }),
    },
    longTurns,
  );
  await stopAll();
  return written;
}

async function pacedCreations(shop: Shop, perSecond: number): Promise<number> {
  const turn = async (): Promise<number> =>
    (await runPacedLoad({ ...creations(shop), durationMs: pacedMs, perSecond })).p99Ms;
  await turn(); // Warm-up, not counted.
  const p99s: number[] = [];
  while (p99s.length < pacedTurns) p99s.push(await turn());
  return median(p99s);
}

const authorized = (apiKey: string): string => `Authorization: Bearer ${apiKey}\r\n`;
const oneOf = (ids: readonly string[]): string => ids[Math.floor(Math.random() * ids.length)] ?? '';

export function lookups(port: number, { apiKey, ids }: StoredPayments): Promise<LoadResult> {
  return runLoad({
    port,
    connections,
    durationMs: shortTurns.ms,
    expectedStatus: 200,
    request: () => requestBytes('GET', `/payment-intents/${oneOf(ids)}`, authorized(apiKey)),
  });
}

/** Pages from anywhere in the list, every other one filtered. */
function lists({ port, apiKey, ids }: Shop): Promise<LoadResult> {
  let filtered = false;
  return runLoad({
    port,
    connections,
    durationMs: shortTurns.ms,
    expectedStatus: 200,
    request: () => {
      filtered = !filtered;
      const filter = filtered ? '&status=requires_payment_method' : '';
      return requestBytes('GET', `/payment-intents?limit=20&cursor=${oneOf(ids)}${filter}`, authorized(apiKey));
    },
  });
}

export function creations({ port, apiKey }: Pick<Shop, 'port' | 'apiKey'>) {
  const body = JSON.stringify({
    amount: 1250,
    currency: 'EUR',
    metadata: { order: '6735' },
    return_url: 'https://shop.example/thanks',
    cancel_url: 'https://shop.example/cart',
    description: 'Two bags of coffee',
    expires_in: 86_400,
  });
  const headers = `${authorized(apiKey)}Content-Type: application/json\r\nIdempotency-Key: `;
  return {
    port,
    connections,
    expectedStatus: 201,
    request: () => requestBytes('POST', '/checkout-sessions', `${headers}${randomUUID()}\r\n`, body),
  };
}
