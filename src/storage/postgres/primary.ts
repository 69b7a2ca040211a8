// Finds the server that accepts writes among those in DATABASE_URL. Every connection to PostgreSQL is opened here. With
// a single server there is nothing to find; its name may belong to a load balancer or pooler.
//
// The primary is remembered until a connection to it fails, breaks or turns out to be read-only. Then the servers are
// tried in order, each as soon as the previous one has responded or is slow, so that a machine that is down causes no
// delay. Servers that refused are tried again while others do not respond, because one of them may be promoted.

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresServer, postgresServers } from '../server-urls.ts';
import { StorageUnavailable } from '../store.ts';
import { limitedQuery } from './query-deadline.ts';

export interface Primary {
  /** The current primary; null if it has to be found first. */
  known(): PostgresServer | null;
  /** The current primary or, if unknown, the most recent one. */
  last(): PostgresServer;
  /** Rejects if no server accepts writes. Concurrent calls share one search. */
  find(): Promise<PostgresServer>;
  /** Call when a connection to this server failed or broke, or when it does not accept writes. */
  doubt(server: PostgresServer): void;
  /** Throws if this server is read-only. Checked only if there may be other servers. */
  refuseReadOnly(client: pg.ClientBase): Promise<void>;
  /** Connects to the primary. The caller ends the connection. If a spare one cannot be had, that says nothing about the server. */
  connect(config: pg.ClientConfig, options?: { readonly isSpare?: boolean }): Promise<pg.Client>;
  /** Called when the primary has changed: connections to the previous one are useless. */
  onMoved(listener: () => void): void;
  readonly connectTimeoutMs: number;
}

/** Between two signs of life on an idle connection: firewalls forget those that are silent for minutes. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };
/** For a single server: it may be far away, and there is no alternative. */
const onlyServerTimeoutMs = 5_000;
/** For each of several servers. */
const eachServerTimeoutMs = 2_000;
/** After this time without a response, the next server is tried as well. */
const nextServerMs = 200;
/** Before a server that refused is tried again, and between two searches. */
const retryMs = 100;

export function findPrimary(url: string): Primary {
  const { servers, mustAcceptWrites } = postgresServers(url);
  const [first] = servers;
  if (first === undefined) throw new Error('an address names at least one server');
  const isOnly = servers.length === 1;
  const connectTimeoutMs = isOnly ? onlyServerTimeoutMs : eachServerTimeoutMs;
  const listeners = new Set<() => void>();
  let found: PostgresServer | null = isOnly ? first : null;
  let last: PostgresServer = first;
  let searching: Promise<PostgresServer> | null = null;
  let beforeNextSearch: Promise<void> = Promise.resolve();

  async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
    if (!mustAcceptWrites) return;
    const question = limitedQuery('SELECT pg_is_in_recovery() AS replica', connectTimeoutMs);
    const { rows } = await client.query<{ replica: boolean }>(question);
    if (rows[0]?.replica !== false) throw new StorageUnavailable('this server is a replica, which only reads');
  }

  async function open(server: PostgresServer, config: pg.ClientConfig, signal?: AbortSignal): Promise<pg.Client> {
    const client = new pg.Client({
      connectionTimeoutMillis: connectTimeoutMs,
      ...keptAlive,
      ...config,
      connectionString: server.url,
    });
    // Pending queries fail anyway; without a listener, the process would exit.
    client.on('error', () => doubt(server));
    const abort = (): void => void client.connection.stream.destroy();
    const limit = setTimeout(abort, connectTimeoutMs);
    signal?.addEventListener('abort', abort);
    try {
      await client.connect();
      await refuseReadOnly(client);
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', abort);
    }
  }

  function doubt(server: PostgresServer): void {
    if (!isOnly && found === server) found = null;
  }

  function find(): Promise<PostgresServer> {
    if (found !== null) return Promise.resolve(found);
    searching ??= search()
      .catch((error: unknown) => {
        beforeNextSearch = pause(retryMs);
        throw error;
      })
      .finally(() => {
        searching = null;
      });
    return searching;
  }

  async function search(): Promise<PostgresServer> {
    await beforeNextSearch;
    const server = await firstThatAcceptsWrites([last, ...servers.filter((server) => server !== last)], probe);
    const moved = server !== last;
    found = server;
    last = server;
    if (moved) for (const listener of listeners) listener();
    return server;
  }

  async function probe(server: PostgresServer, signal: AbortSignal): Promise<void> {
    const client = await open(server, { application_name: 'paydesk search' }, signal);
    await client.end();
  }

  async function connect(config: pg.ClientConfig, { isSpare = false } = {}): Promise<pg.Client> {
    const server = found ?? (await find());
    if (isSpare) return open(server, config);
    try {
      return await open(server, config);
    } catch (error) {
      doubt(server);
      if (isOnly) throw error;
      return open(await find(), config);
    }
  }

  return {
    known: () => found,
    last: () => last,
    find,
    doubt,
    refuseReadOnly,
    connect,
    onMoved: (listener) => listeners.add(listener),
    connectTimeoutMs,
  };
}

type Probe = (server: PostgresServer, signal: AbortSignal) => Promise<void>;

/** Rejects once every server has refused or timed out. */
async function firstThatAcceptsWrites(servers: readonly PostgresServer[], probe: Probe): Promise<PostgresServer> {
  const search = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<PostgresServer>();
  const refusals = new Map<PostgresServer, NodeJS.ErrnoException>();

  async function probeUntilDone(server: PostgresServer, onRefused: () => void): Promise<void> {
    while (!search.signal.aborted) {
      try {
        await probe(server, search.signal);
        return resolve(server);
      } catch (error) {
        refusals.set(server, error as NodeJS.ErrnoException);
      }
      if (refusals.size === servers.length) return reject(noneAcceptsWrites(refusals));
      onRefused();
      await pause(retryMs);
    }
  }
  async function probeInOrder(): Promise<void> {
    for (const server of servers) {
      if (search.signal.aborted) return;
      const refused = Promise.withResolvers<void>();
      void probeUntilDone(server, refused.resolve);
      await Promise.race([refused.promise, pause(nextServerMs)]);
    }
  }
  void probeInOrder();
  try {
    return await promise;
  } finally {
    search.abort();
  }
}

function noneAcceptsWrites(refusals: ReadonlyMap<PostgresServer, NodeJS.ErrnoException>): Error {
  const reasons = [...refusals].map(([{ name }, { message, code }]) => `${name} (${message || code || 'no reason'})`);
  return new StorageUnavailable(`no PostgreSQL server in DATABASE_URL accepts writes: ${reasons.join(', ')}`, {
    cause: new AggregateError(refusals.values(), 'every server refused'),
  });
}
