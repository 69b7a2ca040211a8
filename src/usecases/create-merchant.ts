// Creates a merchant with one API key for each mode.

import { apiKeyEntry, merchantEntry } from '../domain/audit-entry.ts';
import type { Fact } from '../domain/change-set.ts';
import type { Random } from '../domain/ids.ts';
import { type Merchant, newMerchant } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { newApiKey } from './create-api-key.ts';

export interface NewMerchant {
  readonly merchant: Merchant;
  readonly testKey: string;
  readonly liveKey: string;
}

/** Null if `first` is given and another process has already created the first merchant. */
export async function createMerchant(
  { store, moment, random, actor }: { store: Store; moment: () => Moment; random: Random; actor: string },
  name: string,
  first?: Fact['name'],
): Promise<NewMerchant | null> {
  const at = moment();
  const merchant = newMerchant(name, at);
  const test = newApiKey({ merchantId: merchant.id, livemode: false }, null, at, random);
  const live = newApiKey({ merchantId: merchant.id, livemode: true }, null, at, random);
  const outcome = await store.commit({
    facts: first === undefined ? [] : [{ name: first, value: merchant.id }],
    merchants: [merchant],
    apiKeys: [test.key, live.key],
    auditEntries: [
      merchantEntry(at, actor, 'merchant.created', { merchant, details: { name } }),
      ...[test.key, live.key].map((key) => apiKeyEntry(at, actor, 'api_key.created', key)),
    ],
  });
  if (!outcome.committed && outcome.conflict === 'fact') return null;
  if (!outcome.committed) throw new Error('a new merchant collided with an existing one');
  return { merchant, testKey: test.secret, liveKey: live.secret };
}
