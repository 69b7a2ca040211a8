// Counters of attempts. The commit statement itself adds to them, on the current rows once their locks are held, so a
// commit that waited for another includes its counts. A check constraint rejects counts above the limit, and with them
// the whole statement; each change set of the group is then committed by itself. This is rare, because the counters are
// read before an attempt begins.

import type { AttemptCounter, CountChange } from '../../domain/attempt-counts.ts';
import type { Store } from '../store.ts';
import { attemptCounters } from '../tables/attempt-counters.ts';
import { type ChangeRowsDeps, changingRows } from './chosen-rows.ts';
import { valueAt } from './commit-rows.ts';
import { jsonRow, jsonRowDecoder } from './json-rows.ts';
import { lookUpsTogether } from './look-ups.ts';
import type { RowsOf } from './rows.ts';

/** The constraint that a commit above a limit violates. */
export const limitConstraint = 'attempt_counters_within_limit';

const noLimit = Number.MAX_SAFE_INTEGER;

/** What a commit's statement needs in order to count. */
export interface Counting {
  /** The counts as rows, one for each change set, counter and slot. */
  readonly rows: string;
  /** Adds them. Rows are locked in the order of their keys, so that no two commits wait for each other. */
  readonly step: string;
}

/** `counts`: the parameter with the counts as JSON. `since`: the one with the time before which nothing counts. */
export function counting(counts: string, since: string): Counting {
  return {
    rows: `new_counts AS MATERIALIZED (
      SELECT ${countColumns.map(([name, type], at) => `${valueAt('texts', at, type)} AS ${name}`).join(', ')}
      FROM jsonb_array_elements(${counts}::jsonb) AS listed (texts))`,
    step: `counts AS (
      INSERT INTO attempt_counters AS stored (key, slots, last_declined_at, erase_at, counted, at_most)
      SELECT key, jsonb_object_agg(at, jsonb_build_array(under_way, declined)), max(last_declined_at), max(erase_at),
        sum(under_way + declined), min(at_most)
      FROM (
        SELECT key, at, sum(under_way) AS under_way, sum(declined) AS declined,
          max(last_declined_at) AS last_declined_at, max(erase_at) AS erase_at, min(at_most) AS at_most
        FROM new_counts JOIN gate USING (change)
        GROUP BY key, at
      ) AS added
      GROUP BY key ORDER BY key
      ON CONFLICT (key) DO UPDATE SET (slots, counted, last_declined_at, erase_at, at_most) = (
        SELECT coalesce(jsonb_object_agg(at, jsonb_build_array(under_way, declined)), '{}'),
          coalesce(sum(under_way + declined), 0),
          greatest(stored.last_declined_at, excluded.last_declined_at),
          CASE WHEN count(*) = 0 THEN 0 ELSE greatest(stored.erase_at, excluded.erase_at) END,
          excluded.at_most
        FROM (
          SELECT at, greatest(sum(under_way), 0) AS under_way, sum(declined) AS declined
          FROM (
            SELECT key AS at, greatest((value ->> 0)::bigint, 0) AS under_way, (value ->> 1)::bigint AS declined
            FROM jsonb_each(stored.slots)
            UNION ALL
            SELECT key, (value ->> 0)::bigint, (value ->> 1)::bigint FROM jsonb_each(excluded.slots)
          ) AS both_of_them
          WHERE at::bigint > ${since}::bigint
          GROUP BY at
        ) AS merged
        WHERE under_way + declined > 0
      )
      RETURNING 1)`,
  };
}

/** The values of a count, with their types. */
const countColumns = [
  ['change', 'bigint'],
  ['key', 'text'],
  ['at', 'text'],
  ['under_way', 'bigint'],
  ['declined', 'bigint'],
  ['last_declined_at', 'bigint'],
  ['erase_at', 'bigint'],
  ['at_most', 'bigint'],
] as const;

/** The counts of change sets that are numbered from 1, each with the values of `countColumns`. */
export function countsOf(group: readonly { readonly counts: readonly CountChange[] }[]): string[][] {
  return group.flatMap(({ counts }, at) =>
    counts.flatMap(({ key, slots, lastDeclinedAt, eraseAt, atMost }) =>
      Object.entries(slots).map(([slot, [underWay, declined]]) =>
        [at + 1, key, slot, underWay, declined, lastDeclinedAt, eraseAt, atMost ?? noLimit].map(String),
      ),
    ),
  );
}

export function sinceOf(group: readonly { readonly counts: readonly CountChange[] }[]): number {
  return Math.min(...group.flatMap(({ counts }) => counts.map(({ since }) => since)));
}

type Attempts = Pick<Store, 'attemptCounters' | 'eraseAttempts'>;

export interface AttemptsDeps extends ChangeRowsDeps {
  readonly readRows: RowsOf;
}

const counterIn = jsonRowDecoder(attemptCounters);

export function postgresAttempts({ readRows, ...deps }: AttemptsDeps): Attempts {
  const { query } = deps;
  const eraseKeys = changingRows(deps, {
    ...{ meaning: 'erase attempt keys', table: 'operations', set: 'attempt = NULL' },
    key: { merchant_id: 'text', livemode: 'boolean', id: 'text' },
  });
  const find = lookUpsTogether<[string], AttemptCounter>(readRows, {
    meaning: 'attempt counters',
    key: { key: 'text' },
    byMerchant: false,
    columns: [jsonRow(attemptCounters)],
    from: 'JOIN attempt_counters t ON t.key = wanted.key',
    decode: ([row]) => counterIn(row),
  });
  return {
    async attemptCounters(keys) {
      const counters = await Promise.all(keys.map((key) => find(key)));
      return counters.filter((counter) => counter !== null);
    },
    async eraseAttempts(now, madeBefore, limit) {
      const counters = await query({ name: 'erase attempt counters', text: eraseCountersSql, values: [now, limit] });
      const old = await readRows({ name: 'old attempt keys', text: oldKeysSql, values: [madeBefore, limit] });
      const erased = await eraseKeys(old);
      return Math.max(counters.rowCount ?? 0, erased.length);
    },
  };
}

/** Rows that a commit has locked are left for the next time. The condition is checked again under the lock. */
const eraseCountersSql = `
  WITH over AS (
    SELECT key FROM attempt_counters WHERE erase_at <= $1 ORDER BY erase_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM attempt_counters c USING over WHERE c.key = over.key`;

/** Every operation in progress has a due time, so the index on it finds them. */
const oldKeysSql = `
  SELECT merchant_id, livemode, id FROM operations
  WHERE due_at IS NOT NULL AND attempt IS NOT NULL AND created_at < $1 LIMIT $2`;
