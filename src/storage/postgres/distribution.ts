// Whether the rows of a database are distributed over several servers by the Citus extension, and which tables are. Looked
// at once, when a store opens: nobody distributes tables while a process serves.

import type pg from 'pg';
import type { Placement } from '../table.ts';
import { tables } from '../tables.ts';

/**
 * Tables that are not on the coordinator alone, with where their rows are. The first of those with a merchant is the one
 * that the others are kept with, so that all rows of a merchant are on one server. `event_positions` has no description.
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
  /** Tables that Citus distributes, by their column; null: on every node. */
  readonly columns: ReadonlyMap<string, string | null>;
}

/** Null: the extension is not there. The search path must be set. */
export async function findDistribution(client: pg.Client): Promise<Distribution | null> {
  const { rows: extension } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  if (extension.length === 0) return null;
  const { rows } = await client.query<{ name: string; column: string | null }>(`
    SELECT c.relname AS name, column_to_column_name(p.logicalrelid, p.partkey) AS column
    FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND (p.partmethod = 'h' OR p.repmodel = 't')`);
  return { columns: new Map(rows.map(({ name, column }) => [name, column])) };
}

/** The tables that should be distributed, while others are. */
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
