// A pool of connections for queries. The pool of `pg` discards a connection after any error; this one keeps those that
// are still usable, so that an expected conflict does not cost a new connection. It also follows the primary: if it cannot
// connect, the query goes to the next server, because nothing was sent yet.
//
// Idle connections are kept. A new one has to prepare its statements again, which takes the server 60 ms if it is busy, and
// more are needed just when it is: with idle connections closed, the p99 of creating sessions was 32 ms, instead of 14 ms.

import pg from 'pg';
import type { PostgresServer } from '../server-urls.ts';
import { isReadOnly, leavesConnectionUsable } from './failures.ts';
import { discardPlans, type PlanRenewal } from './plan-renewal.ts';
import { keptAlive, type Primary } from './primary.ts';
import { limitedQuery, QueryTimedOut, queryDeadline } from './query-deadline.ts';
import { type Query, type Row, types } from './rows.ts';
import { type SessionSettings, settingsSql } from './session.ts';

export interface PoolOptions {
  readonly primary: Primary;
  readonly maxConnections: number;
  readonly queryTimeoutMs: number;
  /** Null behind a pooler that shares server connections: sessions must not be changed. */
  readonly session: SessionSettings | null;
  /** Null: statements are planned at every execution. */
  readonly plans: PlanRenewal | null;
  readonly onConnectionLost: (error: Error) => void;
}

export interface Pool {
  query<R extends pg.QueryResultRow | unknown[]>(
    config: pg.QueryConfig | pg.QueryArrayConfig,
  ): Promise<pg.QueryResult<never> & { rows: R[] }>;
  /** Commits if `work` returns true; rolls back if it returns false or anything fails. */
  transaction(work: (query: Query) => Promise<boolean>): Promise<void>;
  end(): Promise<void>;
}

/** How long a query waits for a free connection. */
const maxWaitMs = 5_000;
/** Not `paydesk`: a pooler keeps connections with this name open after the serving process has ended. */
const pooledName = 'paydesk pooled';
/** How often a query tries another server if it cannot connect. */
const maxRetries = 2;

type Result<R> = pg.QueryResult<never> & { rows: R[] };

interface Connection {
  readonly server: PostgresServer;
  isReady: boolean;
  /** The query in progress. */
  current: { readonly startedAt: number; end(error: Error): void } | null;
}

export function openPool({
  primary,
  maxConnections,
  queryTimeoutMs,
  session,
  onConnectionLost,
  plans,
}: PoolOptions): Pool {
  const settings = session === null ? null : settingsSql(session);
  const open = new Map<pg.ClientBase, Connection>();
  let ended = false;

  /** Connects to the current primary when the pool needs another connection. */
  class PrimaryClient extends pg.Client {
    constructor(config: pg.ClientConfig) {
      const server = primary.last();
      super({ ...config, connectionString: server.url, connectionTimeoutMillis: primary.connectTimeoutMs });
      open.set(this, { server, isReady: false, current: null });
      this.once('end', () => open.delete(this));
      this.on('error', () => primary.doubt(server));
    }
  }
  const pool = new pg.Pool({
    Client: PrimaryClient as never,
    max: maxConnections,
    connectionTimeoutMillis: maxWaitMs,
    idleTimeoutMillis: 0,
    ...keptAlive,
    application_name: session === null ? pooledName : 'paydesk',
    types,
    onConnect: async (client) => {
      if (settings !== null) await client.query(limitedQuery(settings, queryTimeoutMs));
      await primary.refuseReadOnly(client);
      const connection = open.get(client);
      if (connection !== undefined) connection.isReady = true;
    },
  });
  pool.on('error', (error) => {
    if (!ended) onConnectionLost(error);
  });
  // Otherwise queries to a dead server would wait for their timeout.
  primary.onMoved(() => {
    for (const [client, { isReady }] of open) if (isReady && isOutdated(client)) close(client as pg.Client);
  });
  const deadline = queryDeadline(queryTimeoutMs, () => {
    for (const { current } of open.values())
      if (current !== null && deadline.isLate(current.startedAt)) current.end(new QueryTimedOut());
  });

  /** Does not wait for the server. The query in progress fails. */
  function close(client: pg.Client): void {
    void client.end().catch(() => {});
    client.connection.stream.destroy();
  }

  function isOutdated(client: pg.ClientBase): boolean {
    return open.get(client)?.server !== primary.last();
  }

  function runOn<R>(
    client: pg.PoolClient,
    release: (error?: Error) => void,
    config: pg.QueryConfig,
  ): Promise<Result<R>> {
    const { promise, resolve, reject } = Promise.withResolvers<Result<R>>();
    const connection = open.get(client);
    let isDone = false;
    const end = (error: Error | null, result?: pg.QueryResult): void => {
      client.removeListener('error', end);
      if (isDone) return;
      isDone = true;
      if (connection !== undefined) {
        connection.current = null;
        if (error !== null && isReadOnly(error)) primary.doubt(connection.server);
      }
      release(error !== null && !leavesConnectionUsable(error) ? error : undefined);
      if (error === null) resolve(result as Result<R>);
      else reject(error);
    };
    if (connection !== undefined) connection.current = { startedAt: deadline.now(), end };
    client.once('error', end);
    try {
      const send = (): void => client.query(config, (error, result) => end(error ?? null, result));
      // If the connection is lost, the statement that follows fails, and reports it.
      if (plans?.isDue(client)) client.query(discardPlans, send);
      else send();
    } catch (error) {
      end(error as Error);
    }
    return promise;
  }

  function withConnection<T>(
    use: (client: pg.PoolClient, release: (error?: Error) => void) => Promise<T>,
    retries: number,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    pool.connect((failure, client, release) => {
      if (client === undefined) {
        primary.doubt(primary.last());
        // Nothing was sent yet, so it can be sent to another server.
        if (primary.known() !== null || retries === 0) return reject(failure);
        return resolve(primary.find().then(() => withConnection(use, retries - 1)));
      }
      if (isOutdated(client)) {
        release(true);
        return resolve(withConnection(use, retries));
      }
      resolve(use(client, release));
    });
    return promise;
  }

  function onPrimary<T>(use: (client: pg.PoolClient, release: (error?: Error) => void) => Promise<T>): Promise<T> {
    if (primary.known() !== null) return withConnection(use, maxRetries);
    return primary.find().then(() => withConnection(use, maxRetries));
  }

  const unnamedIfPooled = (config: pg.QueryConfig): pg.QueryConfig =>
    session === null ? { ...config, name: undefined } : config;

  return {
    query<R>(config: pg.QueryConfig) {
      return onPrimary((client, release) => runOn<R>(client, release, unnamedIfPooled(config)));
    },
    transaction(work) {
      return onPrimary(async (client, release) => {
        let broken: Error | undefined;
        const query = (config: pg.QueryConfig): Promise<Result<Row>> =>
          runOn<Row>(client, (error) => (broken ??= error), unnamedIfPooled(config));
        try {
          await query({ text: 'BEGIN' });
          await query({ text: (await work(query as Query)) ? 'COMMIT' : 'ROLLBACK' });
        } catch (error) {
          if (broken === undefined) await query({ text: 'ROLLBACK' }).catch((failure: Error) => (broken ??= failure));
          throw error;
        } finally {
          release(broken);
        }
      });
    },
    async end() {
      ended = true;
      await pool.end();
      deadline.stop();
    },
  };
}
