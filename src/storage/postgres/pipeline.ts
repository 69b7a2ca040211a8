// Connections for reads, shared by all of them. Queries of one turn of the event loop go out together, whatever they read,
// and their rows come back together: one round trip. Only for queries that wait for no lock: each waits for those before it.

import pg from 'pg';
import { StorageUnavailable } from '../store.ts';
import { types } from './rows.ts';
import { type SessionSettings, settingsSql } from './session.ts';

/** More than one, so that a long list does not hold up look-ups. */
const connections = 2;
/** Of queries that were sent and not answered, on one connection. */
const maxUnanswered = 1_000;

export interface PipelineOptions {
  readonly url: string;
  readonly queryTimeoutMs: number;
  readonly session: SessionSettings;
  readonly onConnectionLost: (error: Error) => void;
}

export interface Pipeline {
  query(config: pg.QueryConfig | pg.QueryArrayConfig): Promise<pg.QueryArrayResult<unknown[]>>;
  end(): Promise<void>;
}

interface Connection {
  readonly client: pg.Client;
  /** Rejects where there is no server to connect to. */
  readonly ready: Promise<unknown>;
  isReady: boolean;
  unanswered: number;
}

export function openPipeline({ url, queryTimeoutMs, session, onConnectionLost }: PipelineOptions): Pipeline {
  const settings = settingsSql(session);
  const open = new Set<Connection>();
  let ended = false;

  function connect(): Connection {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
      application_name: 'paydesk',
      types,
      pipeline: true,
    } as pg.ClientConfig);
    const connection: Connection = {
      client,
      ready: client.connect().then(() => client.query(settings)),
      isReady: false,
      unanswered: 0,
    };
    open.add(connection);
    const lost = (error?: Error): void => {
      if (!open.delete(connection)) return;
      // What is under way on it fails by itself.
      client.end().catch(() => {});
      if (!ended && connection.isReady) onConnectionLost(error ?? new Error('the connection ended'));
    };
    client.on('error', lost);
    client.on('end', () => lost());
    connection.ready.then(() => {
      connection.isReady = true;
    }, lost);
    return connection;
  }

  /** The one with the least to do; a new one where all are busy and there may be more. */
  function choose(): Connection {
    let best: Connection | null = null;
    for (const connection of open) if (best === null || connection.unanswered < best.unanswered) best = connection;
    if (best === null || (best.unanswered > 0 && open.size < connections)) return connect();
    return best;
  }

  async function query(config: pg.QueryConfig | pg.QueryArrayConfig): Promise<pg.QueryArrayResult<unknown[]>> {
    const connection = choose();
    if (connection.unanswered >= maxUnanswered) throw new StorageUnavailable('PostgreSQL has too many reads waiting');
    connection.unanswered += 1;
    try {
      if (!connection.isReady) await connection.ready;
      return (await connection.client.query(config)) as unknown as pg.QueryArrayResult<unknown[]>;
    } finally {
      connection.unanswered -= 1;
    }
  }

  return {
    query,
    async end() {
      ended = true;
      await Promise.all(open.values().map(({ client }) => client.end()));
    },
  };
}
