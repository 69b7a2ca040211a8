// Databases on the PostgreSQL server of the test run: created for one test and dropped after it.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/storage/postgres/migrate.ts';
import { citusUrls, createCitusDatabase, databaseOn, dropCitusDatabase } from './citus.ts';
import { fromGlobalSetup } from './from-global-setup.ts';

/** Set by the global setup: a URL whose user can create and drop databases. */
export const adminUrlVariable = 'PAYDESK_TEST_POSTGRES_URL';

export const adminUrl = (): string => fromGlobalSetup(adminUrlVariable);

/** Set by the global setup: a database with all tables, which migrated ones are copies of. Migrating takes longer. */
const templateVariable = 'PAYDESK_TEST_TEMPLATE';

/** Set for a server of our own: without fsync, copying files is twice as fast as writing pages to the log. */
const strategyVariable = 'PAYDESK_TEST_COPIES_FILES';

export async function createTemplate({ copiesFiles }: { readonly copiesFiles: boolean }): Promise<void> {
  if (copiesFiles) process.env[strategyVariable] = '1';
  const url = await createDatabase();
  await migrate(url);
  process.env[templateVariable] = new URL(url).pathname.slice(1);
}

export async function dropTemplate(): Promise<void> {
  const name = process.env[templateVariable];
  if (name !== undefined) await dropDatabase(databaseOn(adminUrl(), name));
}

export async function createDatabase({ migrated = false } = {}): Promise<string> {
  const name = `paydesk_test_${randomBytes(8).toString('hex')}`;
  const cluster = citusUrls();
  const template = (migrated ? process.env[templateVariable] : undefined) ?? 'template1';
  const strategy = process.env[strategyVariable] === undefined ? '' : ' STRATEGY FILE_COPY';
  const creation = `CREATE DATABASE ${name} TEMPLATE ${template}${strategy}`;
  if (cluster === null) await withClient(adminUrl(), (client) => client.query(creation));
  else await createCitusDatabase(cluster, name);
  return databaseOn(adminUrl(), name);
}

/** Works even while clients are connected: a test that failed midway must not block the others. */
export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const cluster = citusUrls();
  if (cluster !== null) return dropCitusDatabase(cluster, name);
  await withClient(adminUrl(), (client) =>
    client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
  );
}

/** A separate connection, for tests that inspect or lock rows. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
