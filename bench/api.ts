// The speed of the API: lookups and creations, compared with their limits and with a hundred times as many payments
// stored.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseAddress } from '../src/storage/open-store.ts';
import { alternate, rate, roundMs } from './alternate.ts';
import { type LoadResult, runLoad } from './load.ts';
import { runPgbench } from './pgbench.ts';
import { peakMemoryMb, runDirectWrites, type Serving, startBare } from './processes.ts';
import { type Figure, median } from './report.ts';
import { createMerchantWithKey, onEachEngine, serve } from './shop.ts';
import { fillPostgres, fillSqlite } from './stored-payments.ts';

const connections = 64;

interface StoredPayments {
  readonly apiKey: string;
  readonly ids: readonly string[];
}

interface Shop extends Serving, StoredPayments {
  readonly address: DatabaseAddress;
}

export function benchApi(folder: string, sizes: { small: number; middle: number; large: number }): Promise<Figure[]> {
  return onEachEngine(folder, async (engine, addressOf) => {
    const shops: Shop[] = [];
    for (const [name, size] of Object.entries(sizes)) {
      const startedAt = performance.now();
      shops.push(await openShop(await addressOf(name), folder, size));
      console.log(`${engine}: ${size} payments stored in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    }
    const [small, middle, large] = shops as [Shop, Shop, Shop];
    const figures = [
      ...(await benchLookups(engine, small, middle, large)),
      ...(await benchCreations(engine, small, large, folder)),
    ];
    for (const shop of [middle, large]) {
      figures.push({
        name: `${engine}: memory, ${shop === large ? sizes.large : sizes.middle} payments stored`,
        measured: peakMemoryMb(shop.pid),
        limit: 250,
        wanted: 1,
        atMost: true,
        unit: 'MB',
      });
    }
    return figures;
  });
}

async function openShop(address: DatabaseAddress, folder: string, size: number): Promise<Shop> {
  const { merchantId, apiKey } = await createMerchantWithKey(address);
  const ids =
    address.engine === 'sqlite'
      ? fillSqlite(address.path, merchantId, size)
      : await fillPostgres(address.url, merchantId, size);
  return { ...(await serve(address, folder)), address, apiKey, ids };
}

async function benchLookups(engine: string, small: Shop, middle: Shop, large: Shop): Promise<Figure[]> {
  const response = await fetch(`http://127.0.0.1:${middle.port}/payment-intents/${middle.ids[0]}`, {
    headers: { authorization: `Bearer ${middle.apiKey}` },
  });
  const bare = await startBare(response);
  const on = (shop: Shop) => () => lookups(shop.port, shop);
  const results = await alternate({
    bare: () => lookups(bare.port, middle),
    small: on(small),
    middle: on(middle),
    large: on(large),
  });
  const { bare: limit, small: few, middle: some, large: many } = results;
  return [
    {
      name: `${engine}: lookup, against bare node:http`,
      measured: rate(some),
      limit: rate(limit),
      wanted: engine === 'sqlite' ? 0.5 : 0.4,
      unit: '/s',
      note: `p50 ${latency(some, 'p50Ms')} p99 ${latency(some, 'p99Ms')}`,
    },
    {
      name: `${engine}: lookup, many payments against few`,
      measured: rate(many),
      limit: rate(few),
      wanted: 0.9,
      unit: '/s',
    },
  ];
}

async function benchCreations(engine: string, small: Shop, large: Shop, folder: string): Promise<Figure[]> {
  const { address } = small;
  // pgbench takes whole seconds.
  const direct = () =>
    address.engine === 'sqlite'
      ? runDirectWrites(join(folder, 'direct.db'), roundMs / 1000)
      : runPgbench(address.url, folder, 2);
  const results = await alternate({
    small: () => creations(small),
    large: () => creations(large),
    direct: async () => {
      const perSecond = await direct();
      return { perSecond, p50Ms: 0, p99Ms: 0 };
    },
  });
  return [
    {
      name: `${engine}: create session, against ${engine === 'sqlite' ? 'direct writes' : 'pgbench, 32 clients'}`,
      measured: rate(results.small),
      limit: rate(results.direct),
      wanted: engine === 'sqlite' ? 0.35 : 0.6,
      unit: '/s',
      note: `p50 ${latency(results.small, 'p50Ms')} p99 ${latency(results.small, 'p99Ms')}`,
    },
    {
      name: `${engine}: create session, many payments against few`,
      measured: rate(results.large),
      limit: rate(results.small),
      wanted: 0.9,
      unit: '/s',
    },
  ];
}

export function lookups(port: number, { apiKey, ids }: StoredPayments): Promise<LoadResult> {
  return runLoad({
    port,
    connections,
    durationMs: roundMs,
    expectedStatus: 200,
    request: () => {
      const id = ids[Math.floor(Math.random() * ids.length)];
      return `GET /payment-intents/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`;
    },
  });
}

function creations({ port, apiKey }: Shop): Promise<LoadResult> {
  const body = JSON.stringify({
    amount: 1250,
    currency: 'EUR',
    metadata: { order: '6735' },
    return_url: 'https://shop.example/thanks',
    cancel_url: 'https://shop.example/cart',
    description: 'Two bags of coffee',
    expires_in: 86_400,
  });
  const head = `POST /checkout-sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nIdempotency-Key: `;
  return runLoad({
    port,
    connections,
    durationMs: roundMs,
    expectedStatus: 201,
    request: () => `${head}${randomUUID()}\r\n\r\n${body}`,
  });
}

function latency(results: readonly LoadResult[], of: 'p50Ms' | 'p99Ms'): string {
  return `${median(results.map((result) => result[of])).toFixed(1)} ms`;
}
