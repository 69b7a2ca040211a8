// Limits the connections of an HTTP server, whatever the client does: how many requests each handles at a time
// (pipelining.ts), how long a response may stay unread, and how it is closed (lingering.ts).

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressOfPeer } from './client-address.ts';
import { heldBytes } from './held-bytes.ts';
import { closeGently, type Lingering, lingerLimits } from './lingering.ts';
import { type HttpSocket, type ParserError, parsingStopped, unsentBytes } from './node-connection.ts';
import { isDone, type Pipeline, pipelineOf } from './pipelining.ts';

export interface ConnectionLimits {
  /** A connection whose client reads nothing of a response for this long is closed. */
  readonly stalledMs: number;
  /** Total of the requests waiting to be parsed, over all connections. */
  readonly heldBytes: number;
  /** Total of the unread responses, over all connections. Files do not count: they share one buffer. */
  readonly unreadBytes: number;
}

const defaultLimits: ConnectionLimits = {
  stalledMs: 30_000,
  heldBytes: 16 * 1024 * 1024,
  unreadBytes: 64 * 1024 * 1024,
};

/** Shorter responses fit into the kernel's buffers. */
const longResponseBytes = 65_536;

export interface Connection {
  readonly socket: HttpSocket;
  readonly openedAt: number;
  /** The address at the other end. */
  readonly peer: string;
  readonly pipeline: Pipeline;
  /** The response to the newest request. */
  latest: ServerResponse | null;
  /** It is closing and accepts no more requests. */
  isLeaving: boolean;
  /** Starts closing the connection; if it is already closing, shortens the time that may take. */
  leave(maxMs?: number): void;
}

export interface Connections {
  of(socket: Socket): Connection | undefined;
  /** Reports that a response of this many bytes is being sent. */
  sending(response: ServerResponse, bytes: number): void;
  all(): readonly Connection[];
  count(): number;
}

export interface ConnectionOptions {
  readonly limits?: Partial<ConnectionLimits> | undefined;
  /** Called when the bytes received are not a request, or a request does not arrive. */
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
    // Node calls it after a response with `Connection: close`.
    socket.destroySoon = () => connection.leave();
    socket.once('close', () => {
      open.delete(socket);
      connection.pipeline.drop();
    });
  });
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const connection = open.get(socket);
    if (connection === undefined || socket.destroyed) return socket.destroy();
    // We cut the body short by closing.
    if (connection.isLeaving) return;
    const { rawPacket = Buffer.alloc(0), bytesParsed = 0 } = error;
    if (error.code === parsingStopped) connection.pipeline.hold(rawPacket.subarray(bytesParsed));
    else onBadRequest(error, connection);
  });
  const stopSweeping = closeStalled(open, stalledMs);
  server.once('close', stopSweeping);

  return {
    of: (socket) => open.get(socket),
    sending(response, bytes) {
      if (bytes < longResponseBytes || isDone(response)) return;
      unread.hold(response, bytes);
      response.once('close', () => unread.release(response));
    },
    all: () => [...open.values()],
    count: () => open.size,
  };
}

/** No request is in progress on it. */
export function isIdle({ latest }: Connection): boolean {
  return latest === null || isDone(latest);
}

/** Any progress keeps a connection open: a single byte accepted by the kernel is enough. */
function closeStalled(open: ReadonlyMap<Socket, Connection>, stalledMs: number): () => void {
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
