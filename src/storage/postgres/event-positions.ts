// Positions of events in the order of commit. They come from a counter, one for each merchant and mode, whose row stays
// locked until the commit ends: so positions become visible in their order, and whoever has read one finds all later ones
// above it. A change set that is left out leaves no gap.
//
// The counter is locked last, when all other writes are done: what they had to wait for does not keep other commits of the
// merchant waiting, and nobody who holds the counter waits for anybody else.
//
// So commits with events of one merchant and mode are synced to disk one group after the other. The alternative without a
// lock, reading only below the oldest transaction that is in progress (`pg_snapshot_xmin`), lets one session that is left
// open anywhere on the server stop every stream, and its numbers mean nothing after a restore.

import { columnNames, type Table } from '../table.ts';

/** `columns`: the values of a row `new`. `after`: conditions that read the other writes, so that those are done before the counter is locked. */
export function positionedInserts(table: Table<unknown>, columns: string, after: readonly string[]): string[] {
  const fromLast = 'PARTITION BY new."merchantId", new.livemode ORDER BY new.change DESC, new.ordinal DESC';
  return [
    `positions AS (
      INSERT INTO event_positions AS held (merchant_id, livemode, last)
      SELECT "merchantId", livemode, count(*) FROM new_${table.name} JOIN gate USING (change)
      WHERE ${['true', ...after].join(' AND ')} GROUP BY "merchantId", livemode ORDER BY "merchantId", livemode
      ON CONFLICT (merchant_id, livemode) DO UPDATE SET last = held.last + excluded.last
      RETURNING merchant_id, livemode, last)`,
    `insert_${table.name} AS (
      INSERT INTO ${table.name} (${columnNames(table)}, position)
      SELECT ${columns}, positions.last + 1 - row_number() OVER (${fromLast})
      FROM new_${table.name} new JOIN gate USING (change)
      JOIN positions ON positions.merchant_id = new."merchantId" AND positions.livemode = new.livemode)`,
  ];
}
