// Connections for queries. The pool of `pg` discards a connection after any error; this one keeps those that are still
// usable, so that expected conflicts do not cost a new connection each. It also follows the primary: if a connection fails,
// the query goes to the next server, because nothing was sent yet.

import pg from 'pg';
import type { PostgresServer } from '../server-urls.ts';
import { isReadOnly, leavesConnectionUsable } from './failures.ts';
import type { Primary } from './primary.ts';
import { types } from './rows.ts';
import { type SessionSettings, settingsSql } from './session.ts';

export interface PoolOptions {
  readonly primary: Primary;
  readonly maxConnections: number;
  readonly queryTimeoutMs: number;
  /** Null: behind a pooler that shares server connections, nothing may be left in a session. */
  readonly session: SessionSettings | null;
  readonly onConnectionLost: (error: Error) => void;
}

export interface Pool {
  query<R extends pg.QueryResultRow | unknown[]>(
    config: pg.QueryConfig | pg.QueryArrayConfig,
  ): Promise<pg.QueryResult<never> & { rows: R[] }>;
  end(): Promise<void>;
}

/** How long a query waits for a connection that others use. */
const maxWaitMs = 5_000;
/** Not `paydesk`: a pooler keeps connections of that name open after the serving process has ended. */
const pooledName = 'paydesk pooled';
/** How often a query tries another server if it cannot connect. */
const maxRetries = 2;

type Result<R> = pg.QueryResult<never> & { rows: R[] };

export function openPool({ primary, maxConnections, queryTimeoutMs, session, onConnectionLost }: PoolOptions): Pool {
  const settings = session === null ? null : settingsSql(session);
  const serverOf = new WeakMap<pg.ClientBase, PostgresServer>();
  const inUse = new Set<pg.PoolClient>();

  /** Connects to the current primary when the pool needs another connection. */
  class PrimaryClient extends pg.Client {
    constructor(config: pg.ClientConfig) {
      const server = primary.last();
      super({ ...config, connectionString: server.url, connectionTimeoutMillis: primary.connectTimeoutMs });
      serverOf.set(this, server);
      this.on('error', () => primary.doubt(server));
    }
  }
  const pool = new pg.Pool({
    Client: PrimaryClient as never,
    max: maxConnections,
    connectionTimeoutMillis: maxWaitMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    application_name: session === null ? pooledName : 'paydesk',
    types,
    onConnect: async (client) => {
      if (settings !== null) await client.query(settings);
      await primary.refuseReadOnly(client);
    },
  });
  pool.on('error', onConnectionLost);
  // Otherwise queries to a dead machine would wait for their timeout.
  primary.onMoved(() => {
    for (const client of inUse) if (isOutdated(client)) void (client as unknown as pg.Client).end().catch(() => {});
  });

  function isOutdated(client: pg.ClientBase): boolean {
    return serverOf.get(client) !== primary.last();
  }

  function runOn<R>(
    client: pg.PoolClient,
    release: (error?: Error) => void,
    config: pg.QueryConfig,
  ): Promise<Result<R>> {
    const { promise, resolve, reject } = Promise.withResolvers<Result<R>>();
    const server = serverOf.get(client);
    let over = false;
    const end = (error: Error | null, result?: pg.QueryResult): void => {
      client.removeListener('error', end);
      if (over) return;
      over = true;
      inUse.delete(client);
      if (error !== null && isReadOnly(error) && server !== undefined) primary.doubt(server);
      release(error !== null && !leavesConnectionUsable(error) ? error : undefined);
      if (error === null) resolve(result as Result<R>);
      else reject(error);
    };
    inUse.add(client);
    client.once('error', end);
    try {
      client.query(config, (error, result) => end(error ?? null, result));
    } catch (error) {
      end(error as Error);
    }
    return promise;
  }

  function attempt<R>(config: pg.QueryConfig, retries: number): Promise<Result<R>> {
    const { promise, resolve, reject } = Promise.withResolvers<Result<R>>();
    pool.connect((failure, client, release) => {
      if (client === undefined) {
        primary.doubt(primary.last());
        // Nothing was sent yet, so it can be sent to another server.
        if (primary.known() !== null || retries === 0) return reject(failure);
        return resolve(primary.find().then(() => attempt(config, retries - 1)));
      }
      if (isOutdated(client)) {
        release(true);
        return resolve(attempt(config, retries));
      }
      resolve(runOn(client, release, config));
    });
    return promise;
  }

  return {
    query<R>(config: pg.QueryConfig) {
      if (session === null) config = { ...config, name: undefined };
      if (primary.known() !== null) return attempt<R>(config, maxRetries);
      return primary.find().then(() => attempt<R>(config, maxRetries));
    },
    end: () => pool.end(),
  };
}
