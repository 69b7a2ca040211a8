// Closes a connection so that the client gets its last answer. Closing a socket that still has bytes to read resets the
// connection, and a reset throws away what the client has not read yet. So only our side is closed, and what still comes
// is read and dropped, up to a limit, until the client closes too.

import type { HttpSocket } from './node-connection.ts';

export interface LingerLimits {
  readonly maxBytes: number;
  /** Both are counted from when all is sent: of a client that sends nothing more, and of one that sends on. */
  readonly quietMs: number;
  readonly maxMs: number;
}

/** Nothing of what comes is kept, so that a large body costs little more than its time. */
export const lingerLimits: LingerLimits = { maxBytes: 64 * 1024 * 1024, quietMs: 5_000, maxMs: 30_000 };

export interface Lingering {
  /** Lingers no longer than that from now on. */
  shorten(maxMs: number): void;
}

export function closeGently(socket: HttpSocket, { maxBytes, quietMs, maxMs }: LingerLimits): Lingering {
  let dropped = 0;
  let clientClosed = socket.readableEnded;
  let quiet: NodeJS.Timeout | undefined;
  let over: NodeJS.Timeout | undefined;
  let overAt = Number.POSITIVE_INFINITY;
  function shorten(ms: number): void {
    const at = performance.now() + ms;
    if (at >= overAt) return;
    overAt = at;
    clearTimeout(over);
    over = setTimeout(() => socket.destroy(), ms);
  }
  if (socket.destroyed) return { shorten: () => {} };
  // Not to the parser: no request that follows is taken.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    quiet?.refresh();
    if (dropped > maxBytes) socket.destroy();
  });
  socket.once('end', () => {
    clientClosed = true;
    if (socket.writableFinished) socket.destroy();
  });
  socket.once('close', () => {
    clearTimeout(quiet);
    clearTimeout(over);
  });
  socket.end(() => {
    if (clientClosed || socket.destroyed) return socket.destroy();
    quiet = setTimeout(() => socket.destroy(), quietMs);
    shorten(maxMs);
  });
  socket._paused = false;
  socket.resume();
  return { shorten };
}
