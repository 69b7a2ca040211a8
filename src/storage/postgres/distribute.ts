// Distributes the tables over the servers of a Citus cluster: most by merchant, small ones to every server. Safe to
// repeat: tables that are distributed already are left alone. Each table has its own transaction, so a run that was
// interrupted can be continued.

import pg from 'pg';
import { type PlacedTable, StorageUnavailable } from '../store.ts';
import type { Placement } from '../table.ts';
import { type Distribution, distributionColumn, findDistribution, placements } from './distribution.ts';
import { reporting } from './failures.ts';
import { prepareSession, refuseOtherSchema } from './migrate.ts';
import { isTransactionPooled } from './pooler.ts';
import { findPrimary } from './primary.ts';
import { connectForLock, lockAlone } from './serving-lock.ts';

/** Throws if the tables cannot be distributed. Changes nothing. */
export function refuseUndistributable(url: string): Promise<void> {
  return onCluster(url, async () => {});
}

/** Calls `onPlaced` after each table: copying existing rows may take a while. */
export function distribute(url: string, onPlaced: (placed: PlacedTable) => void = () => {}): Promise<PlacedTable[]> {
  return onCluster(url, async (client, found, schema) => {
    await refuseOtherSchema(client);
    const others = await lockAlone(client, schema, 'session');
    if (others !== null) throw new StorageUnavailable(`${others}. Stop all of them, then try again.`);
    return placeAll(client, found, onPlaced);
  });
}

function onCluster<T>(
  url: string,
  work: (client: pg.Client, found: Distribution, schema: string) => Promise<T>,
): Promise<T> {
  return reporting(async () => {
    const primary = findPrimary(url);
    const client = await connectForLock(primary);
    try {
      if (await isTransactionPooled(client, () => connectForLock(primary))) throw new StorageUnavailable(pooledAdvice);
      const { schema } = await prepareSession(client, false);
      const found = await findDistribution(client);
      if (found === null) throw new StorageUnavailable(extensionAdvice);
      await refuseOtherNode(client);
      refuseOtherColumn(found);
      return await work(client, found, schema);
    } finally {
      await client.end();
    }
  });
}

async function placeAll(client: pg.Client, found: Distribution, onPlaced: (placed: PlacedTable) => void) {
  const placed: PlacedTable[] = [];
  let colocatedWith: string | null = null;
  for (const [table, placement] of placements) {
    const before = found.columns.has(table);
    if (!before) await place(client, table, placement, colocatedWith);
    if (placement === 'by_merchant') colocatedWith ??= table;
    const one = { table, placement, before };
    placed.push(one);
    onPlaced(one);
  }
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 1",
  );
  const rest = rows.filter(({ name }) => !placements.has(name) && name !== 'migrations');
  return [...placed, ...rest.map(({ name }) => ({ table: name, placement: 'coordinator', before: true }) as const)];
}

async function place(
  client: pg.Client,
  table: string,
  placement: Placement,
  colocatedWith: string | null,
): Promise<void> {
  try {
    if (placement === 'every_node') await client.query('SELECT create_reference_table($1)', [table]);
    else {
      await client.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [
        ...[table, distributionColumn, colocatedWith ?? 'default'],
      ]);
    }
    // The rows were copied; the local ones are no longer used.
    await client.query('SELECT truncate_local_data_after_distributing_table($1)', [table]);
    // Without statistics, claiming deliveries reads all deliveries of a merchant: measured with 6 000, 69 ms instead of 2.
    await client.query(`ANALYZE ${table}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new StorageUnavailable(
      `${table} could not be distributed: ${error.message}. What was distributed before it remains so. Solve this, then ` +
        'run paydesk migrate --distribute again; it continues with this table.',
    );
  }
}

async function refuseOtherNode(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ coordinator: boolean; workers: number }>(`
    SELECT (SELECT groupid = 0 FROM pg_dist_local_group) AS coordinator,
           (SELECT count(*) FROM pg_dist_node WHERE isactive AND noderole = 'primary' AND shouldhaveshards)::int AS workers`);
  const { coordinator = false, workers = 0 } = rows[0] ?? {};
  if (!coordinator)
    throw new StorageUnavailable('DATABASE_URL leads to a worker of the cluster: set it to the coordinator');
  if (workers === 0) {
    throw new StorageUnavailable(
      'the cluster has no servers that rows can be on. On the coordinator, in this database, run ' +
        "SELECT citus_set_coordinator_host('…'); and SELECT citus_add_node('…', 5432); for each worker; then try again",
    );
  }
}

function refuseOtherColumn({ columns }: Distribution): void {
  for (const [table, placement] of placements) {
    const column = columns.get(table);
    if (column === undefined || column === (placement === 'by_merchant' ? distributionColumn : null)) continue;
    throw new StorageUnavailable(
      `${table} is distributed ${column === null ? 'to every node' : `by ${column}`} already, which Paydesk cannot use. ` +
        `Undo it with SELECT undistribute_table('${table}'); then try again`,
    );
  }
}

const extensionAdvice =
  'this database does not have the Citus extension. Install Citus 12.1 or later on every server, add citus to ' +
  'shared_preload_libraries, and run CREATE EXTENSION citus; in this database on each of them; then try again';
const pooledAdvice =
  'DATABASE_URL leads to a pooler in transaction mode: set it to the coordinator itself for this command';
