// Starts and stops listening. Stopping must not fail a request: during a grace period everything is still served, each
// response with `Connection: close`, so that clients and proxies disconnect by themselves. Only then are the remaining
// idle connections closed.

import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connections, isIdle } from './connections.ts';

export interface Listening {
  /** Resolves to the URL that it listens on, with the port that was assigned for 0. */
  listen(host: string, port: number): Promise<string>;
  /** Every response must be the last on its connection. */
  isStopping(): boolean;
  /** Not null for a moment while it stops listening: responses must wait for it. */
  accepting(): Promise<void> | null;
  /** Ends when the time is up, or when no client is connected any more. */
  grace(graceMs: number): Promise<void>;
  /**
   * Accepts no new connections, because another process accepts them on the same port; those that are open are still
   * served. Only for a port shared through `node:cluster`, which passes a connection that arrives too late to another
   * process.
   */
  handOver(): void;
  /** Ends the grace period now. */
  hurry(): void;
  /** Accepts no new connections, closes idle ones, and waits for pending responses. */
  close(): Promise<void>;
}

const pollMs = 20;
/** How long nobody must be connected: a client that opens a connection per request also leaves short gaps. */
const quietMs = 100;
/** A connection this young may not have sent its first request yet. */
const youngMs = 1_000;
const acceptMs = 500;
/** How long no connection must arrive: clients are waiting for their responses, or there are none. */
const calmMs = 20;
/** The longest turn of the event loop in which hardly anything happened. */
const quickTurnMs = 0.2;
/** How long clients of idle connections have to close their side. */
const idleLingerMs = 1_000;

export function listening(server: Server, connections: Connections): Listening {
  let stopping = false;
  let hurried = false;
  let accepted = 0;
  let accepting: Promise<void> | null = null;
  let closed: Promise<void> | null = null;
  server.on('connection', () => {
    accepted += 1;
  });

  async function grace(graceMs: number): Promise<void> {
    stopping = true;
    const deadline = performance.now() + graceMs;
    let quietSince = connections.count() === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    while (!hurried && performance.now() < deadline && performance.now() - quietSince < quietMs) {
      await pause(pollMs);
      if (connections.count() > 0) quietSince = Number.POSITIVE_INFINITY;
      else quietSince = Math.min(quietSince, performance.now());
    }
  }

  /**
   * When the listening socket closes, the kernel resets connections that have not been accepted. So it is closed right
   * after a turn of the event loop that accepted none, once none has arrived for a few milliseconds. Responses wait
   * until then, because a client that receives one may reconnect at once.
   */
  async function untilAllAccepted(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    accepting = promise;
    setTimeout(resolve, acceptMs).unref();
    const startedAt = performance.now();
    let quietSince = startedAt;
    for (let isOver = false; !isOver; ) {
      const before = accepted;
      const turnBegan = performance.now();
      await new Promise((next) => setImmediate(next));
      const now = performance.now();
      // Connections may have arrived while a long turn did something else.
      const isQuiet = accepted === before && now - turnBegan < quickTurnMs;
      if (accepted !== before) quietSince = now;
      const waitedMs = now - startedAt;
      isOver = (isQuiet && (now - quietSince >= calmMs || waitedMs >= acceptMs / 2)) || waitedMs >= acceptMs;
    }
    // After the caller has closed the socket.
    setImmediate(() => {
      accepting = null;
      resolve();
    });
  }

  /** Resolves when the last connection is closed. */
  function stopListening(): Promise<void> {
    if (closed !== null) return closed;
    // Node's own implementation would close idle connections even if a request is already on its way.
    server.closeIdleConnections = () => {};
    const { promise, resolve } = Promise.withResolvers<void>();
    closed = promise;
    server.close(() => resolve());
    return closed;
  }

  async function close(): Promise<void> {
    stopping = true;
    if (closed === null && !server.listening) return;
    if (closed === null) await untilAllAccepted();
    const allClosed = stopListening();
    while (connections.count() > 0) {
      for (const connection of connections.all()) {
        const isYoung = connection.latest === null && performance.now() - connection.openedAt < youngMs;
        if (isIdle(connection) && !isYoung) connection.leave(idleLingerMs);
      }
      await pause(pollMs);
    }
    return allClosed;
  }

  return {
    listen: (host, port) => listen(server, host, port),
    isStopping: () => stopping,
    accepting: () => accepting,
    grace,
    handOver() {
      stopping = true;
      stopListening();
    },
    hurry() {
      hurried = true;
    },
    close,
  };
}

function listen(server: Server, host: string, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject);
    const address = server.address();
    const shown = host.includes(':') ? `[${host}]` : host;
    resolve(`http://${shown}:${typeof address === 'object' && address !== null ? address.port : port}`);
  });
  return promise;
}
