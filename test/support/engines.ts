// The storage engines, each with fresh, real databases: both must behave alike.

import { copyFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import { openPostgresStore } from '../../src/storage/postgres/postgres-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { citusUrls } from './citus.ts';
import { createDatabase, dropDatabase } from './postgres-admin.ts';
import { migratedFile } from './sqlite-template.ts';

export interface FreshDatabase {
  readonly address: DatabaseAddress;
  remove(): Promise<void>;
}

export interface OpenedStore extends FreshDatabase {
  readonly store: Store;
  /** Opens the same database once more, as another process would; closed by `remove`. */
  openAnother(): Promise<Store>;
}

export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /** An empty database, without the migrations. */
  fresh(): Promise<FreshDatabase>;
  /** A fresh database with a serving store on it; `remove` closes the store too. */
  openFresh(): Promise<OpenedStore>;
}

async function freshSqlite(options?: FreshOptions): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-sqlite-'));
  const path = join(folder, 'paydesk.db');
  if (options?.migrated === true) copyFileSync(migratedFile(), path);
  return {
    address: { engine: 'sqlite', path },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function freshPostgres(options?: FreshOptions): Promise<FreshDatabase> {
  const url = await createDatabase(options);
  return { address: { engine: 'postgres', url }, remove: () => dropDatabase(url) };
}

type Open = (address: DatabaseAddress, serving: boolean) => Promise<Store>;

const openAsConfigured: Open = (address, serving) => openStore(address, { serving, onConnectionLost: () => {} });

/** As on a distributed database. */
async function openOneMerchantAtATime(address: DatabaseAddress, serving: boolean): Promise<Store> {
  if (address.engine !== 'postgres') throw new RangeError('only PostgreSQL can be distributed');
  return openPostgresStore({
    ...{ url: address.url, maxConnections: 16, lock: serving ? 'shared' : null },
    ...{ oneMerchantAtATime: true, onConnectionLost: () => {} },
  });
}

async function openOn({ address, remove }: FreshDatabase, openStoreOn: Open): Promise<OpenedStore> {
  const stores: Store[] = [];
  const open = async (serving: boolean): Promise<Store> => {
    const store = await openStoreOn(address, serving);
    stores.push(store);
    return store;
  };
  try {
    const store = await open(true);
    return {
      store,
      address,
      // A SQLite file allows only one serving process; PostgreSQL allows any number.
      openAnother: () => open(address.engine === 'postgres'),
      async remove() {
        await Promise.allSettled(stores.map((opened) => opened.close()));
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface FreshOptions {
  /** With all tables: a copy of a database that was migrated once. */
  readonly migrated: boolean;
}

type Fresh = (options?: FreshOptions) => Promise<FreshDatabase>;

function engine(name: Engine['name'], fresh: Fresh, open = openAsConfigured): Engine {
  return { name, fresh: () => fresh(), openFresh: async () => openOn(await fresh({ migrated: true }), open) };
}

export const sqlite: Engine = engine('sqlite', freshSqlite);
export const postgres: Engine = engine('postgres', freshPostgres);
/** PostgreSQL with the statements that are sent to a distributed database, each of which names one merchant. */
export const postgresByMerchant: Engine = engine('postgres', freshPostgres, openOneMerchantAtATime);
/** On a Citus cluster, only what runs there. */
export const engines: readonly Engine[] = citusUrls() === null ? [sqlite, postgres] : [postgres];

type SuiteBody = (engine: Engine) => void;

export function describeOnEachEngine(title: string, body: SuiteBody): void;
export function describeOnEachEngine(title: string, options: { readonly concurrency: number }, body: SuiteBody): void;
export function describeOnEachEngine(
  title: string,
  ...rest: [SuiteBody] | [{ readonly concurrency: number }, SuiteBody]
): void {
  const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest;
  for (const engine of engines) describe(`${title} (${engine.name})`, options, () => body(engine));
}

/** For what differs by the statements that are sent. */
export function describeOnEachStore(title: string, body: (engine: Engine) => void): void {
  describeOnEachEngine(title, body);
  if (citusUrls() !== null) return;
  describe(`${title} (postgres, one merchant at a time)`, () => body(postgresByMerchant));
}

/** Registers clean-up work: the context of a test, or `{ after }` of `node:test` in a suite. */
export interface CleansUp {
  after(work: () => Promise<void>): void;
}

/** A store for one test, removed after it. */
export async function freshStore(test: CleansUp, engine: Engine): Promise<OpenedStore> {
  const opened = await engine.openFresh();
  test.after(opened.remove);
  return opened;
}

/** An empty database for one test, removed after it. */
export async function freshDatabase(test: CleansUp, engine: Engine): Promise<DatabaseAddress> {
  const database = await engine.fresh();
  test.after(database.remove);
  return database.address;
}
