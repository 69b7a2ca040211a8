// Connections for queries. The pool of `pg` throws a connection away after any error; ours goes on with those that are
// as good as before, so that conflicts, which are expected, do not cost a new connection each.

import pg from 'pg';
import { leavesConnectionUsable } from './failures.ts';
import { types } from './rows.ts';
import { type SessionSettings, settingsSql } from './session.ts';

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly queryTimeoutMs: number;
  readonly session: SessionSettings;
  readonly onConnectionLost: (error: Error) => void;
}

export interface Pool {
  query<R extends pg.QueryResultRow | unknown[]>(
    config: pg.QueryConfig | pg.QueryArrayConfig,
  ): Promise<pg.QueryResult<never> & { rows: R[] }>;
  end(): Promise<void>;
}

export function openPool({ url, maxConnections, queryTimeoutMs, session, onConnectionLost }: PoolOptions): Pool {
  const settings = settingsSql(session);
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    application_name: 'paydesk',
    types,
    onConnect: async (client) => {
      await client.query(settings);
    },
  });
  pool.on('error', onConnectionLost);

  return {
    query<R>(config: pg.QueryConfig) {
      const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult<never> & { rows: R[] }>();
      pool.connect((failure, client, release) => {
        if (client === undefined) return reject(failure);
        let over = false;
        const end = (error: Error | null, result?: pg.QueryResult): void => {
          client.removeListener('error', end);
          if (over) return;
          over = true;
          release(error !== null && !leavesConnectionUsable(error) ? error : undefined);
          if (error === null) resolve(result as pg.QueryResult<never> & { rows: R[] });
          else reject(error);
        };
        client.once('error', end);
        try {
          client.query(config, (error, result) => end(error ?? null, result));
        } catch (error) {
          end(error as Error);
        }
      });
      return promise;
    },
    end: () => pool.end(),
  };
}
