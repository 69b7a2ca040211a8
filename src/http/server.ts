// The HTTP server: what is the same for every request. On bare node:http: routing a dozen paths needs no framework, and
// look-ups are to reach half of the rate of a server that does nothing (measured: 0.32 with Fastify and its hooks).

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { errorCodes, refuse } from '../domain/errors.ts';
import { newId, type Random } from '../domain/ids.ts';
import type { Clock } from '../domain/moment.ts';
import type { Logger, RequestLine } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { sendReply } from './answering.ts';
import { badRequests } from './bad-requests.ts';
import { ClientGone, canSkipBody, maxBodyBytes, mayHaveBody, readBody } from './body.ts';
import { type Client, clientOf } from './client-address.ts';
import { type Connection, type ConnectionLimits, guardConnections } from './connections.ts';
import { errorReply, refusalFor } from './error-reply.ts';
import { type Listening, listening } from './listening.ts';
import { answerHalfClosed } from './node-connection.ts';
import type { HttpReply, HttpRequest, Route } from './route.ts';
import { type Found, router } from './router.ts';

export interface ServerDeps {
  readonly log: Logger;
  readonly logRequest: (line: RequestLine) => void;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly trustedProxies: readonly string[];
  /** Told who each request came from, and over which peer. */
  readonly watchClient: (client: Client, peer: string) => void;
  /** How an address is shown in the log; undefined: not at all. */
  readonly loggedAddress: (address: string) => string | undefined;
  readonly routes: readonly Route[];
  /** Answers where no route does. */
  readonly notFound: (request: HttpRequest, allowed: readonly string[]) => HttpReply | Promise<HttpReply>;
  readonly limits?: Partial<ServerLimits> | undefined;
}

export interface ServerLimits extends ConnectionLimits {
  /** A request must arrive whole in this time: nobody holds a connection by sending a byte a minute. */
  readonly requestMs: number;
}

const requestTimeoutMs = 30_000;
const keepAliveMs = 72_000;

/** In the log and the metrics: the client went away before it was answered. */
const clientGoneStatus = 499;

export function createServer(deps: ServerDeps): Listening {
  const { log, logRequest, metrics, clock, random } = deps;
  const { requestMs = requestTimeoutMs, ...connectionLimits } = deps.limits ?? {};
  const find = router(deps.routes);
  const clientIn = clientOf(deps.trustedProxies);
  const newRequestId = (): string => newId('req', clock.now(), random);

  const server = createHttpServer({
    requestTimeout: requestMs,
    // Where the limit is shortened, so is the time until it is noticed.
    connectionsCheckingInterval: Math.min(requestMs, 5_000),
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: 16_384,
    // Answered here, with a request id.
    requireHostHeader: false,
  });
  answerHalfClosed(server);
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
    const client = clientIn(peer, headers);
    deps.watchClient(client, peer);
    const request: HttpRequest = {
      requestId,
      method,
      path: target.path,
      id: found !== null && 'id' in found ? found.id : '',
      query: target.query,
      headers,
      ip: client.address,
      protocol: client.protocol,
      body: (maxBytes = maxBodyBytes) => {
        const waitsToBeAsked = headers.expect !== undefined && incoming.httpVersion !== '1.0';
        const onStart = waitsToBeAsked ? () => response.writeContinue() : null;
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
      // The path as it was sent may hold anything, a key or a card number too: only its route is told.
      const route = found !== null && 'route' in found ? found.route.path : '';
      const { key, subject } = reply.log ?? {};
      const address = loggedAddress(client.address);
      record({ requestId, method, route, status, ms: Math.round(ms * 100) / 100, address, key, subject });
    };
    /** Whatever is wrong with a reply, the client gets an answer. Returns the status that it got. */
    function send(reply: HttpReply, failedBefore = 0): number {
      try {
        sendReply(response, reply, requestId);
        if (typeof reply.body === 'string') connections.sending(response, reply.body.length);
        return reply.status;
      } catch (error) {
        reply.stream?.destroy();
        log.error({ requestId, err: error }, 'the answer could not be sent');
        if (response.headersSent || failedBefore === 2) {
          response.destroy();
          return errorCodes.internal_error.status;
        }
        // The page for it may be no better.
        return send(
          failedBefore === 0 ? faultReply(error) : errorReply(refusalFor(error), requestId),
          failedBefore + 1,
        );
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
        finish(nobodyWaits);
        return;
      }
      const level = refusalFor(error).refused === 'storage_unavailable' ? 'warn' : 'error';
      log[level]({ requestId, err: error }, 'request failed');
      finish(faultReply(error));
    };
    try {
      const reply = answer(deps, found, request, incoming.httpVersion);
      if (reply instanceof Promise) reply.then(finish, fail);
      else finish(reply);
    } catch (error) {
      fail(error);
    }
  }
  function closeAfter(connection: Connection | undefined, response: ServerResponse, incoming: IncomingMessage): void {
    // Where the next request was taken already, its answer is the last.
    const isLast = serving.isStopping() && connection?.pipeline.waitsFor() !== response;
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

const nobodyWaits: HttpReply = { status: clientGoneStatus, headers: {}, body: '' };

function answer(
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
