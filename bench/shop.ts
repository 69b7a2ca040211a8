// A merchant's shop to measure: its merchant and key in a database, and the service that serves it.

import { momentAt } from '../src/domain/moment.ts';
import { pooledRandom } from '../src/entropy.ts';
import { type DatabaseAddress, openStore } from '../src/storage/open-store.ts';
import { createMerchant } from '../src/usecases/create-merchant.ts';
import { type Serving, startPaydesk } from './processes.ts';

export async function makeMerchant(address: DatabaseAddress): Promise<{ merchantId: string; apiKey: string }> {
  const random = pooledRandom();
  const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
  const made = await createMerchant({ store, random, moment: () => momentAt(Date.now(), random) }, 'Bench');
  await store.close();
  if (made === null) throw new Error('the merchant was not made');
  return { merchantId: made.merchant.id, apiKey: made.testKey };
}

export function serve(address: DatabaseAddress, folder: string): Promise<Serving> {
  return startPaydesk(address.engine === 'sqlite' ? `sqlite:${address.path}` : address.url, folder);
}
