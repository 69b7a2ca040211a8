// Revokes an API key. It stops working within a second in every serving process (see `http/authenticate.ts`). Revoking
// it again has no effect.

import type { ApiKey } from '../domain/api-key.ts';
import { apiKeyEntry } from '../domain/audit-entry.ts';
import type { ApiKeyDeps } from './create-api-key.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { findApiKey, type KeyChoice } from './find-api-key.ts';
import { apiKeyNotFound } from './refusals.ts';

export function revokeApiKey(
  { store, moment, actor }: Omit<ApiKeyDeps, 'random'>,
  choice: KeyChoice,
): Promise<Outcome<ApiKey>> {
  return decideAndCommit(store, async () => {
    const key = await findApiKey(store, choice);
    if (key === null) return apiKeyNotFound(choice.keyId);
    if (key.revokedAt !== null) return { changes: {}, result: key };
    const at = moment();
    const revoked = { ...key, revokedAt: at.now };
    const audit = apiKeyEntry(at, actor, 'api_key.revoked', key);
    return { changes: { apiKeys: [revoked], auditEntries: [audit] }, result: revoked };
  });
}
