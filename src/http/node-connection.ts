// Everything that the server uses of Node's HTTP connections beyond their public interface. No public API stops the
// parser inside a chunk, shows how much of a write the kernel has accepted, or lets a half-closed client receive its
// response. `test/http/pipelining.test.ts`, `test/http/slow-readers.test.ts` and `test/http/half-closed.test.ts` fail
// if a version of Node changes this.

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

interface Parser {
  /** Called for each request once its headers are parsed. Its result is passed to llhttp. */
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number;
  resume(): void;
}

export interface HttpSocket extends Socket {
  parser?: Parser | null;
  /** Set by Node when it stops reading because too much is unsent. */
  _paused?: boolean;
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** What Node emits as `clientError` if the bytes are not a request, arrive too slowly, or the parser was stopped. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/** llhttp's `HPE_PAUSED`: a callback that returns it stops the parser. */
export const stopParsing = 21;
export const parsingStopped = 'HPE_PAUSED';

/** Bytes of the current write that the kernel has not accepted yet. */
export function unsentBytes(socket: HttpSocket): number {
  return socket._handle?.writeQueueSize ?? 0;
}

/**
 * A client may close its side after its last request and still wait for responses. By default, Node would close too.
 */
export function allowHalfClosed(server: Server & { httpAllowHalfOpen?: boolean }): void {
  server.httpAllowHalfOpen = true;
}
