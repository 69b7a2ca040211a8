// The store behind a database address.

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
  // Only the driver in use is loaded.
  if (address.engine === 'sqlite') {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
    return openSqliteStore({ path: address.path, serving: options.serving });
  }
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return openPostgresStore({
    url: address.url,
    maxConnections: options.serving ? 8 : 2,
    onConnectionLost: options.onConnectionLost,
  });
}
