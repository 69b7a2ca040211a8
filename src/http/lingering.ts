// Closes a connection so that the client receives its last response. Closing a socket with unread bytes resets the
// connection, and a reset discards what the client has not read yet. So only our side is closed, and whatever still
// arrives is read and discarded, up to a limit, until the client closes too.

import type { HttpSocket } from './node-connection.ts';

export interface LingerLimits {
  readonly maxBytes: number;
  /** Both count from when everything is sent: for a client that sends nothing more, and for one that keeps sending. */
  readonly quietMs: number;
  readonly maxMs: number;
}

/** Nothing that arrives is kept, so a large body costs little more than time. */
export const lingerLimits: LingerLimits = { maxBytes: 64 * 1024 * 1024, quietMs: 5_000, maxMs: 30_000 };

export interface Lingering {
  /** Limits the remaining time. */
  shorten(maxMs: number): void;
}

export function closeGently(socket: HttpSocket, { maxBytes, quietMs, maxMs }: LingerLimits): Lingering {
  let dropped = 0;
  let clientClosed = socket.readableEnded;
  let quietTimer: NodeJS.Timeout | undefined;
  let deadlineTimer: NodeJS.Timeout | undefined;
  let deadline = Number.POSITIVE_INFINITY;
  function shorten(ms: number): void {
    const at = performance.now() + ms;
    if (at >= deadline) return;
    deadline = at;
    clearTimeout(deadlineTimer);
    deadlineTimer = setTimeout(() => socket.destroy(), ms);
  }
  if (socket.destroyed) return { shorten: () => {} };
  // Bypasses the parser: no further request is accepted.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    quietTimer?.refresh();
    if (dropped > maxBytes) socket.destroy();
  });
  socket.once('end', () => {
    clientClosed = true;
    if (socket.writableFinished) socket.destroy();
  });
  socket.once('close', () => {
    clearTimeout(quietTimer);
    clearTimeout(deadlineTimer);
  });
  socket.end(() => {
    if (clientClosed || socket.destroyed) return socket.destroy();
    quietTimer = setTimeout(() => socket.destroy(), quietMs);
    shorten(maxMs);
  });
  socket._paused = false;
  socket.resume();
  return { shorten };
}
