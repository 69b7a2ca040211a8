// Sends a reply to the client.

import { type ServerResponse, STATUS_CODES } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { HttpReply, ReplyHeaders } from './route.ts';

/** Longer bodies are encoded once, to be measured and sent; for shorter ones, measuring and sending text is cheaper. */
const longTextLength = 2_048;

/** Any response may contain payment data, so none may be cached. */
const commonHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/**
 * Throws if a header is invalid. Nothing has been sent then, so another reply still can be. `onBroken`: what a stream was
 * read from has failed, after the status was sent.
 */
export function sendReply(
  response: ServerResponse,
  reply: HttpReply,
  requestId: string,
  onBroken: (error: Error) => void,
): void {
  if (reply.stream !== undefined) {
    sendStream(response, reply, requestId, reply.stream, onBroken);
    return;
  }
  const text = reply.body;
  const body = typeof text === 'string' && text.length > longTextLength ? Buffer.from(text) : text;
  const headers = reply.headers as SentHeaders;
  const length = Buffer.byteLength(body);
  response.writeHead(reply.status, { ...commonHeaders, ...headers, 'Request-Id': requestId, 'Content-Length': length });
  if (body.length <= sliceBytes || typeof body === 'string') response.end(body);
  else sendSlices(response, body);
}

/** Larger bodies are sent in slices, one per turn of the event loop, so that large downloads do not block others. */
const sliceBytes = 262_144;

function sendSlices(response: ServerResponse, body: Uint8Array, from = 0): void {
  const to = from + sliceBytes;
  if (response.destroyed) return;
  if (to >= body.length) response.end(body.subarray(from));
  else response.write(body.subarray(from, to), () => setImmediate(sendSlices, response, body, to));
}

/** Node accepts arrays and does not change them. */
type SentHeaders = Record<string, string | string[]>;

function sendStream(
  response: ServerResponse,
  reply: HttpReply,
  requestId: string,
  stream: Readable,
  onBroken: (error: Error) => void,
): void {
  // The connection is not reused after a stream, so that it does not keep a stopping process waiting.
  const headers: ReplyHeaders = { ...commonHeaders, ...reply.headers, 'Request-Id': requestId, Connection: 'close' };
  response.writeHead(reply.status, headers as SentHeaders);
  if (response.req.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  // Tells the client at once that it is connected, although the first event may be a long way off.
  response.flushHeaders();
  // A client that only listens has nothing to send: once it closes its side, it is gone.
  response.socket?.once('end', () => response.destroy());
  stream.once('error', (error) => {
    // A client that disconnects ends the stream with an error too, which is not worth logging.
    if (!response.destroyed) onBroken(error);
  });
  // Each side ends the other.
  pipeline(stream, response, () => {});
}

/** A reply as raw HTTP, for when Node has no request to respond to. It is the last on its connection. */
export function rawReply({ status, headers, body }: HttpReply, requestId: string): string {
  const all: ReplyHeaders = { ...commonHeaders, ...headers, 'Request-Id': requestId, Connection: 'close' };
  const lines = Object.entries(all).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}${length}\r\n${body}`;
}
