// Connections that reads share. Queries of one turn of the event loop are sent together, whatever they read, and their
// rows return together: one round trip. Only for queries that do not wait for locks, because each waits for the previous.

import type pg from 'pg';
import { StorageUnavailable } from '../store.ts';
import { leavesConnectionUsable } from './failures.ts';
import type { PlanRenewal } from './plan-renewal.ts';
import type { Primary } from './primary.ts';
import { limitedQuery, QueryTimedOut, queryDeadline } from './query-deadline.ts';
import { types } from './rows.ts';
import { type SessionSettings, settingsSql } from './session.ts';

/** Queries on one connection that were sent and have no result yet. */
const maxUnanswered = 1_000;
/** A query that takes longer is slow: those that follow go to another connection, if there is one. */
const slowMs = 20;

export interface PipelineOptions {
  readonly primary: Primary;
  readonly maxConnections: number;
  readonly queryTimeoutMs: number;
  readonly session: SessionSettings;
  readonly plans: PlanRenewal;
  readonly monotonicMs: () => number;
  readonly onConnectionLost: (error: Error) => void;
}

type Config = pg.QueryConfig | pg.QueryArrayConfig;
type Result = pg.QueryArrayResult<unknown[]>;

export interface Pipeline {
  query(config: Config): Promise<Result>;
  end(): Promise<void>;
}

interface Connection {
  /** Rejects if there is no server to connect to. */
  readonly ready: Promise<pg.Client>;
  client: pg.Client | null;
  unanswered: number;
  /** When the query that is answered next became the first of those without a result, in milliseconds. */
  busySince: number;
  /** When the queries without a result were sent, in that order, in which they are also answered. */
  readonly sentAt: number[];
}

export function openPipeline(options: PipelineOptions): Pipeline {
  const { primary, maxConnections, queryTimeoutMs, session, onConnectionLost, plans, monotonicMs } = options;
  const settings = settingsSql(session);
  const open = new Set<Connection>();
  let ended = false;
  // Otherwise reads from a machine that died would wait for their time limit.
  primary.onMoved(() => {
    for (const connection of open) drop(connection);
  });
  // The queries behind a late one wait for it, so they are repeated on another connection.
  const deadline = queryDeadline(queryTimeoutMs, () => {
    for (const { client, sentAt } of open)
      if (sentAt[0] !== undefined && deadline.isLate(sentAt[0])) client?.connection.stream.destroy();
  });

  /** Queries in progress on it fail. */
  function drop(connection: Connection): void {
    if (open.delete(connection)) connection.client?.connection.stream.destroy();
  }

  function connect(): Connection {
    const connection: Connection = { ready: connected(), client: null, unanswered: 0, busySince: 0, sentAt: [] };
    open.add(connection);
    const lost = (error?: Error): void => {
      if (!open.has(connection)) return;
      drop(connection);
      if (!ended) onConnectionLost(error ?? new Error('the connection ended'));
    };
    connection.ready.then(
      (client) => {
        connection.client = client;
        client.on('error', lost);
        client.on('end', () => lost());
        if (!open.has(connection)) client.end().catch(() => {});
      },
      () => open.delete(connection),
    );
    return connection;
  }

  async function connected(): Promise<pg.Client> {
    const client = await primary.connect({
      application_name: 'paydesk',
      types,
      pipeline: true,
    } as pg.ClientConfig);
    await client.query(limitedQuery(settings, queryTimeoutMs));
    return client;
  }

  /** How many queries are before the next one; far more if the first of them is slow. */
  function waiting({ unanswered, busySince }: Connection): number {
    const isSlow = unanswered > 0 && maxConnections > 1 && monotonicMs() - busySince > slowMs;
    return unanswered + (isSlow ? maxUnanswered : 0);
  }

  /** The connection with the shortest wait; a new one if all are busy and the maximum is not reached. */
  function choose(): Connection {
    let best: Connection | null = null;
    for (const connection of open) if (best === null || waiting(connection) < waiting(best)) best = connection;
    if (best === null || (best.unanswered > 0 && open.size < maxConnections)) return connect();
    return best;
  }

  async function query(config: Config): Promise<Result> {
    const connection = choose();
    try {
      return await runOn(connection, config);
    } catch (error) {
      if (leavesConnectionUsable(error)) throw error;
      drop(connection);
      // The connection was lost through the failure of another query: a read can be repeated.
      if (ended || connection.client === null || error instanceof QueryTimedOut) throw error;
      return runOn(choose(), config);
    }
  }

  async function runOn(connection: Connection, config: Config): Promise<Result> {
    if (connection.unanswered >= maxUnanswered) throw new StorageUnavailable('PostgreSQL has too many reads waiting');
    if (connection.unanswered === 0) connection.busySince = monotonicMs();
    connection.unanswered += 1;
    try {
      return await resultOf(connection, connection.client ?? (await connection.ready), config);
    } finally {
      connection.unanswered -= 1;
      connection.busySince = monotonicMs();
    }
  }

  async function resultOf({ sentAt }: Connection, client: pg.Client, config: Config): Promise<Result> {
    plans.renew(client);
    const startedAt = deadline.now();
    sentAt.push(startedAt);
    try {
      return (await client.query(config)) as unknown as Result;
    } catch (error) {
      throw deadline.isLate(startedAt) ? new QueryTimedOut() : error;
    } finally {
      sentAt.shift();
    }
  }

  return {
    query,
    async end() {
      ended = true;
      await Promise.all(
        open.values().map(({ ready }) =>
          ready.then(
            (client) => client.end(),
            () => {},
          ),
        ),
      );
      deadline.stop();
    },
  };
}
