// A key stops working: within a second in every process that serves (see `http/authenticate.ts`). Revoking twice is
// revoking once.

import type { ApiKey } from '../domain/api-key.ts';
import { refuse } from '../domain/errors.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';

export function revokeApiKey(
  { store, moment }: { store: Store; moment: () => Moment },
  keyId: string,
): Promise<Outcome<ApiKey>> {
  return decideAndCommit(store, async () => {
    const key = await store.apiKey(keyId);
    if (key === null) return refuse('parameter_invalid', `there is no API key ${keyId}; paydesk key list shows them`);
    if (key.revokedAt !== null) return { changes: {}, result: key };
    const revoked = { ...key, revokedAt: moment().now };
    return { changes: { apiKeys: [revoked] }, result: revoked };
  });
}
