// The speed of the hosted page: loading it, compared with a bare server that sends the same bytes, and a whole sandbox
// payment.

import { join } from 'node:path';
import type { DatabaseAddress } from '../src/storage/open-store.ts';
import {
  alternate,
  compared,
  generations,
  latencies,
  paymentTurns,
  perGeneration,
  shortTurns,
  together,
} from './alternate.ts';
import { openConnection } from './connection.ts';
import { createRequest, pageRequest, payFor, sessionIdIn } from './customer.ts';
import { type LoadResult, runLoad } from './load.ts';
import { startBare, startPostgres, stopAll } from './processes.ts';
import type { Figure } from './report.ts';
import { createMerchantWithKey, onEachEngine, serve } from './shop.ts';

const connections = 64;
const customers = 16;

interface Shop {
  readonly address: DatabaseAddress;
  readonly apiKey: string;
}

interface OpenShop {
  readonly port: number;
  readonly apiKey: string;
}

export async function benchCheckout(folder: string): Promise<Figure[]> {
  const pages = await onEachEngine(folder, async (engine, addressOf) => [
    await benchPage(engine, await open(await newShop(await addressOf('checkout')), folder)),
  ]);
  return [...pages, await benchPayments(folder)];
}

async function newShop(address: DatabaseAddress): Promise<Shop> {
  const { apiKey } = await createMerchantWithKey(address);
  return { address, apiKey };
}

async function open({ address, apiKey }: Shop, folder: string): Promise<OpenShop> {
  const { port } = await serve(address, folder);
  return { port, apiKey };
}

async function benchPage(engine: string, { port, apiKey }: OpenShop): Promise<Figure> {
  const connection = await openConnection(port, () => {});
  const sessionId = sessionIdIn(await connection.exchange(createRequest(apiKey)));
  await connection.close();
  const bare = await startBare(await fetch(`http://127.0.0.1:${port}/checkout/${sessionId}`));
  const get = (at: number) => () =>
    runLoad({
      port: at,
      connections,
      durationMs: shortTurns.ms,
      expectedStatus: 200,
      request: () => pageRequest(sessionId),
    });
  const loaded = await alternate({ bare: get(bare.port), page: get(port) });
  return {
    name: `${engine}: payment page, against bare node:http`,
    ...compared(loaded.page, loaded.bare),
    wanted: 0.25,
    unit: '/s',
  };
}

/** Both engines at the same time of day: in turns, so that noise on the machine affects both. */
async function benchPayments(folder: string): Promise<Figure> {
  const postgres = await startPostgres();
  try {
    const sqliteShop = await newShop({ engine: 'sqlite', path: join(folder, 'payments.db') });
    const postgresShop = await newShop({ engine: 'postgres', url: await postgres.urlOf('payments') });
    const paying = { customers, durationMs: paymentTurns.ms };
    const runs: Record<'sqlite' | 'postgres', LoadResult[]>[] = [];
    for (let generation = 0; generation < generations; generation++) {
      const onSqlite = await open(sqliteShop, folder);
      const onPostgres = await open(postgresShop, folder);
      runs.push(
        await alternate(
          { sqlite: () => payFor(onSqlite, paying), postgres: () => payFor(onPostgres, paying) },
          perGeneration(paymentTurns),
        ),
      );
      await stopAll();
    }
    const paid = together(runs);
    return {
      name: `whole sandbox payments, PostgreSQL against SQLite, ${customers} customers`,
      ...compared(paid.postgres, paid.sqlite),
      wanted: 0.6,
      unit: '/s',
      note: latencies(paid.postgres),
    };
  } finally {
    await stopAll();
    await postgres.stop();
  }
}
