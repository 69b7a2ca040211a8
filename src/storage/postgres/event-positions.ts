// Positions of events in commit order. They come from a counter, one for each merchant and mode, whose row stays locked
// until the commit ends. Positions therefore become visible in order, and a reader that has seen one finds all later
// events above it. A change set that is left out leaves no gap.
//
// The counter is locked last, after all other writes: other commits of the merchant do not wait for the locks of those
// writes, and no transaction that holds the counter waits for another.
//
// So groups of commits with events of one merchant and mode are synced to disk one after the other. The alternative without
// a lock, reading only below the oldest transaction in progress (`pg_snapshot_xmin`), would let one idle transaction
// anywhere on the server stop every stream, and its numbers mean nothing after a restore.

import { columnNames, columnOf, type Table } from '../table.ts';
import type { RowValues } from './commit-rows.ts';

/** `values`: those of a row `new`. `after`: conditions that read all other writes, so that they finish first. */
export function positionedInserts(table: Table<unknown>, values: RowValues, after: readonly string[]): string[] {
  const [merchant, livemode] = [values.of(columnOf(table, 'merchantId')), values.of(columnOf(table, 'livemode'))];
  return [
    `positions AS (
      INSERT INTO event_positions AS held (merchant_id, livemode, last)
      SELECT ${merchant}, ${livemode}, count(*) FROM new_${table.name} new JOIN gate USING (change)
      WHERE ${['true', ...after].join(' AND ')} GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (merchant_id, livemode) DO UPDATE SET last = held.last + excluded.last
      RETURNING merchant_id, livemode, last)`,
    `insert_${table.name} AS (
      INSERT INTO ${table.name} (${columnNames(table)}, position)
      SELECT ${table.columns.map((column) => values.of(column)).join(', ')},
        positions.last + 1 - row_number() OVER (PARTITION BY ${merchant}, ${livemode} ORDER BY new.ordinal DESC)
      FROM new_${table.name} new JOIN gate USING (change)
      JOIN positions ON positions.merchant_id = ${merchant} AND positions.livemode = ${livemode})`,
  ];
}
