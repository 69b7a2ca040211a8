// The connections of an HTTP server. Each is bounded, whoever is at the other end: in the requests that it takes at a time
// (pipelining.ts), in how long an answer may lie unread, and in how it is closed (lingering.ts).

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressOfPeer } from './client-address.ts';
import { heldBytes } from './held-bytes.ts';
import { closeGently, type Lingering, lingerLimits } from './lingering.ts';
import { type HttpSocket, type ParserError, parsingStopped, unsentBytes } from './node-connection.ts';
import { isDone, type Pipeline, pipelineOf } from './pipelining.ts';

export interface ConnectionLimits {
  /** A connection whose reader takes nothing of an answer for so long is cut. */
  readonly stalledMs: number;
  /** Of requests that wait to be parsed, over all connections. */
  readonly heldBytes: number;
  /** Of answers that are not taken yet, over all connections. Files, which all share the same bytes, do not count. */
  readonly unreadBytes: number;
}

const defaultLimits: ConnectionLimits = {
  stalledMs: 30_000,
  heldBytes: 16 * 1024 * 1024,
  unreadBytes: 64 * 1024 * 1024,
};

/** What is shorter finds room in the kernel's buffers. */
const longAnswer = 65_536;

export interface Connection {
  readonly socket: HttpSocket;
  readonly openedAt: number;
  /** The address at the other end. */
  readonly peer: string;
  readonly pipeline: Pipeline;
  /** The answer to the newest request. */
  latest: ServerResponse | null;
  /** It takes no more requests. */
  isLeaving: boolean;
  /** Where it leaves already, it does so within that time. */
  leave(maxMs?: number): void;
}

export interface Connections {
  of(socket: Socket): Connection | undefined;
  /** An answer of so many bytes is being sent. */
  sending(response: ServerResponse, bytes: number): void;
  all(): readonly Connection[];
  count(): number;
}

export interface ConnectionOptions {
  readonly limits?: Partial<ConnectionLimits> | undefined;
  /** What comes is no request, or does not come. */
  readonly onBadRequest: (error: ParserError, connection: Connection) => void;
}

export function guardConnections(server: Server, { limits, onBadRequest }: ConnectionOptions): Connections {
  const { stalledMs, heldBytes: maxHeldBytes, unreadBytes } = { ...defaultLimits, ...limits };
  const open = new Map<Socket, Connection>();
  const held = heldBytes<HttpSocket>(maxHeldBytes, (socket) => socket.destroy());
  const unread = heldBytes<ServerResponse>(unreadBytes, ({ req }) => req.socket.destroy());

  server.on('connection', (socket: HttpSocket) => {
    const connection: Connection = {
      socket,
      openedAt: performance.now(),
      peer: addressOfPeer(socket.remoteAddress ?? ''),
      pipeline: pipelineOf(socket, () => connection.latest, held),
      latest: null,
      isLeaving: false,
      leave(maxMs = lingerLimits.maxMs) {
        if (lingering !== null) return lingering.shorten(maxMs);
        connection.isLeaving = true;
        connection.pipeline.drop();
        lingering = closeGently(socket, { ...lingerLimits, maxMs });
      },
    };
    let lingering: Lingering | null = null;
    open.set(socket, connection);
    // Node calls it after an answer with `Connection: close`.
    socket.destroySoon = () => connection.leave();
    socket.once('close', () => {
      open.delete(socket);
      connection.pipeline.drop();
    });
  });
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const connection = open.get(socket);
    if (connection === undefined || socket.destroyed) return socket.destroy();
    // Where a body was cut short by our own closing.
    if (connection.isLeaving) return;
    const { rawPacket = Buffer.alloc(0), bytesParsed = 0 } = error;
    if (error.code === parsingStopped) connection.pipeline.hold(rawPacket.subarray(bytesParsed));
    else onBadRequest(error, connection);
  });
  const stopSweeping = cutStalled(open, stalledMs);
  server.once('close', stopSweeping);

  return {
    of: (socket) => open.get(socket),
    sending(response, bytes) {
      if (bytes < longAnswer || isDone(response)) return;
      unread.hold(response, bytes);
      response.once('close', () => unread.release(response));
    },
    all: () => [...open.values()],
    count: () => open.size,
  };
}

/** Nothing is under way on it: its client may send a request, or not. */
export function isIdle({ latest }: Connection): boolean {
  return latest === null || isDone(latest);
}

/** A trickle is enough: any byte that the kernel takes counts. */
function cutStalled(open: ReadonlyMap<Socket, Connection>, stalledMs: number): () => void {
  const unsent = new WeakMap<Connection, { readonly bytes: number; readonly since: number }>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of open.values()) {
      const bytes = unsentBytes(connection.socket);
      const before = unsent.get(connection);
      if (bytes === 0) unsent.delete(connection);
      else if (bytes !== before?.bytes) unsent.set(connection, { bytes, since: now });
      else if (now - before.since >= stalledMs) connection.socket.destroy();
    }
  }, stalledMs / 15).unref();
  return () => clearInterval(timer);
}
