// Applies the migrations, once, whoever of many starting processes comes first.

import pg from 'pg';
import { migrationsFor, pendingMigrations } from '../migrations.ts';

/** Any constant of our own: what matters is that every Paydesk process asks for the same lock. */
const migrationLock = 7_296_335_375;

export async function migrate(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await client.query('CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)');
    const pending = pendingMigrations(migrationsFor('postgres'), await appliedMigrations(client));
    for (const migration of pending) {
      await client.query(migration.sql);
      await client.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [migration.number, migration.name]);
    }
    await client.query('COMMIT');
    return pending.length;
  } finally {
    await client.end();
  }
}

export async function appliedMigrations(client: pg.Client | pg.Pool): Promise<number> {
  const { rows } = await client.query<{ applied: number }>('SELECT count(*)::int AS applied FROM migrations');
  return rows[0]?.applied ?? 0;
}
