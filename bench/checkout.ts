// The speed of the hosted page: loading it, compared with a bare server that sends the same bytes, and a whole sandbox
// payment.

import { join } from 'node:path';
import type { DatabaseAddress } from '../src/storage/open-store.ts';
import { alternate, rate, roundMs } from './alternate.ts';
import { type LoadResult, runLoad } from './load.ts';
import { startBare, startPostgres, stopAll } from './processes.ts';
import type { Figure } from './report.ts';
import { createMerchantWithKey, onEachEngine, serve } from './shop.ts';

const connections = 64;
const payers = 16;
const payMs = 2_000;

export async function benchCheckout(folder: string): Promise<Figure[]> {
  const pages = await onEachEngine(folder, async (engine, addressOf) =>
    benchEngine(engine, await addressOf('checkout'), folder),
  );
  return [...pages, await benchPayments(folder)];
}

/** Both engines at the same time of day: in turns, so that noise on the machine affects both. */
async function benchPayments(folder: string): Promise<Figure> {
  const postgres = await startPostgres();
  try {
    const onSqlite = await customerOf({ engine: 'sqlite', path: join(folder, 'payments.db') }, folder);
    const onPostgres = await customerOf({ engine: 'postgres', url: await postgres.urlOf('payments') }, folder);
    const { sqlite, postgres: paid } = await alternate({
      sqlite: () => payForAWhile(onSqlite),
      postgres: () => payForAWhile(onPostgres),
    });
    return {
      name: `whole sandbox payments, PostgreSQL against SQLite, ${payers} customers`,
      measured: rate(paid),
      limit: rate(sqlite),
      wanted: 0.6,
      unit: '/s',
    };
  } finally {
    await stopAll();
    await postgres.stop();
  }
}

async function customerOf(address: DatabaseAddress, folder: string): Promise<Customer> {
  const { apiKey } = await createMerchantWithKey(address);
  const { port } = await serve(address, folder);
  return customerAt(port, apiKey);
}

async function benchEngine(engine: string, address: DatabaseAddress, folder: string): Promise<Figure[]> {
  const { apiKey } = await createMerchantWithKey(address);
  const { port } = await serve(address, folder);
  const customer = customerAt(port, apiKey);

  const sessionId = await customer.openSession();
  const page = await fetch(`http://127.0.0.1:${port}/checkout/${sessionId}`);
  const bare = await startBare(page);
  const get = (at: number) => () =>
    runLoad({
      port: at,
      connections,
      durationMs: roundMs,
      expectedStatus: 200,
      request: () => `GET /checkout/${sessionId} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    });
  const loaded = await alternate({ bare: get(bare.port), page: get(port) });
  const paid = await payForAWhile(customer);
  return [
    {
      name: `${engine}: payment page, against bare node:http`,
      measured: rate(loaded.page),
      limit: rate(loaded.bare),
      wanted: 0.25,
      unit: '/s',
    },
    {
      name: `${engine}: whole sandbox payments (page, pay, outcome), ${payers} customers`,
      measured: paid.perSecond,
      limit: paid.perSecond,
      wanted: 0,
      unit: '/s',
      note: `p50 ${paid.p50Ms.toFixed(1)} ms p99 ${paid.p99Ms.toFixed(1)} ms`,
    },
  ];
}

function customerAt(port: number, apiKey: string) {
  const url = `http://127.0.0.1:${port}`;
  const field = (html: string, name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

  return {
    async openSession(): Promise<string> {
      const response = await fetch(`${url}/checkout-sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: 1250, currency: 'EUR', description: 'Two bags of coffee' }),
      });
      return ((await response.json()) as { id: string }).id;
    },
    /** Loads the page and pays. */
    async pay(sessionId: string): Promise<void> {
      const html = await (await fetch(`${url}/checkout/${sessionId}`)).text();
      const response = await fetch(`${url}/checkout/${sessionId}/pay`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({
          attempt: field(html, 'attempt'),
          amount: field(html, 'amount'),
          method: 'card',
          number: '4242424242424242',
          expiry: '12/40',
          cvc: '123',
          name: 'Ada',
        }),
      });
      await response.text();
      if (response.status !== 303) throw new Error(`a payment returned status ${response.status}`);
    },
  };
}

type Customer = ReturnType<typeof customerAt>;

async function payForAWhile(customer: Customer): Promise<LoadResult> {
  const times: number[] = [];
  const startedAt = performance.now();
  const work = async (): Promise<void> => {
    while (performance.now() - startedAt < payMs) {
      const sessionId = await customer.openSession();
      const before = performance.now();
      await customer.pay(sessionId);
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: payers }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}
