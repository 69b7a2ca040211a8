// What short commands work with: the settings and an open store, closed again at the end.

import { type Config, readConfig } from '../config.ts';
import { momentAt } from '../domain/moment.ts';
import { pooledRandom } from '../entropy.ts';
import { openStore, type StoreOptions } from '../storage/open-store.ts';
import type { Store } from '../storage/store.ts';

export const systemClock = { now: () => Date.now() };

export interface Workplace {
  readonly config: Config;
  readonly store: Store;
  readonly random: ReturnType<typeof pooledRandom>;
  moment(): ReturnType<typeof momentAt>;
}

/** On a database that is there, and up to date, unless the options say that it may be made or migrated. */
export async function withStore<T>(
  work: (place: Workplace) => Promise<T>,
  options: Pick<StoreOptions, 'schema' | 'force' | 'onNotice'> = { schema: 'existing' },
): Promise<T> {
  const config = readConfig(process.env);
  const random = pooledRandom();
  const store = await openStore(config.database, { serving: false, onConnectionLost: () => {}, ...options });
  try {
    return await work({ config, store, random, moment: () => momentAt(systemClock.now(), random) });
  } finally {
    await store.close();
  }
}
