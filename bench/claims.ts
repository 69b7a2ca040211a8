// The speed of claiming due work, with few and with many payments stored: sessions whose time is up, in the batches of the
// job that expires them. Measured on the store itself, before the service uses the database, because claims come from
// inside the service.

import pg from 'pg';
import { type DatabaseAddress, openStore } from '../src/storage/open-store.ts';
import { alternate, type Rate } from './alternate.ts';

const batch = 100;
const leaseMs = 10_000;
/** Later than any session expires. */
const afterAllMs = 48 * 3_600_000;

interface Side {
  readonly address: DatabaseAddress;
  readonly size: number;
}

/** Of the smallest database and the largest. */
export async function benchClaims(sides: readonly Side[]): Promise<Record<'small' | 'large', Rate[]>> {
  const [small, large] = [sides[0], sides.at(-1)];
  if (small === undefined || large === undefined) throw new Error('two databases are needed');
  // A fifth of the smaller one in each round, so that the oldest are claimed again once their lease has ended.
  const batches = Math.floor(small.size / 5 / batch);
  const [few, many] = [await claimer(small.address, batches), await claimer(large.address, batches)];
  const rates = await alternate({ small: few.claim, large: many.claim });
  await few.close();
  await many.close();
  return rates;
}

async function claimer(address: DatabaseAddress, batches: number) {
  const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
  let now = Date.now() + afterAllMs;
  return {
    async claim(): Promise<Rate> {
      now += leaseMs + 1;
      const startedAt = performance.now();
      for (let at = 0; at < batches; at += 1) {
        const claimed = await store.claim('checkoutSessions', 'expired', { now, leaseMs, limit: batch });
        if (claimed.length !== batch) throw new Error(`${claimed.length} of ${batch} sessions were due`);
      }
      return { perSecond: (batches * batch) / ((performance.now() - startedAt) / 1000) };
    },
    /** The old versions of the claimed rows must not slow down what is measured next. */
    async close(): Promise<void> {
      await store.close();
      if (address.engine === 'sqlite') return;
      const client = new pg.Client({ connectionString: address.url });
      await client.connect();
      await client.query('VACUUM ANALYZE checkout_sessions');
      await client.end();
    },
  };
}
