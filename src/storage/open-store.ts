// The store behind a database address.

import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { filesOf } from './sqlite/database-file.ts';
import { type PlacedTable, type ProbedServer, type SchemaUse, StorageUnavailable, type Store } from './store.ts';

export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

export interface StoreOptions {
  /** True if this process serves requests; false for a short command. */
  readonly serving: boolean;
  readonly onConnectionLost: (error: Error) => void;
  /** The number of PostgreSQL connections for commits and jobs of a serving process. */
  readonly maxConnections?: number;
  /** The URL of a PostgreSQL replica that lists may be read from. */
  readonly replicaUrl?: string | null;
  /** By default `migrate`. */
  readonly schema?: SchemaUse;
  /** Migrates a PostgreSQL database even while other processes serve it. */
  readonly force?: boolean;
  /** No other process may serve while this store is open. */
  readonly alone?: boolean;
  /** Called with messages for the operator, e.g. about files that others could read. */
  readonly onNotice?: (message: string) => void;
  /** Called with the number of migrations that were applied, which may be 0. */
  readonly onMigrated?: (applied: number) => void;
  /** A clock that never jumps: keeps deletions on SQLite short, and query plans on PostgreSQL up to date. */
  readonly monotonicMs?: () => number;
}

const defaultConnections = 16;
const commandConnections = 2;

export async function openStore(address: DatabaseAddress, options: StoreOptions): Promise<Store> {
  // Only the driver in use is loaded.
  if (address.engine === 'sqlite') {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
    return openSqliteStore({ path: address.path, ...options, serving: options.serving || options.alone === true });
  }
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return openPostgresStore({
    url: address.url,
    maxConnections: options.serving ? (options.maxConnections ?? defaultConnections) : commandConnections,
    onConnectionLost: options.onConnectionLost,
    replicaUrl: options.serving ? (options.replicaUrl ?? null) : null,
    ...(options.onNotice === undefined ? {} : { onNotice: options.onNotice }),
    ...(options.onMigrated === undefined ? {} : { onMigrated: options.onMigrated }),
    ...(options.monotonicMs === undefined ? {} : { monotonicMs: options.monotonicMs }),
    schema: options.schema ?? 'migrate',
    force: options.force ?? false,
    lock: options.alone ? 'alone' : options.serving ? 'shared' : null,
  });
}

/** Refuses where tables cannot be distributed, before anything is changed. */
export async function refuseUndistributable(address: DatabaseAddress): Promise<void> {
  if (address.engine === 'sqlite') {
    throw new StorageUnavailable(
      'a SQLite database is one file and cannot be distributed: set DATABASE_URL to the coordinator of a Citus cluster',
    );
  }
  const { refuseUndistributable } = await import('./postgres/distribute.ts');
  await refuseUndistributable(address.url);
}

/** Distributes the tables over the servers of a Citus cluster. */
export async function distributeTables(
  address: DatabaseAddress,
  onPlaced: (placed: PlacedTable) => void,
): Promise<readonly PlacedTable[]> {
  if (address.engine === 'sqlite') throw new RangeError('a SQLite database cannot be distributed');
  const { distribute } = await import('./postgres/distribute.ts');
  return distribute(address.url, onPlaced);
}

/** The existing files of a SQLite database and their folder; null for other databases. */
export function filesOfDatabase(address: DatabaseAddress): { files: string[]; folder: string } | null {
  if (address.engine !== 'sqlite' || !existsSync(address.path)) return null;
  const real = realpathSync(address.path);
  return { files: filesOf(real), folder: dirname(real) };
}

/** How far the server's clock is ahead of `now`, in milliseconds. Needs no tables. */
export async function clockDifference(url: string, now: () => number): Promise<number> {
  const { findPrimary } = await import('./postgres/primary.ts');
  const client = await findPrimary(url).connect({ application_name: 'paydesk doctor' });
  try {
    const before = now();
    const { rows } = await client.query<{ ms: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
    );
    return Math.round(Number(rows[0]?.ms) - (before + now()) / 2);
  } finally {
    await client.end();
  }
}

/** What each server that the address names is, or why it cannot be used. None if there are fewer than `atLeast`. */
export async function probeServers(url: string, atLeast = 1): Promise<readonly ProbedServer[]> {
  const { probeServers } = await import('./postgres/probe-servers.ts');
  return probeServers(url, atLeast);
}
