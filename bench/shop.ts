// Sets up a shop to measure: a merchant with a key in a database, and the service.

import { join } from 'node:path';
import { momentAt } from '../src/domain/moment.ts';
import { pooledRandom } from '../src/entropy.ts';
import { type DatabaseAddress, openStore } from '../src/storage/open-store.ts';
import { createMerchant } from '../src/usecases/create-merchant.ts';
import { type Serving, startPaydesk, startPostgres, stopAll } from './processes.ts';
import type { Figure } from './report.ts';

export async function createMerchantWithKey(address: DatabaseAddress): Promise<{ merchantId: string; apiKey: string }> {
  const random = pooledRandom();
  const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
  const created = await createMerchant(
    { store, random, moment: () => momentAt(Date.now(), random), actor: 'bench' },
    'Bench',
  );
  await store.close();
  if (created === null) throw new Error('the merchant was not created');
  return { merchantId: created.merchant.id, apiKey: created.testKey };
}

export function serve(address: DatabaseAddress, folder: string): Promise<Serving> {
  return startPaydesk(address.engine === 'sqlite' ? `sqlite:${address.path}` : address.url, folder);
}

export type AddressOf = (database: string) => Promise<DatabaseAddress>;

/** Measures on SQLite and then on PostgreSQL, each with its own databases, and stops all processes. */
export async function onEachEngine(
  folder: string,
  measure: (engine: DatabaseAddress['engine'], addressOf: AddressOf) => Promise<Figure[]>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const postgres = await startPostgres();
  try {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const addressOf: AddressOf = async (name) =>
        engine === 'sqlite'
          ? { engine, path: join(folder, `${name}.db`) }
          : { engine, url: await postgres.urlOf(name) };
      figures.push(...(await measure(engine, addressOf)));
      await stopAll();
    }
  } finally {
    await stopAll();
    await postgres.stop();
  }
  return figures;
}
