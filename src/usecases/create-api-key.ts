// Creates an API key for a merchant. Its secret is shown once and never stored.

import { type ApiKey, hashApiKey, newApiKeySecret } from '../domain/api-key.ts';
import { apiKeyEntry } from '../domain/audit-entry.ts';
import type { Random } from '../domain/ids.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';

export interface NewApiKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export function newApiKey(scope: Scope, name: string | null, moment: Moment, random: Random): NewApiKey {
  const secret = newApiKeySecret(scope.livemode, random);
  const key: ApiKey = {
    id: moment.newId('key'),
    merchantId: scope.merchantId,
    livemode: scope.livemode,
    version: 0,
    name,
    hash: hashApiKey(secret),
    lastFour: secret.slice(-4),
    createdAt: moment.now,
    lastUsedAt: null,
    revokedAt: null,
    expiresAt: null,
  };
  return { key, secret };
}

export async function createApiKey(
  { store, moment, random, actor }: { store: Store; moment: () => Moment; random: Random; actor: string },
  scope: Scope,
  name: string | null,
): Promise<NewApiKey> {
  const at = moment();
  const made = newApiKey(scope, name, at, random);
  const audit = apiKeyEntry(at, actor, 'api_key.created', made.key);
  const outcome = await store.commit({ apiKeys: [made.key], auditEntries: [audit] });
  if (!outcome.committed) throw new Error('a new API key collided with an existing one');
  return made;
}
