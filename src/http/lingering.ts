// Closes a connection so that the client gets its last answer. Closing a socket that still has bytes to read resets the
// connection, and a reset throws away what the client has not read yet. So only our side is closed, and what still comes
// is read and dropped, up to a limit, until the client closes too.

import type { HttpSocket } from './node-connection.ts';

export interface LingerLimits {
  readonly maxBytes: number;
  /** Counted from when all is sent. */
  readonly maxMs: number;
}

export const lingerLimits: LingerLimits = { maxBytes: 8 * 1024 * 1024, maxMs: 5_000 };

export function closeGently(socket: HttpSocket, { maxBytes, maxMs }: LingerLimits): void {
  if (socket.destroyed) return;
  let dropped = 0;
  let clientClosed = socket.readableEnded;
  let timer: NodeJS.Timeout | undefined;
  // Not to the parser: no request that follows is taken.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > maxBytes) socket.destroy();
  });
  socket.once('end', () => {
    clientClosed = true;
    if (socket.writableFinished) socket.destroy();
  });
  socket.once('close', () => clearTimeout(timer));
  socket.end(() => {
    if (clientClosed) socket.destroy();
    else timer = setTimeout(() => socket.destroy(), maxMs);
  });
  socket._paused = false;
  socket.resume();
}
