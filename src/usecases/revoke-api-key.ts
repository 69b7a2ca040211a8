// Revokes an API key. It stops working within a second in every serving process (see `http/authenticate.ts`). Revoking
// it again has no effect.

import type { ApiKey } from '../domain/api-key.ts';
import { apiKeyEntry } from '../domain/audit-entry.ts';
import { refuse } from '../domain/errors.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';

export function revokeApiKey(
  { store, moment, actor }: { store: Store; moment: () => Moment; actor: string },
  keyId: string,
): Promise<Outcome<ApiKey>> {
  return decideAndCommit(store, async () => {
    const key = await store.findBy('apiKeys', 'id', keyId);
    if (key === null) return refuse('parameter_invalid', `no API key ${keyId} exists; see paydesk key list`);
    if (key.revokedAt !== null) return { changes: {}, result: key };
    const at = moment();
    const revoked = { ...key, revokedAt: at.now };
    const audit = apiKeyEntry(at, actor, 'api_key.revoked', key);
    return { changes: { apiKeys: [revoked], auditEntries: [audit] }, result: revoked };
  });
}
