// The HTTP server: everything that is the same for every request. Built directly on node:http: routing a dozen paths
// needs no framework, and look-ups must reach half the rate of a server that does nothing (measured: 0.32 with Fastify
// and its hooks).

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { errorCodes, refuse } from '../domain/errors.ts';
import { newId, type Random } from '../domain/ids.ts';
import type { Clock } from '../domain/moment.ts';
import type { Logger, RequestLine } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { badRequests } from './bad-requests.ts';
import { ClientGone, canSkipBody, maxBodyBytes, mayHaveBody, readBody } from './body.ts';
import { type Client, clientOf } from './client-address.ts';
import { type Connection, type ConnectionLimits, guardConnections } from './connections.ts';
import { errorReply, refusalFor } from './error-reply.ts';
import { type Listening, listening } from './listening.ts';
import { allowHalfClosed } from './node-connection.ts';
import type { HttpReply, HttpRequest, Route } from './route.ts';
import { type Found, router } from './router.ts';
import { sendReply } from './send-reply.ts';

export interface ServerDeps {
  readonly log: Logger;
  readonly logRequest: (line: RequestLine) => void;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly trustedProxies: readonly string[];
  /** Called with the client and the peer of each request. */
  readonly watchClient: (client: Client, peer: string) => void;
  /** How an address appears in the log; undefined: not at all. */
  readonly loggedAddress: (address: string) => string | undefined;
  readonly routes: readonly Route[];
  /** Handles requests without a route. */
  readonly notFound: (request: HttpRequest, allowed: readonly string[]) => HttpReply | Promise<HttpReply>;
  readonly limits?: Partial<ServerLimits> | undefined;
}

export interface ServerLimits extends ConnectionLimits {
  /**
   * A request must arrive completely within this time, so that nobody can hold a connection by sending a byte a minute.
   */
  readonly requestMs: number;
}

const requestTimeoutMs = 30_000;
const keepAliveMs = 72_000;

/** In the log and the metrics: the client disconnected before the response. */
const clientGoneStatus = 499;

export function createServer(deps: ServerDeps): Listening {
  const { log, logRequest, metrics, clock, random } = deps;
  const { requestMs = requestTimeoutMs, ...connectionLimits } = deps.limits ?? {};
  const find = router(deps.routes);
  const clientFrom = clientOf(deps.trustedProxies);
  const newRequestId = (): string => newId('req', clock.now(), random);

  const server = createHttpServer({
    requestTimeout: requestMs,
    // A shorter limit also needs more frequent checks.
    connectionsCheckingInterval: Math.min(requestMs, 5_000),
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: 16_384,
    // Checked here instead, so that the response has a request id.
    requireHostHeader: false,
  });
  allowHalfClosed(server);
  const record = (line: RequestLine): void => {
    metrics.observeRequest(line.method, line.route, line.status, line.ms / 1000);
    logRequest(line);
  };
  const { loggedAddress } = deps;
  const { onBadRequest, onConnect } = badRequests({ newRequestId, record, loggedAddress, requestMs });
  const connections = guardConnections(server, { limits: connectionLimits, onBadRequest });
  const serving = listening(server, connections);

  function accept(incoming: IncomingMessage, response: ServerResponse): void {
    const startedAt = performance.now();
    const connection = connections.of(incoming.socket);
    if (connection !== undefined) connection.latest = response;
    const requestId = newRequestId();
    const target = targetOf(incoming.url ?? '/');
    const method = incoming.method ?? 'GET';
    const found = find(method, target.path);
    const { headers } = incoming;
    const peer = incoming.socket.remoteAddress ?? '';
    const client = clientFrom(peer, headers);
    deps.watchClient(client, peer);
    const request: HttpRequest = {
      requestId,
      startedAt,
      method,
      path: target.path,
      id: found !== null && 'id' in found ? found.id : '',
      query: target.query,
      headers,
      ip: client.address,
      protocol: client.protocol,
      body: (maxBytes = maxBodyBytes) => {
        const expectsContinue = headers.expect !== undefined && incoming.httpVersion !== '1.0';
        const onStart = expectsContinue ? () => response.writeContinue() : null;
        return readBody(incoming, { maxBytes: Math.min(maxBytes, maxBodyBytes), onStart });
      },
    };
    const finish = (reply: HttpReply): void => {
      const accepting = serving.accepting();
      if (accepting !== null) {
        accepting.then(() => finish(reply));
        return;
      }
      let status = clientGoneStatus;
      if (response.destroyed) reply.stream?.destroy();
      else {
        if (serving.isStopping() || mayHaveBody(headers)) closeAfter(connection, response, incoming);
        status = send(reply);
      }
      const ms = performance.now() - startedAt;
      // The path may contain anything, even a key or a card number, so only its route is logged.
      const route = found !== null && 'route' in found ? found.route.path : '';
      const { key, subject } = reply.log ?? {};
      const address = loggedAddress(client.address);
      record({ requestId, method, route, status, ms: Math.round(ms * 100) / 100, address, key, subject });
    };
    /** Whatever is wrong with a reply, the client gets a response. Returns the status that was sent. */
    function send(reply: HttpReply, failures = 0): number {
      try {
        sendReply(response, reply, requestId, (err) => {
          log[levelOf(err)]({ requestId, err }, 'the response broke off');
        });
        if (typeof reply.body === 'string') connections.sending(response, reply.body.length);
        return reply.status;
      } catch (error) {
        reply.stream?.destroy();
        log.error({ requestId, err: error }, 'the response could not be sent');
        if (response.headersSent || failures === 2) {
          response.destroy();
          return errorCodes.internal_error.status;
        }
        // The error page may fail in the same way.
        return send(failures === 0 ? faultReply(error) : errorReply(refusalFor(error), requestId), failures + 1);
      }
    }
    function faultReply(error: unknown): HttpReply {
      const refusal = refusalFor(error);
      const fault = found !== null && 'route' in found ? found.route.fault : undefined;
      return fault?.(request, refusal) ?? errorReply(refusal, requestId);
    }
    const fail = (error: unknown): void => {
      if (error instanceof ClientGone) {
        response.destroy();
        finish(clientGoneReply);
        return;
      }
      log[levelOf(error)]({ requestId, err: error }, 'request failed');
      finish(faultReply(error));
    };
    try {
      const reply = handle(deps, found, request, incoming.httpVersion);
      if (reply instanceof Promise) reply.then(finish, fail);
      else finish(reply);
    } catch (error) {
      fail(error);
    }
  }
  function closeAfter(connection: Connection | undefined, response: ServerResponse, incoming: IncomingMessage): void {
    // If the next request has already been accepted, its response is the last.
    const isLast = serving.isStopping() && connection?.pipeline.blockedBy() !== response;
    if (isLast || !canSkipBody(incoming)) response.shouldKeepAlive = false;
  }

  server.on('request', accept);
  server.on('checkContinue', accept);
  server.on('checkExpectation', accept);
  server.on('connect', ({ socket }: IncomingMessage) => {
    const connection = connections.of(socket);
    if (connection === undefined) socket.destroy();
    else onConnect(connection);
  });
  return serving;
}

const levelOf = (error: unknown) => (refusalFor(error).refused === 'storage_unavailable' ? 'warn' : 'error');

const clientGoneReply: HttpReply = { status: clientGoneStatus, headers: {}, body: '' };

function handle(
  deps: ServerDeps,
  found: Found,
  request: HttpRequest,
  httpVersion: string,
): HttpReply | Promise<HttpReply> {
  const { host, expect } = request.headers;
  if (host === undefined && httpVersion === '1.1') return errorReply(noHost, request.requestId);
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return errorReply(otherExpectation, request.requestId);
  }
  if (found !== null && 'route' in found) return found.route.handle(request);
  return deps.notFound(request, found?.allowed ?? []);
}

function targetOf(url: string): { path: string; query: URLSearchParams } {
  const absolute = url.startsWith('/') ? null : URL.parse(url);
  if (absolute !== null) return { path: absolute.pathname, query: absolute.searchParams };
  const mark = url.indexOf('?');
  if (mark === -1) return { path: url, query: noQuery };
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

const noQuery = new URLSearchParams();
const noHost = refuse('parameter_invalid', 'The Host header is missing. HTTP/1.1 requires it in every request.');
const otherExpectation = refuse('expectation_failed', 'Only `Expect: 100-continue` is supported. Remove the header.');
