// Finds the server that accepts writes among those that DATABASE_URL names. Every connection to PostgreSQL is made
// through here. With one server there is nothing to find, and a load balancer or pooler may stand behind its name.
//
// The server that was found is remembered until a connection to it fails, breaks or turns out to be read-only. Then all
// are asked, in order: the next as soon as one has answered or is slow, so that a machine that is switched off delays
// nothing. Those that have refused are asked again while others are silent, because one of them may become the primary.

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresServer, postgresServers } from '../server-urls.ts';
import { StorageUnavailable } from '../store.ts';

export interface Primary {
  /** Null while it has to be found first. */
  known(): PostgresServer | null;
  /** That, or the one that was known most recently. */
  last(): PostgresServer;
  /** Rejects if no server accepts writes. Those who ask at the same time share the search. */
  find(): Promise<PostgresServer>;
  /** A connection to this server failed or broke, or it does not accept writes. */
  doubt(server: PostgresServer): void;
  /** Throws if this server does not accept writes. Only asks if there may be others. */
  refuseReadOnly(client: pg.ClientBase): Promise<void>;
  /** A connection to the server that accepts writes. The caller ends it. */
  connect(config: pg.ClientConfig): Promise<pg.Client>;
  /** The primary is another one than before: connections to the previous one are of no use. */
  onMoved(listener: () => void): void;
  readonly connectTimeoutMs: number;
}

/** For one server: it may be far away, and there is no other. */
const onlyServerTimeoutMs = 5_000;
/** For each of several servers. */
const eachServerTimeoutMs = 2_000;
/** One that has not answered by then is not waited for before the next is asked. */
const slowMs = 200;
/** Between two questions to a server that has refused, and before the next search. */
const askAgainMs = 100;

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
  let rest: Promise<void> = Promise.resolve();

  async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
    if (!mustAcceptWrites) return;
    const { rows } = await client.query<{ replica: boolean }>('SELECT pg_is_in_recovery() AS replica');
    if (rows[0]?.replica !== false) throw new StorageUnavailable('this server is a replica, which only reads');
  }

  async function open(server: PostgresServer, config: pg.ClientConfig, signal?: AbortSignal): Promise<pg.Client> {
    const client = new pg.Client({
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      ...config,
      connectionString: server.url,
    });
    // What is under way fails by itself; without a listener, the process would end.
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
        rest = pause(askAgainMs);
        throw error;
      })
      .finally(() => {
        searching = null;
      });
    return searching;
  }

  async function search(): Promise<PostgresServer> {
    await rest;
    const server = await firstThatAcceptsWrites([last, ...servers.filter((one) => one !== last)], ask);
    const moved = server !== last;
    found = server;
    last = server;
    if (moved) for (const listener of listeners) listener();
    return server;
  }

  async function ask(server: PostgresServer, signal: AbortSignal): Promise<void> {
    const client = await open(server, { application_name: 'paydesk search' }, signal);
    await client.end();
  }

  async function connect(config: pg.ClientConfig): Promise<pg.Client> {
    const server = found ?? (await find());
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

type Ask = (server: PostgresServer, signal: AbortSignal) => Promise<void>;

/** Rejects when every server has refused or was silent for too long. */
async function firstThatAcceptsWrites(servers: readonly PostgresServer[], ask: Ask): Promise<PostgresServer> {
  const search = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<PostgresServer>();
  const refusals = new Map<PostgresServer, string>();

  async function askUntilOver(server: PostgresServer, onAnswer: () => void): Promise<void> {
    while (!search.signal.aborted) {
      try {
        await ask(server, search.signal);
        return resolve(server);
      } catch (error) {
        const { message, code } = error as NodeJS.ErrnoException;
        refusals.set(server, message || code || 'no reason');
      }
      if (refusals.size === servers.length) return reject(noneAcceptsWrites(refusals));
      onAnswer();
      await pause(askAgainMs);
    }
  }
  async function askInOrder(): Promise<void> {
    for (const server of servers) {
      if (search.signal.aborted) return;
      const answered = Promise.withResolvers<void>();
      void askUntilOver(server, answered.resolve);
      await Promise.race([answered.promise, pause(slowMs)]);
    }
  }
  void askInOrder();
  try {
    return await promise;
  } finally {
    search.abort();
  }
}

function noneAcceptsWrites(refusals: ReadonlyMap<PostgresServer, string>): Error {
  const reasons = [...refusals].map(([{ name }, reason]) => `${name} (${reason})`);
  return new StorageUnavailable(`no PostgreSQL server of DATABASE_URL accepts writes: ${reasons.join(', ')}`);
}
