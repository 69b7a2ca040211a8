// Behind a pooler in transaction mode, a client cannot change session settings: server connections are shared, and start
// with the defaults of the database user. Those must therefore match what session.ts sets on direct connections.

import pg from 'pg';
import { StorageUnavailable } from '../store.ts';

/** The required value of each setting, and other values that are acceptable, as in `pg_settings`. */
const required: Readonly<Record<string, { readonly value: string; readonly accepts?: (value: string) => boolean }>> = {
  default_transaction_isolation: { value: 'read committed' },
  default_transaction_read_only: { value: 'off' },
  default_transaction_deferrable: { value: 'off' },
  synchronous_commit: { value: 'on', accepts: (value) => value !== 'off' },
  // In milliseconds; 0 is no limit. With less than on direct connections, statements would fail under load.
  statement_timeout: { value: '10s', accepts: (value) => value === '0' || Number(value) >= 10_000 },
  transaction_timeout: { value: '0' },
  lock_timeout: { value: '0' },
  row_security: { value: 'on' },
  exit_on_error: { value: 'off' },
  standard_conforming_strings: { value: 'on' },
  bytea_output: { value: 'hex' },
  array_nulls: { value: 'on' },
  extra_float_digits: { value: '1', accepts: (value) => Number(value) >= 0 },
  DateStyle: { value: 'ISO', accepts: (value) => value.startsWith('ISO') },
};

/** The error has the statements that fix the defaults. */
export async function refuseOtherDefaults(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string; value: string; role: string }>(
    'SELECT name, reset_val AS value, current_user AS role FROM pg_settings WHERE name = ANY ($1)',
    [Object.keys(required)],
  );
  const wrong = rows.flatMap(({ name, value }) => {
    const wanted = required[name];
    if (wanted === undefined || wanted.value === value || wanted.accepts?.(value)) return [];
    return [`${name} = ${pg.escapeLiteral(wanted.value)}`];
  });
  const { rows: paths } = await client.query<{ visible: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM unnest(current_schemas(false)) AS visible (name) WHERE quote_ident(name) = $1) AS visible',
    [schema],
  );
  if (paths[0]?.visible !== true) wrong.push(`search_path = ${schema}`);
  if (wrong.length === 0) return;
  const role = pg.escapeIdentifier(rows[0]?.role ?? '');
  const statements = wrong.map((setting) => `ALTER ROLE ${role} SET ${setting};`);
  throw new StorageUnavailable(
    'DATABASE_URL leads to a pooler in transaction mode, behind which the defaults of the user apply. Change them, then ' +
      `have the pooler reconnect (RECONNECT in PgBouncer's console): ${statements.join(' ')}`,
  );
}
