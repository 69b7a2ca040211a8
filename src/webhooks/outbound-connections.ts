// A pool of connections to receivers. Each carries one exchange at a time, so a failed or late exchange affects only
// its own connection. The number of connections per origin is limited, and so is the number of idle ones.

import { Client } from 'undici';
import type { Connect } from './outbound-connector.ts';

export interface Connection {
  readonly client: Client;
  readonly origin: string;
  readonly openedAt: number;
  /** Whether it has carried a complete exchange: the receiver may close it just as the next request is sent. */
  reused: boolean;
  /** Closes it immediately, whatever its state: resolving, connecting, in the handshake, sending, receiving. */
  destroy(): Promise<void>;
}

export interface ConnectionPool {
  /** Calls back with a connection as soon as one is available. Returns a function that leaves the queue. */
  acquire(origin: string, onAcquired: (connection: Connection) => void): () => void;
  /** After a complete exchange: the connection may be reused. */
  release(connection: Connection): void;
  /** After any other exchange: the connection is destroyed. */
  discard(connection: Connection): void;
  /** Destroys a connection in use, and opens another in its place. */
  replace(connection: Connection): Connection;
  /** The number of origins with connections. */
  origins(): number;
  /** Closes the idle connections; none may be in use. */
  close(): Promise<void>;
}

export interface ConnectionLimits {
  readonly connectionsPerOrigin: number;
  readonly idleConnections: number;
  /**
   * A connection in constant use is replaced at this age, so that DNS changes are followed and the addresses checked
   * again.
   */
  readonly connectionAgeMs: number;
}

const maxHeaderBytes = 16_384;
/** Shorter than servers commonly allow, so that the server does not close a connection just as it is acquired. */
const keepAliveMs = 4_000;
const maxKeepAliveMs = 10_000;

interface Origin {
  open: number;
  /** The most recently used is taken first, so that surplus connections expire. */
  readonly idle: Connection[];
  /** First come, first served. */
  readonly waiting: Set<(connection: Connection) => void>;
}

export function createConnectionPool(connect: Connect, limits: ConnectionLimits): ConnectionPool {
  const byOrigin = new Map<string, Origin>();
  /** For all origins, the longest idle first. */
  const idle = new Set<Connection>();
  const closing = new Set<Promise<void>>();

  function acquire(name: string, onAcquired: (connection: Connection) => void): () => void {
    const origin = originOf(name);
    const connection = origin.idle.pop();
    if (connection !== undefined) {
      idle.delete(connection);
      onAcquired(connection);
    } else if (origin.open < limits.connectionsPerOrigin) {
      onAcquired(open(name, origin));
    } else {
      origin.waiting.add(onAcquired);
    }
    return () => origin.waiting.delete(onAcquired);
  }

  function originOf(name: string): Origin {
    let origin = byOrigin.get(name);
    if (origin === undefined) {
      origin = { open: 0, idle: [], waiting: new Set() };
      byOrigin.set(name, origin);
    }
    return origin;
  }

  function open(name: string, origin: Origin): Connection {
    origin.open += 1;
    const connection = newConnection(name, connect);
    // While a connection is in use, its exchange reports the disconnect.
    connection.client.on('disconnect', () => {
      if (idle.has(connection)) discard(connection);
    });
    return connection;
  }

  function release(connection: Connection): void {
    connection.reused = true;
    const origin = originOf(connection.origin);
    const next = firstOf(origin.waiting);
    if (performance.now() - connection.openedAt > limits.connectionAgeMs) {
      discard(connection);
    } else if (next !== undefined) {
      origin.waiting.delete(next);
      next(connection);
    } else {
      origin.idle.push(connection);
      idle.add(connection);
      const oldest = idle.size > limits.idleConnections ? firstOf(idle) : undefined;
      if (oldest !== undefined) discard(oldest);
    }
  }

  function discard(connection: Connection): void {
    const origin = originOf(connection.origin);
    if (idle.delete(connection)) origin.idle.splice(origin.idle.indexOf(connection), 1);
    origin.open -= 1;
    close(connection);
    const next = firstOf(origin.waiting);
    if (next !== undefined) {
      origin.waiting.delete(next);
      next(open(connection.origin, origin));
    } else if (origin.open === 0) {
      byOrigin.delete(connection.origin);
    }
  }

  function replace(connection: Connection): Connection {
    const origin = originOf(connection.origin);
    origin.open -= 1;
    close(connection);
    return open(connection.origin, origin);
  }

  function close(connection: Connection): void {
    const closed = connection.destroy().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    acquire,
    release,
    discard,
    replace,
    origins: () => byOrigin.size,
    async close() {
      for (const connection of [...idle]) discard(connection);
      await Promise.all(closing);
    },
  };
}

function firstOf<T>(set: ReadonlySet<T>): T | undefined {
  for (const first of set) return first;
  return undefined;
}

function newConnection(origin: string, connect: Connect): Connection {
  let abort = (): void => {};
  const client = new Client(origin, {
    connect: (options, callback) => {
      abort = connect(options, callback);
    },
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: maxKeepAliveMs,
    // The caller enforces one deadline for the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    client,
    origin,
    openedAt: performance.now(),
    reused: false,
    destroy: () => {
      const destroyed = client.destroy();
      abort();
      return destroyed;
    },
  };
}
