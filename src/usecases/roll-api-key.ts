// Replaces an API key: a new key works now, and the old one until its time is up, so that programs can be switched over
// one after the other. Every serving process ends it at that time (see `http/authenticate.ts`).

import { type ApiKey, keyStateAt } from '../domain/api-key.ts';
import { apiKeyEntry } from '../domain/audit-entry.ts';
import { refuse } from '../domain/errors.ts';
import { isoTime } from '../domain/moment.ts';
import { type ApiKeyDeps, type NewApiKey, newApiKey } from './create-api-key.ts';
import { decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { findApiKey, type KeyChoice } from './find-api-key.ts';
import { apiKeyNotFound } from './refusals.ts';

/** For how long the old key can keep working. */
export const rollHours = [1, 24, 72] as const;

export interface RolledKey {
  readonly old: ApiKey;
  readonly made: NewApiKey;
}

export function rollApiKey(
  { store, moment, random, actor }: ApiKeyDeps,
  { expiresInHours, ...choice }: KeyChoice & { readonly expiresInHours: (typeof rollHours)[number] },
  receipt?: Receipt<RolledKey>,
): Promise<Outcome<RolledKey>> {
  return decideAndCommit(
    store,
    async () => {
      const key = await findApiKey(store, choice);
      if (key === null) return apiKeyNotFound(choice.keyId);
      const at = moment();
      if (key.revokedAt !== null)
        return refuse('api_key_not_active', `The API key ${key.id} has been revoked. Create a new one instead.`);
      if (key.expiresAt !== null) {
        const ends = keyStateAt(key, at.now) === 'expired' ? 'expired' : 'expires';
        return refuse(
          'api_key_not_active',
          `The API key ${key.id} has already been replaced, and ${ends} on ${isoTime(key.expiresAt)}.`,
        );
      }
      const made = newApiKey(key, key.name, at, random);
      const old = { ...key, expiresAt: at.now + expiresInHours * 3_600_000 };
      const auditEntries = [
        apiKeyEntry(at, actor, 'api_key.created', made.key, { replaces: key.id }),
        apiKeyEntry(at, actor, 'api_key.rolled', old, {
          replaced_by: made.key.id,
          expires_at: isoTime(old.expiresAt),
        }),
      ];
      return { changes: { apiKeys: [old, made.key], auditEntries }, result: { old, made } };
    },
    receipt,
  );
}
