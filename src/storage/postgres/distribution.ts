// Detects whether a database is distributed with the Citus extension, and which of its tables are. Checked once, when a
// store opens: tables cannot be distributed while a process serves.

import type pg from 'pg';
import type { Placement } from '../table.ts';
import { tables } from '../tables.ts';

/**
 * How each table is distributed, except for those that stay on the coordinator. The tables with a merchant are colocated
 * with the first of them, so that all rows of a merchant are on one server. `event_positions` has no table description.
 */
export const placements: ReadonlyMap<string, Exclude<Placement, 'coordinator'>> = new Map([
  ...Object.values(tables).flatMap(({ name, placement }) =>
    placement === 'coordinator' ? [] : ([[name, placement]] as const),
  ),
  ['event_positions', 'by_merchant'],
]);

/** The column that rows are distributed by. */
export const distributionColumn = 'merchant_id';

export interface Distribution {
  /** The distributed tables, with the column that they are distributed by; null: on every node. */
  readonly columns: ReadonlyMap<string, string | null>;
}

/** Null if the extension is not installed. The search path must be set. */
export async function findDistribution(client: pg.Client): Promise<Distribution | null> {
  const { rows: extension } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  if (extension.length === 0) return null;
  const { rows } = await client.query<{ name: string; column: string | null }>(`
    SELECT c.relname AS name, column_to_column_name(p.logicalrelid, p.partkey) AS column
    FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND (p.partmethod = 'h' OR p.repmodel = 't')`);
  return { columns: new Map(rows.map(({ name, column }) => [name, column])) };
}

/** Tables that are not distributed although others are. */
export function notDistributed({ columns }: Distribution): string[] {
  if (columns.size === 0) return [];
  return [...placements.keys()].filter((name) => !columns.has(name));
}

export function adviceOnMissing(missing: readonly string[]): string {
  return (
    `the database is distributed, but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} on the coordinator ` +
    'alone: stop all processes and run paydesk migrate --distribute'
  );
}
