// Records when API keys were last used. Several processes do so for the same keys at the same time.

import type { Store } from '../store.ts';
import type { Query } from './rows.ts';
import { statementName } from './statement-name.ts';

export interface KeyUsesDeps {
  readonly query: Query;
  /** The database is distributed by merchant, and keys are on every server. */
  readonly byMerchant: boolean;
}

const used = `(SELECT id, max(at) AS at FROM unnest($1::text[], $2::bigint[]) AS use (id, at) GROUP BY id) used`;

/** All rows are locked in the order of their ids before any is changed, so that no two statements wait for each other. */
const inOrder = `
  WITH locked AS MATERIALIZED (
    SELECT k.id, used.at FROM api_keys k JOIN ${used} ON k.id = used.id
    ORDER BY k.id FOR UPDATE OF k
  )
  UPDATE api_keys SET last_used_at = greatest(last_used_at, locked.at) FROM locked WHERE api_keys.id = locked.id`;

/**
 * Citus does not lock rows of a table that is on every server in a common table expression. It lets one statement at a time
 * change such a table.
 */
const onEveryServer = `
  UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at) FROM ${used} WHERE api_keys.id = used.id`;

export function postgresKeyUses({ query, byMerchant }: KeyUsesDeps): Pick<Store, 'markKeysUsed'> {
  const text = byMerchant ? onEveryServer : inOrder;
  const name = statementName('mark keys used', text);
  return {
    async markKeysUsed(uses) {
      if (uses.length === 0) return;
      await query({ name, text, values: [uses.map(({ id }) => id), uses.map(({ usedAt }) => usedAt)] });
    },
  };
}
