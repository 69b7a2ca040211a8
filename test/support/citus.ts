// Databases on an existing Citus cluster, for `npm run test:citus`. CITUS_URLS has the servers' addresses, separated by
// commas, the coordinator first; their user must be an administrator. A database of Citus is one on every server, and setting
// one up takes seconds, so it is done once: each test gets a copy on every server, which keeps what the servers know about
// each other.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { distribute } from '../../src/storage/postgres/distribute.ts';
import { migrate } from '../../src/storage/postgres/migrate.ts';

const urlsVariable = 'CITUS_URLS';
const templateVariable = 'PAYDESK_TEST_CITUS_TEMPLATE';

/** Few, because every test creates and drops them. */
const shards = 4;
const objectInUse = '55006';
const maxAttempts = 5;

/** The addresses of the cluster; null: tests run on ordinary PostgreSQL. */
export function citusUrls(): readonly string[] | null {
  const given = process.env[urlsVariable];
  return given === undefined || given === '' ? null : given.split(',').map((url) => url.trim());
}

/** For tests of what is before distribution, or of locks that a single server shows: why they do not run on a cluster. */
export function notOnCitus(reason: string): { readonly skip: string | false } {
  return { skip: citusUrls() === null ? false : reason };
}

/** Sets up the database that the others are copies of. */
export async function createCitusTemplate(urls: readonly string[]): Promise<void> {
  const name = `paydesk_citus_${randomBytes(6).toString('hex')}`;
  const coordinator = await createEmptyCitusDatabase(urls, name);
  await migrate(coordinator);
  await distribute(coordinator);
  // Nobody may be connected to what is copied, Citus' own processes included.
  await onEach(urls, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  process.env[templateVariable] = name;
}

/** Without tables: servers that know each other. Returns the address of the coordinator's. */
export async function createEmptyCitusDatabase(urls: readonly string[], name: string): Promise<string> {
  const [coordinator = '', ...workers] = urls.map((url) => databaseOn(url, name));
  if (workers.length === 0) throw new Error(`${urlsVariable} needs a coordinator and at least one worker`);
  await onEach(urls, `CREATE DATABASE ${name}`);
  await onEach([coordinator, ...workers], 'CREATE EXTENSION citus');
  await onEach([coordinator], `ALTER DATABASE ${name} SET citus.shard_count = ${shards}`);
  const { host, port } = placeOf(coordinator);
  await onEach([coordinator], `SELECT citus_set_coordinator_host('${host}', ${port})`);
  for (const { host, port } of workers.map(placeOf)) {
    await onEach([coordinator], `SELECT citus_add_node('${host}', ${port})`);
  }
  return coordinator;
}

export async function dropCitusTemplate(urls: readonly string[]): Promise<void> {
  await dropCitusDatabase(urls, process.env[templateVariable] ?? '');
}

export async function createCitusDatabase(urls: readonly string[], name: string): Promise<void> {
  const template = process.env[templateVariable] ?? '';
  await whileNobodyIsConnected(urls, template, `CREATE DATABASE ${name} TEMPLATE ${template}`);
}

/** On the coordinator first, which connects to the others. */
export async function dropCitusDatabase(urls: readonly string[], name: string): Promise<void> {
  for (const url of urls) {
    const [database] = await onEach([url], `SELECT 1 FROM pg_database WHERE datname = '${name}'`);
    if (database?.rowCount !== 1) continue;
    await onEach([url], `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await whileNobodyIsConnected([url], name, `DROP DATABASE ${name}`);
  }
}

/** Processes of Citus come back when they are ended, and stay away only once they could not connect. */
async function whileNobodyIsConnected(urls: readonly string[], database: string, text: string): Promise<void> {
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`;
  await Promise.all(
    urls.map(async (url) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await onEach([url], end);
          await onEach([url], text);
          return;
        } catch (error) {
          if ((error as pg.DatabaseError).code !== objectInUse || attempt === maxAttempts) throw error;
        }
      }
    }),
  );
}

export function databaseOn(url: string, name: string): string {
  const database = new URL(url);
  database.pathname = `/${name}`;
  return database.href;
}

function placeOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || 5432) };
}

function onEach(urls: readonly string[], text: string): Promise<pg.QueryResult[]> {
  return Promise.all(
    urls.map(async (connectionString) => {
      const client = new pg.Client({ connectionString });
      await client.connect();
      try {
        return await client.query(text);
      } finally {
        await client.end();
      }
    }),
  );
}
