// The HTTP server: everything that is the same for all requests, then the routes.

import type { Server } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { isRefusal, refuse } from '../domain/errors.ts';
import { type IdPrefix, isId, newId, type Random } from '../domain/ids.ts';
import type { Clock } from '../domain/moment.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { errorBody, internalError, Refused, refusalFor, replyRefusal } from './error-reply.ts';
import { maxBodyBytes, parseJson } from './json-body.ts';

export interface ServerDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly trustedProxies: readonly string[];
}

/** A request and its answer, whole, must fit in this time: nobody holds a connection by sending a byte a minute. */
const requestTimeoutMs = 30_000;

export function createServer({ log, metrics, clock, random, trustedProxies }: ServerDeps): FastifyInstance {
  const newRequestId = (): string => newId('req', clock.now(), random);
  const server = Fastify({
    logger: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    // Long enough for any id that fits in a request: a bad id is then answered as one.
    routerOptions: { maxParamLength: 65_536 },
    frameworkErrors: (error, _request, reply) => replyRefusal(reply, refusalFor(error) ?? internalError),
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return;
      const id = newRequestId();
      const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
      const body = JSON.stringify(
        errorBody(
          refuse(
            'parameter_invalid',
            tooLong ? 'The request line and headers are too long.' : 'This is not a valid HTTP request.',
          ),
          id,
        ),
      );
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nRequest-Id: ${id}\r\nContent-Type: application/json; charset=utf-8\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    },
  });
  server.decorateRequest('caller', null);
  acceptJson(server);

  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.setHeader('Request-Id', request.id);
    reply.raw.setHeader('Cache-Control', 'no-store');
    reply.raw.setHeader('X-Content-Type-Options', 'nosniff');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId, caller } = request;
    const { url: route = '', config } = request.routeOptions;
    const ms = reply.elapsedTime;
    metrics.observeRequest(method, route, reply.statusCode, ms / 1000);
    // The path as it was sent may hold anything, a key or a card number too: only its route and a well-formed id are told.
    const { id = '' } = (request.params ?? {}) as { id?: string };
    const subject = config.idPrefix !== undefined && isId(config.idPrefix as IdPrefix, id) ? id : undefined;
    log.info(
      {
        requestId,
        method,
        route,
        subject,
        status: reply.statusCode,
        ms: Math.round(ms * 100) / 100,
        key: caller?.keyId,
      },
      'request',
    );
    done();
  });
  server.setErrorHandler((error, request, reply) => {
    const refusal = refusalFor(error);
    if (refusal === null) log.error({ requestId: request.id, err: error }, 'request failed');
    else if (refusal.refused === 'storage_unavailable')
      log.warn({ requestId: request.id, err: error }, 'storage unavailable');
    return replyRefusal(reply, refusal ?? internalError);
  });
  return server;
}

function acceptJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (_request, body, done) => {
      const parsed = parseJson(body as Buffer);
      if (isRefusal(parsed)) done(new Refused(parsed));
      else done(null, parsed.value);
    },
  );
}

/** The address that it listens on, with the port that was given for 0. */
export async function listen(server: FastifyInstance | Server, host: string, port: number): Promise<string> {
  if ('inject' in server) return server.listen({ host, port });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject);
    const address = server.address();
    resolve(typeof address === 'object' && address !== null ? `http://${host}:${address.port}` : String(address));
  });
  return promise;
}
