// The settings that every connection starts with, whatever the defaults of the server, the database and the user are,
// and the schema of our tables. They are set by statements, since poolers such as PgBouncer refuse most of them as
// connection parameters.

import pg from 'pg';
import { StorageUnavailable } from '../store.ts';

/** Only settings that a session may change for itself, so they do not affect other connections. */
const pinned: Readonly<Record<string, string>> = {
  // A commit is one statement that locks the rows it checks: it must see their current versions, not a snapshot.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  exit_on_error: 'off',
  row_security: 'on',
  // The format of values.
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
  array_nulls: 'on',
  extra_float_digits: '1',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
};

/**
 * Every statement finds a few rows by an index, whatever the size of its tables when it is planned. So it is planned once,
 * without its values: planned each time, payments took twice as long. A distributed database needs the values to choose
 * the server.
 */
const plannedOnce: Readonly<Record<string, string>> = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

export interface SessionSettings {
  /** As an SQL identifier, quoted if necessary. */
  readonly schema: string;
  /** 0: no limit. */
  readonly statementTimeoutMs: number;
  /** How long to wait for a lock; 0: no limit of its own. */
  readonly lockTimeoutMs: number;
  readonly readOnly: boolean;
  /** Statements are planned once, for any values. */
  readonly planOnce: boolean;
}

/**
 * One round trip. The time limit comes first: the database's default may be too short for the rest. The settings apply
 * to the session or the transaction.
 */
export function settingsSql(
  { schema, statementTimeoutMs, lockTimeoutMs, readOnly, planOnce }: SessionSettings,
  until: 'session' | 'transaction' = 'session',
): string {
  const setSql = (name: string, value: string): string =>
    `SELECT set_config('${name}', ${pg.escapeLiteral(value)}, ${until === 'transaction'})`;
  const settings = {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(lockTimeoutMs),
    ...pinned,
    ...(planOnce ? plannedOnce : {}),
    default_transaction_read_only: readOnly ? 'on' : 'off',
    search_path: schema,
  };
  return [
    ...Object.entries(settings).map(([name, value]) => setSql(name, value)),
    // Stronger settings are the operator's choice; without a sync, acknowledged commits could be lost.
    `${setSql('synchronous_commit', 'on')} WHERE current_setting('synchronous_commit') = 'off'`,
    `${setSql('transaction_timeout', '0')} WHERE current_setting('server_version_num')::int >= 170000`,
  ].join(';\n');
}

/**
 * The schema that contains our tables, or in which to create them. A search path that was changed for the database or
 * the user must not lead to a second, empty set of tables; one in DATABASE_URL is intended.
 */
export async function findSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string; visible: boolean; own: boolean }>(`
    SELECT quote_ident(n.nspname) AS schema, n.nspname = ANY (current_schemas(false)) AS visible,
           c.relowner = current_user::regrole AS own
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relname = 'migrations' AND c.relkind = 'r'
      AND EXISTS (SELECT 1 FROM pg_class p WHERE p.relnamespace = n.oid AND p.relname = 'payment_intents')
    ORDER BY array_position(current_schemas(false), n.nspname)`);
  const [first] = rows;
  if (first?.visible === true) return first.schema;
  const { rows: paths } = await client.query<{ schema: string | null; path: string; source: string }>(`
    SELECT quote_ident(current_schema()) AS schema, setting AS path, source
    FROM pg_settings WHERE name = 'search_path'`);
  const { schema = null, path = '', source = '' } = paths[0] ?? {};
  const own = rows.filter((row) => row.own);
  if (source !== 'client' && own.length === 1) return own[0]?.schema ?? '';
  if (source !== 'client' && own.length > 1) {
    throw new StorageUnavailable(
      `several schemas contain tables of Paydesk (${own.map((row) => row.schema).join(', ')}), and the search path ` +
        `includes none of them: choose one by adding ?options=-c%20search_path%3D… to DATABASE_URL`,
    );
  }
  if (schema !== null) return schema;
  throw new StorageUnavailable(
    `the search path of this database (${path}) contains no existing schema that this user can use: ` +
      'create the schema, or set another search path',
  );
}

/** Text from customers and merchants can contain any character. */
export async function refuseOtherEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; name: string }>(
    "SELECT current_setting('server_encoding') AS encoding, current_database() AS name",
  );
  const { encoding, name } = rows[0] ?? { encoding: '', name: '' };
  if (encoding === 'UTF8') return;
  throw new StorageUnavailable(
    `the database ${name} is encoded in ${encoding}, which does not support every character: create one in UTF-8 ` +
      '(createdb --template=template0 --encoding=UTF8 …) and set DATABASE_URL to it',
  );
}
