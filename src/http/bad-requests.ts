// What is answered where Node found no request to serve: bytes that are no HTTP, headers that are too long, a request that
// does not arrive, CONNECT. In the API's shape, with a request id that the log has too.

import { type Refusal, refuse } from '../domain/errors.ts';
import type { RequestLine } from '../log.ts';
import { rawReply } from './answering.ts';
import type { Connection } from './connections.ts';
import { errorReply } from './error-reply.ts';
import type { ParserError } from './node-connection.ts';
import { isDone } from './pipelining.ts';

export interface BadRequestDeps {
  readonly newRequestId: () => string;
  readonly record: (line: RequestLine) => void;
  readonly loggedAddress: (address: string) => string | undefined;
  /** What a request has to arrive whole. */
  readonly requestMs: number;
}

export function badRequests({ newRequestId, record, loggedAddress, requestMs }: BadRequestDeps) {
  function rawAnswer(
    { peer }: Connection,
    refusal: Refusal,
    method: string,
    headers: Readonly<Record<string, string>> = {},
  ): string {
    const requestId = newRequestId();
    const reply = errorReply(refusal, requestId, headers);
    // What a proxy says of its client cannot be read here: the peer itself is told.
    record({ requestId, method, route: '', status: reply.status, ms: 0, address: loggedAddress(peer) });
    return rawReply(reply, requestId);
  }

  function refuseOn(connection: Connection, refusal: Refusal): void {
    const { socket, isLeaving } = connection;
    if (socket.writable && !isLeaving) socket.write(rawAnswer(connection, refusal, ''));
    connection.leave();
  }

  return {
    onBadRequest(error: ParserError, connection: Connection): void {
      const { socket, latest, pipeline } = connection;
      const refusal = refusalOf(error);
      const refuseIt = (): void => refuseOn(connection, refusal ?? notHttp);
      const waitsFor = pipeline.waitsFor();
      if (refusal === null || !socket.writable) socket.destroy();
      else if (latest === null || (isDone(latest) && latest.req.complete)) refuseIt();
      // The rest of a body that nobody wanted does not come.
      else if (isDone(latest)) connection.leave();
      else if (refusal === tooSlow && waitsFor !== null) {
        // It is we who did not read on; from when we do, it has its time again.
        const giveUp = (): void => {
          if (!latest.req.complete && !isDone(latest)) refuseIt();
        };
        waitsFor.once('close', () => setTimeout(giveUp, requestMs).unref());
      }
      // The answer under way comes first, unless it waits for what is wrong here.
      else if (latest.req.complete || waitsFor !== null) latest.once('close', refuseIt);
      else if (latest.headersSent || error.code === 'HPE_INVALID_EOF_STATE') socket.destroy();
      else refuseIt();
    },

    onConnect(connection: Connection): void {
      const { socket, latest } = connection;
      socket.on('error', () => socket.destroy());
      const refuseIt = (): void => {
        if (!socket.writable) return;
        socket.write(rawAnswer(connection, noTunnel, 'CONNECT', { Allow: 'DELETE, GET, HEAD, PATCH, POST' }));
        connection.leave();
      };
      // The answers under way come first.
      if (latest === null || isDone(latest)) refuseIt();
      else latest.once('close', refuseIt);
    },
  };
}

/** Null: the connection is broken, and there is nobody to answer. */
function refusalOf({ code = '' }: ParserError): Refusal | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow;
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLong;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return extensionsTooLong;
  return code.startsWith('HPE_') ? notHttp : null;
}

const notHttp = refuse('parameter_invalid', 'This is not a valid HTTP request.');
const tooSlow = refuse('request_timeout', 'The request was not received completely within 30 seconds. Send it again.');
const headersTooLong = refuse('headers_too_large', 'The request line and headers are too long. The limit is 16 KiB.');
const extensionsTooLong = refuse('body_too_large', 'The chunk extensions of the body are too long. Remove them.');
const noTunnel = refuse('method_not_allowed', 'This server is not a proxy. CONNECT is not supported.');
