// A merchant's webhook endpoint: a real server on loopback that records every request and responds as configured.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TlsOptions } from 'node:tls';
import type { CleansUp } from './engines.ts';

export interface ReceivedRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface FixedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A function that returns undefined writes to the response or its socket itself. */
export type Answer =
  | FixedResponse
  | ((
      request: ReceivedRequest,
      response: ServerResponse,
    ) => FixedResponse | undefined | Promise<FixedResponse | undefined>);

export interface WebhookReceiver {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** Sets the response for all paths, or for one path (without query), which takes precedence. The default is 200. */
  answerWith(answer: Answer, path?: string): void;
  /** The number of connections so far. */
  accepted(): number;
  /** The number of open connections. */
  open(): number;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** Any free port by default. */
  readonly port?: number;
  /** A key and a certificate, to serve HTTPS. */
  readonly tls?: TlsOptions;
}

export async function startWebhookReceiver(
  test: CleansUp,
  { host = '127.0.0.1', port = 0, tls }: ReceiverOptions = {},
): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = [];
  const answers = new Map<string, Answer>();
  const sockets = new Set<Socket>();
  let accepted = 0;

  async function receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(message);
    const request = { method: message.method ?? '', path: message.url ?? '', headers: message.headers, body };
    requests.push(request);
    const answer = answers.get(request.path.replace(/\?.*/, '')) ?? answers.get('*') ?? {};
    const fixed = typeof answer === 'function' ? await answer(request, response) : answer;
    if (fixed !== undefined) response.writeHead(fixed.status ?? 200, fixed.headers).end(fixed.body);
  }
  const listener = (message: IncomingMessage, response: ServerResponse): void => {
    // The sender may disconnect midway.
    receive(message, response).catch(() => response.destroy());
  };

  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, host, listening.resolve);
  await listening.promise;

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
    return closed;
  };
  test.after(close);
  const given = (server.address() as AddressInfo).port;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${given}`,
    port: given,
    requests,
    answerWith: (answer, path = '*') => {
      answers.set(path, answer);
    },
    accepted: () => accepted,
    open: () => sockets.size,
    close,
  };
}
