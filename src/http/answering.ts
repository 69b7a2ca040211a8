// Sends a reply.

import { type ServerResponse, STATUS_CODES } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { HttpReply, ReplyHeaders } from './route.ts';

/** From this length on, a text is encoded once, to be counted and sent; below it, counting and sending is cheaper. */
const longText = 2_048;

/** Every answer may hold payment data: no cache keeps it. */
const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/** Throws where a header cannot be sent; nothing is sent then, and another reply can be. */
export function sendReply(response: ServerResponse, reply: HttpReply, requestId: string): void {
  if (reply.stream !== undefined) {
    sendStream(response, reply, requestId, reply.stream);
    return;
  }
  const text = reply.body;
  const body = typeof text === 'string' && text.length > longText ? Buffer.from(text) : text;
  const given = reply.headers as SentHeaders;
  const length = Buffer.byteLength(body);
  response.writeHead(reply.status, { ...always, ...given, 'Request-Id': requestId, 'Content-Length': length });
  if (body.length <= sliceBytes || typeof body === 'string') response.end(body);
  else sendSlices(response, body);
}

/** More than this goes out in slices, a turn of the event loop each: many who fetch a large file hold up nobody. */
const sliceBytes = 262_144;

function sendSlices(response: ServerResponse, body: Uint8Array, from = 0): void {
  const to = from + sliceBytes;
  if (response.destroyed) return;
  if (to >= body.length) response.end(body.subarray(from));
  else response.write(body.subarray(from, to), () => setImmediate(sendSlices, response, body, to));
}

/** Node takes lists, and does not change them. */
type SentHeaders = Record<string, string | string[]>;

function sendStream(response: ServerResponse, reply: HttpReply, requestId: string, stream: Readable): void {
  // A connection that a stream has held for long serves nothing else: it must not hold a process that is to stop.
  const headers: ReplyHeaders = { ...always, ...reply.headers, 'Request-Id': requestId, Connection: 'close' };
  response.writeHead(reply.status, headers as SentHeaders);
  if (response.req.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  // The reader is to know at once that it is connected, though nothing may follow for long.
  response.flushHeaders();
  // What only listens has nothing to send: where it closes its side, it is gone.
  response.socket?.once('end', () => response.destroy());
  // Either one's end is the other's. A reader that hangs up is not worth logging.
  pipeline(stream, response, () => {});
}

/** The bytes of a reply, for what is answered where there is no request: the last on its connection. */
export function rawReply({ status, headers, body }: HttpReply, requestId: string): string {
  const all: ReplyHeaders = { ...always, ...headers, 'Request-Id': requestId, Connection: 'close' };
  const lines = Object.entries(all).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}${length}\r\n${body}`;
}
