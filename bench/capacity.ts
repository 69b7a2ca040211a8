// Measures what docs/capacity.md calculates with: the CPU time of each step of a payment in the service and in PostgreSQL,
// what a payment leaves on disk, and, as a check of the model, whole payments at two sizes.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type DatabaseAddress, openStore } from '../src/storage/open-store.ts';
import { type Capacity, type CapacityRun, type Cost, eventsPerPayment, type Measured } from './capacity-model.ts';
import { requestBytes } from './connection.ts';
import { cpuMsOf } from './cpu.ts';
import { payFor } from './customer.ts';
import { databaseMeter } from './database-meter.ts';
import { payInSteps, runMany } from './payment-steps.ts';
import { startPostgres, stopAll } from './processes.ts';
import { createEndpoint, type Receiver, recorded, startReceiver } from './receiving.ts';
import { amount } from './report.ts';
import { createMerchantWithKey, serve } from './shop.ts';
import { fillPostgres, fillSqlite } from './stored-payments.ts';

export interface CapacitySizes {
  readonly few: number;
  readonly many: number;
  /** Requests of each step. */
  readonly requests: number;
  readonly wholeMs: number;
}

const customers = 32;
const warmUpMs = 3_000;

export async function measureCapacity(folder: string, sizes: CapacitySizes): Promise<Capacity> {
  const runs: CapacityRun[] = [];
  const postgres = await startPostgres();
  const receiver = await startReceiver();
  try {
    for (const engine of ['sqlite', 'postgres'] as const) {
      for (const stored of [sizes.few, sizes.many]) {
        const name = `capacity-${stored}`;
        const address: DatabaseAddress =
          engine === 'sqlite'
            ? { engine, path: join(folder, `${name}.db`) }
            : { engine, url: await postgres.urlOf(name) };
        const run = await measure(address, folder, receiver, { ...sizes, stored });
        console.log(`${engine}: ${amount(stored)} payments stored, ${amount(run.whole.perSecond)} whole payments/s`);
        runs.push(run);
        await stopAll();
      }
    }
  } finally {
    receiver.stop();
    await stopAll();
    await postgres.stop();
  }
  return { cores: availableParallelism(), runs };
}

interface Metered {
  readonly count: number;
  readonly measured: Measured;
}

async function measure(
  address: DatabaseAddress,
  folder: string,
  receiver: Receiver,
  { stored, requests, wholeMs }: CapacitySizes & { readonly stored: number },
): Promise<CapacityRun> {
  const quiet = await createMerchantWithKey(address);
  const notified = await createMerchantWithKey(address);
  const ids =
    address.engine === 'sqlite'
      ? fillSqlite(address.path, quiet.merchantId, stored)
      : await fillPostgres(address.url, quiet.merchantId, stored);
  const { port, pid } = await serve(address, folder);
  const endpointId = await createEndpoint(port, notified.apiKey, receiver);
  const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
  const database = await databaseMeter(address);
  const sample = (): Cost => {
    const { user, system } = process.cpuUsage();
    return {
      serviceMs: cpuMsOf(pid),
      postgresMs: database.cpuMs(),
      otherMs: (user + system) / 1_000 + cpuMsOf(receiver.pid),
    };
  };
  /** `work` returns how many it did; the cost is that of one. */
  const metered = async (work: () => Promise<number>): Promise<Metered> => {
    const [before, startedAt] = [sample(), performance.now()];
    const count = await work();
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = sample();
    const each = (part: keyof Cost): number => (after[part] - before[part]) / count;
    const cost = { serviceMs: each('serviceMs'), postgresMs: each('postgresMs'), otherMs: each('otherMs') };
    return { count, measured: { perSecond: count / seconds, ...cost } };
  };
  const get = (count: number, path: () => string) =>
    metered(() =>
      runMany(port, count, 200, () => requestBytes('GET', path(), `Authorization: Bearer ${quiet.apiKey}\r\n`)),
    );
  const anyId = (): string => ids[Math.floor(Math.random() * ids.length)] ?? '';
  const payAndDeliver = (pay: () => Promise<number>) => async (): Promise<number> => {
    const count = await pay();
    await recorded(store, [endpointId]);
    return count;
  };

  await payFor({ port, apiKey: notified.apiKey }, { customers, durationMs: warmUpMs });
  await recorded(store, [endpointId]);
  const silent = payInSteps(port, quiet.apiKey, requests);
  const create = await metered(silent.create);
  const page = await metered(silent.openPages);
  const pay = await metered(silent.pay);
  const loud = payInSteps(port, notified.apiKey, requests);
  await loud.create();
  await loud.openPages();
  const withWebhooks = await metered(payAndDeliver(loud.pay));
  const lookup = await get(requests * 4, () => `/payment-intents/${anyId()}`);
  const list = await get(requests, () => `/payment-intents?cursor=${anyId()}`);

  const before = await database.contents();
  const whole = await metered(
    payAndDeliver(async () => {
      const { count } = await payFor({ port, apiKey: notified.apiKey }, { customers, durationMs: wholeMs });
      return count;
    }),
  );
  const growth = database.growth(before, await database.contents(), whole.count);
  await store.close();
  await database.close();
  return {
    engine: address.engine,
    stored,
    steps: {
      create: create.measured,
      page: page.measured,
      pay: pay.measured,
      webhook: webhookOf(pay.measured, withWebhooks.measured),
      lookup: lookup.measured,
      list: list.measured,
    },
    whole: whole.measured,
    growth,
  };
}

/** What delivering one event costs beyond the payment that caused it. */
function webhookOf(pay: Measured, withWebhooks: Measured): Measured {
  const beyond = (part: keyof Cost): number => Math.max(0, withWebhooks[part] - pay[part]) / eventsPerPayment;
  return {
    perSecond: withWebhooks.perSecond * eventsPerPayment,
    serviceMs: beyond('serviceMs'),
    postgresMs: beyond('postgresMs'),
    otherMs: beyond('otherMs'),
  };
}
