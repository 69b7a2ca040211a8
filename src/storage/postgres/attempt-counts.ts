// Counters of attempts. They are added up by the statement of the commit itself, on the rows as they are once their locks
// are held: whoever waited for another counts what that one has counted. A check of the table refuses what is above the
// limit, and with it the whole statement. That is an error, which costs a lot, so a counter that is seen to be full keeps
// the change set out instead.

import { rowDecoder } from '../row-decoder.ts';
import type { Store } from '../store.ts';
import { columnNames } from '../table.ts';
import { attemptCounters } from '../tables/attempt-counters.ts';
import { type ChangeRowsDeps, changingRows } from './chosen-rows.ts';
import type { RowsOf } from './rows.ts';

/** The constraint that a commit above a limit breaks. */
export const limitConstraint = 'attempt_counters_within_limit';

const noLimit = Number.MAX_SAFE_INTEGER;

/** What a commit's statement needs in order to count. */
export interface Counting {
  /** The given counts, one row for each change set and counter. */
  readonly rows: string;
  /** Whether a counter of the change set is seen to be full. */
  readonly crowded: string;
  /** Adds them up. Rows are locked in the order of their keys, so that no two commits wait for each other. */
  readonly step: string;
}

/** `counts`: the parameter with the counts as JSON. `since`: the one with the time before which nothing counts. */
export function counting(counts: string, since: string): Counting {
  const slots = (given: string): string => `
    SELECT slot.key AS at, greatest((slot.value ->> 0)::bigint, 0) AS under_way, (slot.value ->> 1)::bigint AS declined
    FROM jsonb_each(${given}) AS slot`;
  return {
    rows: `new_counts AS (
      SELECT change, key, slots, "lastDeclinedAt" AS last_declined_at, "eraseAt" AS erase_at,
        coalesce("atMost", ${noLimit}) AS at_most
      FROM json_to_recordset(${counts}::json) AS row (
        change int, key text, slots jsonb, "lastDeclinedAt" bigint, "eraseAt" bigint, "atMost" bigint))`,
    crowded: `EXISTS (
      SELECT 1 FROM new_counts new JOIN attempt_counters stored USING (key)
      WHERE new.change = changes.change AND new.at_most <= (
        SELECT coalesce(sum(under_way + declined), 0) FROM (${slots('stored.slots')}) s
        WHERE at::bigint > ${since}::bigint))`,
    step: `counts AS (
      INSERT INTO attempt_counters AS stored (key, slots, last_declined_at, erase_at, counted, at_most)
      SELECT key, jsonb_object_agg(at, jsonb_build_array(under_way, declined)), max(last_declined_at), max(erase_at),
        sum(under_way + declined), min(at_most)
      FROM (
        SELECT new.key, slot.key AS at, sum((slot.value ->> 0)::bigint) AS under_way,
          sum((slot.value ->> 1)::bigint) AS declined,
          max(last_declined_at) AS last_declined_at, max(erase_at) AS erase_at, min(at_most) AS at_most
        FROM new_counts new JOIN gate USING (change), jsonb_each(new.slots) AS slot
        GROUP BY new.key, slot.key
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
            ${slots('stored.slots')}
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

type Attempts = Pick<Store, 'attemptCounters' | 'eraseAttempts'>;

export interface AttemptsDeps extends ChangeRowsDeps {
  readonly readRows: RowsOf;
}

export function postgresAttempts({ readRows, ...deps }: AttemptsDeps): Attempts {
  const { query } = deps;
  const eraseKeys = changingRows(deps, {
    ...{ meaning: 'erase attempt keys', table: 'operations', set: 'attempt = NULL' },
    key: { merchant_id: 'text', livemode: 'boolean', id: 'text' },
  });
  const decode = rowDecoder(attemptCounters);
  const text = `SELECT ${columnNames(attemptCounters)} FROM attempt_counters WHERE key = ANY ($1)`;
  return {
    async attemptCounters(keys) {
      const rows = await readRows({ name: 'attempt counters', text, values: [keys] });
      return rows.map(decode);
    },
    async eraseAttempts(now, madeBefore, limit) {
      const counters = await query({ name: 'erase attempt counters', text: eraseCountersSql, values: [now, limit] });
      const old = await readRows({ name: 'old attempt keys', text: oldKeysSql, values: [madeBefore, limit] });
      const erased = await eraseKeys(old);
      return Math.max(counters.rowCount ?? 0, erased.length);
    },
  };
}

/** What a commit holds at this moment is left for the next time. The condition is asked again under the lock. */
const eraseCountersSql = `
  WITH over AS (
    SELECT key FROM attempt_counters WHERE erase_at <= $1 ORDER BY erase_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM attempt_counters c USING over WHERE c.key = over.key`;

/** Whatever is under way is due some time, so the index by that time finds it. */
const oldKeysSql = `
  SELECT merchant_id, livemode, id FROM operations
  WHERE due_at IS NOT NULL AND attempt IS NOT NULL AND created_at < $1 LIMIT $2`;
