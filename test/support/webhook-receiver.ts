// A merchant's webhook endpoint: a real server on loopback that keeps what it gets, byte for byte, and answers as told.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TlsOptions } from 'node:tls';
import type { CleansUp } from './engines.ts';

export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface FixedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** What a function does not return, it writes to the response, or to its socket, by itself. */
export type Answer =
  | FixedAnswer
  | ((
      request: ReceivedRequest,
      response: ServerResponse,
    ) => FixedAnswer | undefined | Promise<FixedAnswer | undefined>);

export interface WebhookReceiver {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** For every path, or for one (without its query), which goes first. 200 until told otherwise. */
  answerWith(answer: Answer, path?: string): void;
  /** Connections that were ever made. */
  accepted(): number;
  /** Of those, the ones that are open. */
  open(): number;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** 127.0.0.1 unless told. */
  readonly host?: string;
  /** Any free one unless told. */
  readonly port?: number;
  /** A key and a certificate: then it speaks https. */
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
    // A sender that hangs up in the middle is no fault of the test.
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
