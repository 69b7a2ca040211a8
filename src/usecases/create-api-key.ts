// Creates an API key for a merchant. Its secret is shown once and never stored.

import { type ApiKey, hashApiKey, newApiKeySecret } from '../domain/api-key.ts';
import { apiKeyEntry } from '../domain/audit-entry.ts';
import type { Random } from '../domain/ids.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';

export interface ApiKeyDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly random: Random;
  readonly actor: string;
}

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

/** `receipt`: stores the response to a request with an Idempotency-Key. */
export function issueApiKey(
  { store, moment, random, actor }: ApiKeyDeps,
  scope: Scope,
  name: string | null,
  receipt?: Receipt<NewApiKey>,
): Promise<Outcome<NewApiKey>> {
  return decideAndCommit(
    store,
    async () => {
      const at = moment();
      const made = newApiKey(scope, name, at, random);
      const audit = apiKeyEntry(at, actor, 'api_key.created', made.key);
      return { changes: { apiKeys: [made.key], auditEntries: [audit] }, result: made };
    },
    receipt,
  );
}

export async function createApiKey(deps: ApiKeyDeps, scope: Scope, name: string | null): Promise<NewApiKey> {
  const outcome = await issueApiKey(deps, scope, name);
  if (!('done' in outcome)) throw new Error('the API key was not created');
  return outcome.done;
}
