// HTTP as raw bytes on a socket, for requests that no HTTP client would send.

import { connect, type Socket } from 'node:net';
import type { CleansUp } from './engines.ts';

export interface RawResponse {
  readonly status: number;
  readonly reason: string;
  /** The status line and headers, unparsed. */
  readonly head: string;
  readonly body: string;
  header(name: string): string | undefined;
}

/** A connection that only the test closes on this side; destroyed after the test. */
export async function connectTo(test: CleansUp, url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, resolve);
  socket.on('error', reject);
  test.after(async () => {
    socket.destroy();
  });
  await promise;
  return socket;
}

/** Sends raw bytes and reads until the server closes, one character per byte. Rejects if the connection is reset. */
export function sendRaw(url: string, bytes: string | Uint8Array, timeoutMs = 10_000): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  // Starts reading only after everything is written.
  const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.resume()));
  socket.pause();
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`the response did not end: ${received.slice(0, 500)}`)));
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', reject);
  socket.on('end', () => resolve(received));
  return promise;
}

/** Parses all responses in the received bytes. */
export function parseResponses(received: string): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, end);
    const [, status = '', reason = ''] = /^HTTP\/1\.1 (\d{3}) (.*)/.exec(head) ?? [];
    if (status === '') throw new Error(`not a response: ${rest.slice(0, 200)}`);
    const header = (name: string) => new RegExp(`^${name}: (.*?)\\r?$`, 'im').exec(head)?.[1];
    const length = Number(header('content-length') ?? 0);
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString();
    responses.push({ status: Number(status), reason, head, body, header });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}

export function parseOnlyResponse(received: string): RawResponse {
  const [response, ...others] = parseResponses(received);
  if (response === undefined || others.length > 0)
    throw new Error(`not exactly one response: ${received.slice(0, 500)}`);
  return response;
}
