// Responds where Node has no request to serve: bytes that are not HTTP, headers that are too long, a request that does
// not arrive in time, CONNECT. The response is an ordinary API error, with a request id that also appears in the log.

import { type Refusal, refuse } from '../domain/errors.ts';
import type { RequestLine } from '../log.ts';
import type { Connection } from './connections.ts';
import { errorReply } from './error-reply.ts';
import type { ParserError } from './node-connection.ts';
import { isDone } from './pipelining.ts';
import { rawReply } from './send-reply.ts';

export interface BadRequestDeps {
  readonly newRequestId: () => string;
  readonly record: (line: RequestLine) => void;
  readonly loggedAddress: (address: string) => string | undefined;
  /** How long a request may take to arrive completely. */
  readonly requestMs: number;
}

export function badRequests({ newRequestId, record, loggedAddress, requestMs }: BadRequestDeps) {
  function rawError(
    { peer }: Connection,
    refusal: Refusal,
    method: string,
    headers: Readonly<Record<string, string>> = {},
  ): string {
    const requestId = newRequestId();
    const reply = errorReply(refusal, requestId, headers);
    // Forwarding headers cannot be read here, so the peer itself is logged.
    record({ requestId, method, route: '', status: reply.status, ms: 0, address: loggedAddress(peer) });
    return rawReply(reply, requestId);
  }

  function refuseAndClose(connection: Connection, refusal: Refusal): void {
    const { socket, isLeaving } = connection;
    if (socket.writable && !isLeaving) socket.write(rawError(connection, refusal, ''));
    connection.leave();
  }

  return {
    onBadRequest(error: ParserError, connection: Connection): void {
      const { socket, latest, pipeline } = connection;
      const refusal = refusalOf(error);
      const respond = (): void => refuseAndClose(connection, refusal ?? notHttp);
      const blockedBy = pipeline.blockedBy();
      if (refusal === null || !socket.writable) socket.destroy();
      else if (latest === null || (isDone(latest) && latest.req.complete)) respond();
      // The rest of an unread body does not arrive.
      else if (isDone(latest)) connection.leave();
      else if (refusal === tooSlow && blockedBy !== null) {
        // The delay is ours: we stopped reading. The client gets its full time again once we resume.
        const giveUp = (): void => {
          if (!latest.req.complete && !isDone(latest)) respond();
        };
        blockedBy.once('close', () => setTimeout(giveUp, requestMs).unref());
      }
      // The pending response goes first, unless it is itself waiting for the bad bytes.
      else if (latest.req.complete || blockedBy !== null) latest.once('close', respond);
      else if (latest.headersSent || error.code === 'HPE_INVALID_EOF_STATE') socket.destroy();
      else respond();
    },

    onConnect(connection: Connection): void {
      const { socket, latest } = connection;
      socket.on('error', () => socket.destroy());
      const respond = (): void => {
        if (!socket.writable) return;
        socket.write(rawError(connection, noTunnel, 'CONNECT', { Allow: 'DELETE, GET, HEAD, PATCH, POST' }));
        connection.leave();
      };
      // Pending responses go first.
      if (latest === null || isDone(latest)) respond();
      else latest.once('close', respond);
    },
  };
}

/** Null: the connection is broken, so nobody can receive a response. */
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
