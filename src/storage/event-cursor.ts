// Translates the id of an event into its position in the order of commits, where a reader starts. Both engines use the
// same query.

import type { EventCursor } from './store.ts';

/**
 * How many of the events after an unknown id are examined to find the one that was committed first: more than are ever
 * committed at the same time.
 */
const mostAtOnce = 1_000;

/** Takes the SQL of three values: the merchant, the mode, and the id; a null id is for the newest event. */
export function eventCursorSql(merchantId: string, livemode: string, id: string): string {
  const inScope = `merchant_id = ${merchantId} AND livemode = ${livemode}`;
  const position = `CASE
    WHEN ${id} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM events WHERE ${inScope} AND id <= ${id}) THEN 0
    ELSE coalesce(
      (SELECT position FROM events WHERE ${inScope} AND id = ${id}),
      (SELECT min(position) - 1 FROM
        (SELECT position FROM events WHERE ${inScope} AND id > ${id} ORDER BY id LIMIT ${mostAtOnce}) younger),
      (SELECT max(position) FROM events WHERE ${inScope}),
      0)
    END`;
  return `
    SELECT id, position FROM events WHERE ${inScope} AND position <= ${position}
    ORDER BY merchant_id DESC, livemode DESC, position DESC LIMIT 1`;
}

/** No row: before the first event. */
export function cursorIn(row: Readonly<Record<string, unknown>> | undefined): EventCursor {
  return row === undefined
    ? { position: 0, eventId: null }
    : { position: Number(row.position), eventId: String(row.id) };
}
