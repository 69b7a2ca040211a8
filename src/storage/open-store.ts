// The store behind a database address.

import { openPostgresStore } from './postgres/postgres-store.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

export interface StoreOptions {
  /** This process serves customers, for as long as it runs; false for a short command. */
  readonly serving: boolean;
  readonly onConnectionLost: (error: Error) => void;
}

export async function openStore(address: DatabaseAddress, options: StoreOptions): Promise<Store> {
  if (address.engine === 'sqlite') return openSqliteStore({ path: address.path, serving: options.serving });
  return openPostgresStore({
    url: address.url,
    maxConnections: options.serving ? 8 : 2,
    onConnectionLost: options.onConnectionLost,
  });
}
