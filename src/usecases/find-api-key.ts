// Finds the API key that someone names.

import type { ApiKey } from '../domain/api-key.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Store } from '../storage/store.ts';

export interface KeyChoice {
  readonly keyId: string;
  /** Keys of other merchants and of the other mode do not exist. Absent for whoever runs the installation. */
  readonly within?: Scope;
}

export async function findApiKey(store: Store, { keyId, within }: KeyChoice): Promise<ApiKey | null> {
  const key = await store.findBy('apiKeys', 'id', keyId);
  if (key === null || within === undefined) return key;
  return key.merchantId === within.merchantId && key.livemode === within.livemode ? key : null;
}
