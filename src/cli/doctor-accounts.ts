// Finds acquirer accounts whose credentials cannot be used: their payments would wait without an end.

import type { Config } from '../config.ts';
import { type AcquirerAccount, openCredentials } from '../domain/acquirer-account.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { pooledRandom } from '../entropy.ts';
import { findSecretKey } from '../secret-key.ts';
import type { Store } from '../storage/store.ts';
import type { Finding } from './doctor.ts';

const pageSize = 500;

/** Nothing without accounts. */
export async function examineAccounts(config: Config, store: Store): Promise<Finding[]> {
  const box = findSecretKey(config, pooledRandom())?.box ?? null;
  const unusable: string[] = [];
  let count = 0;
  for (let after: AcquirerAccount | null = null; ; ) {
    const page: readonly AcquirerAccount[] = await store.walk('acquirerAccounts', after, pageSize);
    count += page.length;
    unusable.push(...page.filter((account) => !canOpen(box, account)).map(({ id }) => id));
    after = page.at(-1) ?? null;
    if (page.length < pageSize) break;
  }
  if (count === 0) return [];
  if (unusable.length === 0)
    return [{ check: 'acquirers', ok: true, found: `${count} accounts, credentials readable` }];
  return unusable.map((id) => ({
    check: 'acquirers',
    ok: false,
    found: `the credentials of ${id} cannot be decrypted`,
    advice: `replace them: paydesk acquirer update ${id} --credentials`,
  }));
}

function canOpen(box: SecretBox | null, account: AcquirerAccount): boolean {
  try {
    return box !== null && Object.keys(openCredentials(box, account)).length > 0;
  } catch {
    return false;
  }
}
