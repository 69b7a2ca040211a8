// The HTTP server: what is the same for every request. On bare node:http: routing a dozen paths needs no framework, and
// look-ups are to reach half of the rate of a server that does nothing (measured: 0.32 with Fastify and its hooks).

import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { type Refusal, refuse } from '../domain/errors.ts';
import { newId, type Random } from '../domain/ids.ts';
import type { Clock } from '../domain/moment.ts';
import type { Logger, RequestLine } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { readBody } from './body.ts';
import { type Client, clientOf } from './client-address.ts';
import { errorReply, refusalFor } from './error-reply.ts';
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
}

/** A request must arrive whole in this time: nobody holds a connection by sending a byte a minute. */
const requestTimeoutMs = 30_000;
const keepAliveMs = 72_000;

export function createServer(deps: ServerDeps): Server {
  const { log, logRequest, metrics, clock, random } = deps;
  const find = router(deps.routes);
  const clientIn = clientOf(deps.trustedProxies);
  const newRequestId = (): string => newId('req', clock.now(), random);

  const server = createHttpServer(
    { requestTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveMs, maxHeaderSize: 16_384 },
    (incoming, response) => {
      const startedAt = performance.now();
      const requestId = newRequestId();
      const target = targetOf(incoming.url ?? '/');
      const method = incoming.method ?? 'GET';
      const found = find(method, target.path);
      const peer = incoming.socket.remoteAddress ?? '';
      const client = clientIn(peer, incoming.headers);
      deps.watchClient(client, peer);
      const request: HttpRequest = {
        requestId,
        method,
        path: target.path,
        id: found !== null && 'id' in found ? found.id : '',
        query: target.query,
        headers: incoming.headers,
        ip: client.address,
        protocol: client.protocol,
        body: () => readBody(incoming),
      };
      const finish = (reply: HttpReply): void => {
        // A connection that stays open would hold a process that is to stop.
        if (!server.listening) response.shouldKeepAlive = false;
        if (reply.stream === undefined) send(response, reply, requestId);
        else sendStream(response, reply, requestId, reply.stream);
        const ms = performance.now() - startedAt;
        // The path as it was sent may hold anything, a key or a card number too: only its route is told.
        const route = found !== null && 'route' in found ? found.route.path : '';
        const { status, log: { key, subject } = {} } = reply;
        metrics.observeRequest(method, route, status, ms / 1000);
        const address = deps.loggedAddress(client.address);
        logRequest({ requestId, method, route, status, ms: Math.round(ms * 100) / 100, address, key, subject });
      };
      /** Also for an answer that could not be sent: its client gets another one. */
      const fail = (error: unknown): void => {
        if (response.headersSent) {
          lost(log, response, error);
          return;
        }
        const refusal = refusalFor(error);
        const level = refusal.refused === 'storage_unavailable' ? 'warn' : 'error';
        log[level]({ requestId, err: error }, 'request failed');
        const fault = found !== null && 'route' in found ? found.route.fault : undefined;
        const plain = errorReply(refusal, requestId);
        try {
          finish(fault?.(request, refusal) ?? plain);
        } catch (err) {
          if (response.headersSent) lost(log, response, err);
          else finish(plain);
        }
      };
      try {
        const reply = answer(deps, found, request);
        if (reply instanceof Promise) reply.then(finish).catch(fail);
        else finish(reply);
      } catch (error) {
        fail(error);
      }
    },
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
    socket.end(rawReply(errorReply(tooLong ? headersTooLong : notHttp, newRequestId())));
  });
  return server;
}

function answer(deps: ServerDeps, found: Found, request: HttpRequest): HttpReply | Promise<HttpReply> {
  if (found !== null && 'route' in found) return found.route.handle(request);
  return deps.notFound(request, found?.allowed ?? []);
}

/** From this length on, a text is encoded once, to be counted and sent; below it, counting and sending is cheaper. */
const longText = 2_048;

/** Every answer may hold payment data: no cache keeps it. */
const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

function send(response: ServerResponse, reply: HttpReply, requestId: string): void {
  const text = reply.body;
  const body = typeof text === 'string' && text.length > longText ? Buffer.from(text) : text;
  const length = Buffer.byteLength(body);
  response.writeHead(reply.status, { ...always, ...reply.headers, 'Request-Id': requestId, 'Content-Length': length });
  response.end(body);
}

function sendStream(response: ServerResponse, reply: HttpReply, requestId: string, stream: Readable): void {
  // A connection that a stream has held for long serves nothing else: it must not hold a process that is to stop.
  response.writeHead(reply.status, { ...always, ...reply.headers, 'Request-Id': requestId, Connection: 'close' });
  if (response.req.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  // The reader is to know at once that it is connected, though nothing may follow for long.
  response.flushHeaders();
  // Either one's end is the other's. A reader that hangs up is not worth a word.
  pipeline(stream, response, () => {});
}

/** Nothing could be answered any more; only the log can tell. */
function lost(log: Logger, response: ServerResponse, err: unknown): void {
  log.error({ err }, 'an answer could not be sent');
  response.destroy();
}

function targetOf(url: string): { path: string; query: URLSearchParams } {
  const absolute = url.startsWith('/') ? null : URL.parse(url);
  if (absolute !== null) return { path: absolute.pathname, query: absolute.searchParams };
  const mark = url.indexOf('?');
  if (mark === -1) return { path: url, query: noQuery };
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

const noQuery = new URLSearchParams();
const notHttp: Refusal = refuse('parameter_invalid', 'This is not a valid HTTP request.');
const headersTooLong: Refusal = refuse(
  'parameter_invalid',
  'The request line and headers are too long: at most 16 KiB.',
);

function rawReply({ status, headers, body }: HttpReply): string {
  const { error } = JSON.parse(String(body)) as { error: { request_id: string } };
  const lines = Object.entries({ ...headers, 'Request-Id': error.request_id, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} Bad Request\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The address that it listens on, with the port that was given for 0. */
export function listen(server: Server, host: string, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject);
    const address = server.address();
    const shown = host.includes(':') ? `[${host}]` : host;
    resolve(`http://${shown}:${typeof address === 'object' && address !== null ? address.port : port}`);
  });
  return promise;
}

/** Accepts nothing new, closes idle connections, and waits for the answers under way. */
export function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  return promise;
}
