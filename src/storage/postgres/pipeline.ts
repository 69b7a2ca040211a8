// Connections that reads share. Queries of one turn of the event loop are sent together, whatever they read, and their
// rows return together: one round trip. Only for queries that do not wait for locks, because each waits for the previous.

import type pg from 'pg';
import { StorageUnavailable } from '../store.ts';
import { leavesConnectionUsable } from './failures.ts';
import { discardPlans, type PlanRenewal } from './plan-renewal.ts';
import type { Primary } from './primary.ts';
import { limitedQuery, QueryTimedOut, queryDeadline } from './query-deadline.ts';
import { types } from './rows.ts';
import { type SessionSettings, settingsSql } from './session.ts';

/** Queries on one connection that were sent and have no result yet. */
const maxUnanswered = 1_000;
/** A query that takes longer is slow: those that follow go to another connection, if there is one. */
const slowMs = 20;
/** A connection that answers nothing for three checks is silent: its server process waits for a lock, or the network is down. */
const checkMs = 125;
const silentAfterChecks = 3;
/** After a spare connection could not be opened. */
const checksBeforeRetry = 8;

export interface PipelineOptions {
  readonly primary: Primary;
  readonly maxConnections: number;
  /** Connections that are opened while another one is silent, and closed when it answers. */
  readonly maxSpares: number;
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

interface Sent {
  readonly config: Config;
  readonly startedAt: number;
  readonly resolve: (result: Result) => void;
  /** Also sent on a spare connection: the first answer counts. */
  isRepeated: boolean;
}

interface Connection {
  /** Rejects if there is no server to connect to. */
  readonly ready: Promise<pg.Client>;
  client: pg.Client | null;
  unanswered: number;
  /** When the query that is answered next became the first of those without a result, in milliseconds. */
  busySince: number;
  /** The queries without a result, in the order in which they were sent and are answered. */
  readonly sent: Sent[];
  /** Checks since the last answer. */
  silentChecks: number;
}

const isSilent = ({ silentChecks }: Connection): boolean => silentChecks >= silentAfterChecks;

export function openPipeline(options: PipelineOptions): Pipeline {
  const { primary, maxConnections, maxSpares, queryTimeoutMs, session, onConnectionLost, plans, monotonicMs } = options;
  const settings = settingsSql(session);
  const regular = new Set<Connection>();
  const spares = new Set<Connection>();
  const all = (): Connection[] => [...regular, ...spares];
  let ended = false;
  let checksToSkip = 0;
  // Otherwise reads from a machine that died would wait for their time limit.
  primary.onMoved(() => {
    for (const connection of all()) drop(connection);
  });
  // The queries behind a late one wait for it, so they are repeated on another connection.
  const deadline = queryDeadline(queryTimeoutMs, () => {
    for (const { client, sent } of all())
      if (sent[0] !== undefined && deadline.isLate(sent[0].startedAt)) client?.connection.stream.destroy();
  });
  const checks = maxSpares === 0 ? null : setInterval(findSilent, checkMs).unref();

  /** Time is counted in checks: after the event loop was held up, answers that have arrived are read before the next one. */
  function findSilent(): void {
    for (const connection of all()) if (connection.sent.length > 0) connection.silentChecks += 1;
    const silent = all().filter(isSilent);
    if (silent.length === 0) {
      for (const spare of spares) if (spare.unanswered === 0) close(spare);
    } else if (usableSpare() !== undefined) for (const connection of silent) repeatBehindFirst(connection);
    else if (checksToSkip > 0) checksToSkip -= 1;
    else if (spares.size < maxSpares && spares.values().every(isSilent)) connect(spares);
  }

  function close(spare: Connection): void {
    spares.delete(spare);
    spare.client?.end().catch(() => {});
  }

  function usableSpare(): Connection | undefined {
    return spares.values().find((spare) => spare.client !== null && !isSilent(spare));
  }

  /** Not the first: a lock that it waits for would hold up the spare connection too. */
  function repeatBehindFirst({ sent }: Connection): void {
    for (const one of sent.slice(1)) {
      if (one.isRepeated) continue;
      one.isRepeated = true;
      // If it fails, the first connection may still answer.
      runOn(choose(), one.config).then(one.resolve, () => {});
    }
  }

  /** Queries in progress on it fail. */
  function drop(connection: Connection): void {
    if (regular.delete(connection) || spares.delete(connection)) connection.client?.connection.stream.destroy();
  }

  function connect(open: Set<Connection>): Connection {
    const isSpare = open === spares;
    const connection: Connection = {
      ...{ ready: connected(isSpare), client: null, unanswered: 0 },
      ...{ busySince: 0, sent: [], silentChecks: 0 },
    };
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
      () => {
        open.delete(connection);
        if (isSpare) checksToSkip = checksBeforeRetry;
      },
    );
    return connection;
  }

  async function connected(isSpare: boolean): Promise<pg.Client> {
    const config = { application_name: 'paydesk', types, pipeline: true } as pg.ClientConfig;
    const client = await primary.connect(config, { isSpare });
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
    for (const connection of regular) if (best === null || waiting(connection) < waiting(best)) best = connection;
    if (best === null || (best.unanswered > 0 && regular.size < maxConnections)) return connect(regular);
    return isSilent(best) ? (usableSpare() ?? best) : best;
  }

  async function query(config: Config): Promise<Result> {
    const connection = choose();
    try {
      return await runOn(connection, config);
    } catch (error) {
      // An error of ours: too many reads wait.
      if (leavesConnectionUsable(error) || error instanceof StorageUnavailable) throw error;
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
    if (connection.client !== null) return send(connection, connection.client, config);
    let client: pg.Client;
    try {
      client = await connection.ready;
    } catch (error) {
      connection.unanswered -= 1;
      throw error;
    }
    return send(connection, client, config);
  }

  function send(connection: Connection, client: pg.Client, config: Config): Promise<Result> {
    // If the connection is lost, the statement that follows fails, and reports it.
    if (plans.isDue(client)) client.query(discardPlans, () => {});
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const startedAt = deadline.now();
    connection.sent.push({ config, startedAt, resolve, isRepeated: false });
    client.query(config, (error: Error | null, result: unknown) => {
      connection.sent.shift();
      connection.unanswered -= 1;
      connection.busySince = monotonicMs();
      connection.silentChecks = 0;
      if (error) reject(deadline.isLate(startedAt) ? new QueryTimedOut() : error);
      else resolve(result as Result);
    });
    return promise;
  }

  return {
    query,
    async end() {
      ended = true;
      clearInterval(checks ?? undefined);
      await Promise.all(
        all().map(({ ready }) =>
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
