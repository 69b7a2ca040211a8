// Applies the migrations exactly once, even if several processes start at the same time.

import pg from 'pg';
import {
  type AppliedMigration,
  appliedOf,
  checksumOf,
  type Migration,
  migrationsFor,
  pendingMigrations,
  refuseChanged,
  refusePending,
} from '../migrations.ts';
import { StorageUnavailable } from '../store.ts';
import { findPrimary } from './primary.ts';
import { refuseOtherDefaults } from './role-defaults.ts';
import { connectForLock, lockAlone } from './serving-lock.ts';
import { findSchema, refuseOtherEncoding, settingsSql } from './session.ts';

/** An arbitrary constant: every Paydesk process must use the same lock. */
const migrationLock = 7_296_335_375;

const noLimit = { statementTimeoutMs: 0, lockTimeoutMs: 0, readOnly: false, planOnce: false };

export interface Prepared {
  /** The schema that has our tables. */
  readonly schema: string;
  /** Behind a pooler: a server connection is ours for one transaction at a time. */
  readonly pooled: boolean;
}

/** Checks the database, and fixes the settings of this connection unless it is pooled. */
export async function prepareSession(client: pg.Client, pooled: boolean): Promise<Prepared> {
  if (!pooled) await client.query('SET statement_timeout = 0');
  await refuseOtherEncoding(client);
  const schema = await findSchema(client);
  if (pooled) await refuseOtherDefaults(client, schema);
  else await client.query(settingsSql({ schema, ...noLimit }));
  return { schema, pooled };
}

/** Begins a transaction without time limits. */
export async function begin(client: pg.Client, { schema, pooled }: Prepared): Promise<void> {
  await client.query('BEGIN');
  if (pooled) await client.query(settingsSql({ schema, ...noLimit }, 'transaction'));
}

export interface MigrateOptions {
  /** Migrate even while other processes serve. */
  readonly force?: boolean;
  /** Called before the migration lock is released. */
  readonly andThen?: () => Promise<void>;
}

/** On a prepared session. Returns how many migrations were applied. */
export async function migrateOn(
  client: pg.Client,
  prepared: Prepared,
  { force = false, andThen }: MigrateOptions = {},
): Promise<number> {
  const all = migrationsFor('postgres');
  await begin(client, prepared);
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await ensureMigrationsTable(client);
    const applied = await appliedMigrations((text) => client.query(text));
    const pending = pendingMigrations(all, applied);
    refuseChanged(all, await appliedChecksums(client));
    if (pending.length > 0 && applied > 0 && !force) await refuseWhileServed(client, prepared.schema);
    for (const migration of pending) await apply(client, migration);
    await storeMissingChecksums(client, all);
    await andThen?.();
    await client.query('COMMIT');
    return pending.length;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** On a new connection. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<number> {
  const client = await connectForLock(findPrimary(url));
  try {
    return await migrateOn(client, await prepareSession(client, false), options);
  } finally {
    await client.end();
  }
}

/** For commands that neither create nor migrate tables. */
export async function refuseOtherSchema(client: pg.Client): Promise<void> {
  const all = migrationsFor('postgres');
  const columns = await migrationsColumns(client);
  refuseOtherProgram(columns);
  if (columns.length === 0) {
    throw new StorageUnavailable(
      'this database has no tables of Paydesk. Check DATABASE_URL; ' + 'paydesk start and paydesk migrate create them',
    );
  }
  refusePending(all, await appliedMigrations((text) => client.query(text)));
  if (columns.includes('checksum')) refuseChanged(all, await appliedChecksums(client));
}

/** How many of our migrations are applied. */
export async function appliedMigrations(
  query: (text: string) => Promise<{ rows: readonly Record<string, unknown>[] }>,
): Promise<number> {
  const known = migrationsFor('postgres').length;
  // Databases of earlier versions do not have the column usable_from.
  const { rows } = await query(`
    SELECT count(*)::int AS applied, max(coalesce((to_jsonb(m) ->> 'usable_from')::int, number))
      FILTER (WHERE number > ${known}) AS usable_from
    FROM migrations m`);
  const usableFrom = rows[0]?.usable_from ?? null;
  return appliedOf(known, Number(rows[0]?.applied ?? 0), usableFrom === null ? null : Number(usableFrom));
}

/** Changes nothing if the table is complete: an ALTER would wait for everyone who reads it, such as a dump. */
async function ensureMigrationsTable(client: pg.Client): Promise<void> {
  const columns = await migrationsColumns(client);
  refuseOtherProgram(columns);
  if (columns.length === 0)
    await client.query(
      'CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT, usable_from INTEGER)',
    );
  else {
    if (!columns.includes('checksum')) await client.query('ALTER TABLE migrations ADD COLUMN checksum TEXT');
    if (!columns.includes('usable_from')) await client.query('ALTER TABLE migrations ADD COLUMN usable_from INTEGER');
  }
}

const ownDatabase =
  'Paydesk needs a database of its own (createdb paydesk), or a schema of its own. Check DATABASE_URL.';

/** Many programs have a table with this name. */
function refuseOtherProgram(columns: readonly string[]): void {
  if (columns.length > 0 && !columns.includes('number'))
    throw new StorageUnavailable(`this database has a table "migrations" of another program. ${ownDatabase}`);
}

async function migrationsColumns(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass('migrations') AND attnum > 0 AND NOT attisdropped",
  );
  return rows.map(({ name }) => name);
}

async function appliedChecksums(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>('SELECT number, checksum FROM migrations ORDER BY number');
  return rows;
}

/** An older version that keeps serving would write rows in the old format. */
async function refuseWhileServed(client: pg.Client, schema: string): Promise<void> {
  const others = await lockAlone(client, schema, 'transaction');
  if (others === null) return;
  throw new StorageUnavailable(
    `${others}, and this newer version has to migrate it first. Stop all of them, then try again. ` +
      '(If they are known to work with the new tables, use paydesk migrate --force.)',
  );
}

async function apply(client: pg.Client, { number, name, sql, usableFrom }: Migration): Promise<void> {
  try {
    await client.query(sql);
    await client.query('INSERT INTO migrations (number, name, usable_from) VALUES ($1, $2, $3)', [
      ...[number, name, usableFrom],
    ]);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new StorageUnavailable(
      `migration ${number} (${name}) failed, and nothing was changed: ${error.message}. ${adviceOn(error, number)}`,
    );
  }
}

function adviceOn({ code = '' }: pg.DatabaseError, number: number): string {
  if (code === '42501') return 'Make the user of DATABASE_URL the owner of the database: ALTER DATABASE … OWNER TO …';
  // Of a table or an index: before the first migration, nothing is ours.
  if (code === '42P07' && number === 1) return ownDatabase;
  if (code.startsWith('53')) return 'Free some space or resources of the server, then try again.';
  return 'Try again; if it fails again, restore a backup and report the problem.';
}

/** Migrations applied by a version without checksums are trusted once. */
async function storeMissingChecksums(client: pg.Client, all: readonly Migration[]): Promise<void> {
  await client.query(
    `UPDATE migrations SET checksum = new.checksum FROM unnest($1::int[], $2::text[]) AS new (number, checksum)
     WHERE migrations.number = new.number AND migrations.checksum IS NULL`,
    [all.map(({ number }) => number), all.map(checksumOf)],
  );
}
