// Counters of attempts. They are added up by the statement of the commit itself, on the rows as they are once their locks
// are held: whoever waited for another counts what that one has counted. A check of the table refuses what is above the
// limit, and with it the whole commit. That is an error, which costs a lot, so a counter that is seen to be full keeps the
// gate of the commit shut instead.

import type { CountChange } from '../../domain/attempt-counts.ts';
import type { Store } from '../store.ts';
import { attemptCounters } from '../tables.ts';
import { reader } from './reader.ts';
import type { Query, RowsOf } from './rows.ts';

/** The constraint that a commit above a limit breaks. */
export const limitConstraint = 'attempt_counters_within_limit';

const noLimit = Number.MAX_SAFE_INTEGER;

/** What a commit's statement needs in order to count. */
export interface Counting {
  /** Holds how many counters are seen to be full. */
  readonly crowd: string;
  /** Rows are locked in the order of their keys, so that no two commits wait for each other. */
  readonly step: string;
}

export function counting(
  changes: readonly CountChange[],
  gate: string,
  parameter: (value: unknown) => string,
): Counting {
  const rows = changes.map(({ key, slots, lastDeclinedAt, eraseAt, atMost }) => ({
    ...{ key, slots, last_declined_at: lastDeclinedAt, erase_at: eraseAt, at_most: atMost ?? noLimit },
    counted: Object.values(slots).reduce((sum, [underWay, declined]) => sum + underWay + declined, 0),
  }));
  const since = `${parameter(changes[0]?.since ?? 0)}::bigint`;
  const given = `json_to_recordset(${parameter(JSON.stringify(rows))}::json)
    AS new (key text, slots jsonb, last_declined_at bigint, erase_at bigint, counted bigint, at_most bigint)`;
  return {
    crowd: `
      crowd AS (
        SELECT count(*) AS too_many FROM ${given}
        WHERE at_most <= (
          SELECT coalesce(sum(greatest((value ->> 0)::bigint, 0) + (value ->> 1)::bigint), 0)
          FROM attempt_counters c, jsonb_each(c.slots) AS slot (at, value) WHERE c.key = new.key AND at::bigint > ${since}
        )
      )`,
    step: `
      counts AS (
        INSERT INTO attempt_counters AS c (key, slots, last_declined_at, erase_at, counted, at_most)
        SELECT key, slots, last_declined_at, erase_at, counted, at_most FROM ${given}${gate}
        ORDER BY key
        ON CONFLICT (key) DO UPDATE SET (slots, counted, last_declined_at, erase_at, at_most) = (
          SELECT coalesce(jsonb_object_agg(at, jsonb_build_array(under_way, declined)), '{}'),
            coalesce(sum(under_way + declined), 0),
            greatest(c.last_declined_at, excluded.last_declined_at),
            CASE WHEN count(*) = 0 THEN 0 ELSE greatest(c.erase_at, excluded.erase_at) END,
            excluded.at_most
          FROM (
            SELECT at, greatest(sum(under_way), 0) AS under_way, sum(declined) AS declined
            FROM (
              SELECT key AS at, greatest((value ->> 0)::bigint, 0) AS under_way, (value ->> 1)::bigint AS declined
              FROM jsonb_each(c.slots)
              UNION ALL
              SELECT key, (value ->> 0)::bigint, (value ->> 1)::bigint FROM jsonb_each(excluded.slots)
            ) AS both_of_them
            WHERE at::bigint > ${since}
            GROUP BY at
          ) AS merged
          WHERE under_way + declined > 0
        )
      )`,
  };
}

type Attempts = Pick<Store, 'attemptCounters' | 'eraseAttempts'>;

export function postgresAttempts(query: Query, rowsOf: RowsOf): Attempts {
  const { many } = reader(rowsOf);
  return {
    attemptCounters: (keys) => many(attemptCounters, 'by keys', 'WHERE key = ANY ($1)', [keys]),
    async eraseAttempts(now, madeBefore, limit) {
      const counters = await query({ name: 'erase attempt counters', text: eraseCountersSql, values: [now, limit] });
      const kept = await query({ name: 'erase attempt keys', text: eraseKeysSql, values: [madeBefore, limit] });
      return Math.max(counters.rowCount ?? 0, kept.rowCount ?? 0);
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
const eraseKeysSql = `
  WITH old AS (
    SELECT merchant_id, livemode, id FROM operations
    WHERE due_at IS NOT NULL AND attempt IS NOT NULL AND created_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  UPDATE operations o SET attempt = NULL FROM old
  WHERE o.merchant_id = old.merchant_id AND o.livemode = old.livemode AND o.id = old.id`;
