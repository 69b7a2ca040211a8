// Where a server begins and ends to listen. Ending must not fail a request: for a grace period everything is still
// served, each answer with `Connection: close`, so that clients and proxies leave by themselves. Only then are the
// connections closed that nobody used meanwhile.

import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connections, isIdle } from './connections.ts';

export interface Listening {
  /** The address that it listens on, with the port that was given for 0. */
  listen(host: string, port: number): Promise<string>;
  /** Every answer is to be the last of its connection. */
  isStopping(): boolean;
  /** For answers to wait for, for a moment while it stops to listen. */
  accepting(): Promise<void> | null;
  /** Ends when the time is up, or when nobody is connected any more. */
  grace(graceMs: number): Promise<void>;
  /** Ends the grace period now. */
  hurry(): void;
  /** Accepts nothing new, closes idle connections, and waits for the answers under way. */
  close(): Promise<void>;
}

const lookEveryMs = 20;
/** Nobody is connected: between two requests of a client that connects for each, that is so for a moment too. */
const quietMs = 100;
/** A connection this young may not have brought its first request yet. */
const youngMs = 1_000;
const acceptMs = 500;
/** For that long no connection came: clients wait for their responses, or there are none. */
const calmMs = 20;
/** A turn of the event loop in which hardly anything happened. */
const quickTurnMs = 0.2;
/** For clients of idle connections to close their side. */
const idleLingerMs = 1_000;

export function listening(server: Server, connections: Connections): Listening {
  let stopping = false;
  let hurried = false;
  let accepted = 0;
  let accepting: Promise<void> | null = null;
  server.on('connection', () => {
    accepted += 1;
  });

  async function grace(graceMs: number): Promise<void> {
    stopping = true;
    const deadline = performance.now() + graceMs;
    let quietSince = connections.count() === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    while (!hurried && performance.now() < deadline && performance.now() - quietSince < quietMs) {
      await pause(lookEveryMs);
      if (connections.count() > 0) quietSince = Number.POSITIVE_INFINITY;
      else quietSince = Math.min(quietSince, performance.now());
    }
  }

  /**
   * The kernel resets connections that have not been accepted when the socket closes. So it is closed right after a turn
   * of the event loop that accepted none, once none has come for a few milliseconds. Responses wait until then, because
   * a client that gets one may connect again at once.
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
      // Connections may have come while a long turn did something else.
      const isQuiet = accepted === before && now - turnBegan < quickTurnMs;
      if (accepted !== before) quietSince = now;
      const waitedMs = now - startedAt;
      isOver = (isQuiet && (now - quietSince >= calmMs || waitedMs >= acceptMs / 2)) || waitedMs >= acceptMs;
    }
    // After the caller has closed.
    setImmediate(() => {
      accepting = null;
      resolve();
    });
  }

  async function close(): Promise<void> {
    stopping = true;
    if (!server.listening) return;
    // Node's own way would cut idle connections, also those with a request on its way.
    server.closeIdleConnections = () => {};
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await untilAllAccepted();
    server.close(() => resolve());
    while (connections.count() > 0) {
      for (const connection of connections.all()) {
        const isYoung = connection.latest === null && performance.now() - connection.openedAt < youngMs;
        if (isIdle(connection) && !isYoung) connection.leave(idleLingerMs);
      }
      await pause(lookEveryMs);
    }
    return closed;
  }

  return {
    listen: (host, port) => listen(server, host, port),
    isStopping: () => stopping,
    accepting: () => accepting,
    grace,
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
