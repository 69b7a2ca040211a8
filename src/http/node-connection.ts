// What the server uses of Node's HTTP connections beyond their public interface, in one place. Nothing public stops the
// parser inside a chunk, nor tells how much of a write the kernel has taken, nor answers a client that has closed its
// side. `test/http/pipelining.test.ts`, `test/http/slow-readers.test.ts` and `test/http/half-closed.test.ts` fail where a
// version of Node changes this.

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

interface Parser {
  /** Called with each request when its headers are there; what it returns goes to llhttp. */
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number;
  resume(): void;
}

export interface HttpSocket extends Socket {
  parser?: Parser | null;
  /** Set by Node where it stopped reading because too much was unsent. */
  _paused?: boolean;
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** What Node reports as `clientError` where the bytes are no request, come too slowly, or the parser was stopped. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/** `HPE_PAUSED` of llhttp: returned by a callback, it stops the parser there. */
export const stopParsing = 21;
export const parsingStopped = 'HPE_PAUSED';

/** Bytes of the write under way that the kernel has not taken yet. */
export function unsentBytes(socket: HttpSocket): number {
  return socket._handle?.writeQueueSize ?? 0;
}

/** A client may close its side when it has sent all, and still wait for the answers. Node would close its own at once. */
export function answerHalfClosed(server: Server & { httpAllowHalfOpen?: boolean }): void {
  server.httpAllowHalfOpen = true;
}
