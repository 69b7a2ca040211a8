// What workers add: lookups with two workers against one, on the same PostgreSQL database.

import { availableParallelism, loadavg } from 'node:os';
import { alternate, compared } from './alternate.ts';
import { lookups } from './api.ts';
import { startPaydesk, startPostgres, stopAll } from './processes.ts';
import type { Figure } from './report.ts';
import { createMerchantWithKey } from './shop.ts';
import { fillPostgres } from './stored-payments.ts';

/** Two workers, PostgreSQL and the load generator need one each; with fewer, a second worker has no core to use. */
const coresNeeded = 4;

export async function benchWorkers(folder: string, size: number): Promise<Figure[]> {
  const postgres = await startPostgres();
  try {
    const url = await postgres.urlOf('workers');
    const { merchantId, apiKey } = await createMerchantWithKey({ engine: 'postgres', url });
    const ids = await fillPostgres(url, merchantId, size);
    const one = await startPaydesk(url, folder, ['--workers', '1']);
    const two = await startPaydesk(url, folder, ['--workers', '2']);
    const before = loadavg()[0] ?? 0;
    const results = await alternate({
      one: () => lookups(one.port, { apiKey, ids }),
      two: () => lookups(two.port, { apiKey, ids }),
    });
    const cores = availableParallelism();
    return [
      {
        name: 'postgres: lookup, two workers against one',
        ...compared(results.two, results.one),
        wanted: 1.6,
        unit: '/s',
        note: `${cores} cores, load before ${before.toFixed(1)}`,
        ...(cores < coresNeeded
          ? { notJudged: `two workers, PostgreSQL and the load need ${coresNeeded} cores; this machine has ${cores}` }
          : {}),
      },
    ];
  } finally {
    await stopAll();
    await postgres.stop();
  }
}
