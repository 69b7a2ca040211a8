// Reads request bodies, up to a size limit.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../domain/errors.ts';

export const maxBodyBytes = 1024 * 1024;

/** The client disconnected. Nobody is waiting for a response, and nothing is wrong on our side. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

function tooLarge(maxBytes: number): Refusal {
  return refuse('body_too_large', `The body is too large. The limit is ${maxBytes} bytes.`);
}

export interface BodyOptions {
  readonly maxBytes: number;
  /** Tells a client that waits for `100 Continue` to send the body. */
  readonly onStart: (() => void) | null;
}

/**
 * Listens to events: measured at 23 to 25 µs of CPU per request, against 28 to 31 µs when iterating over the stream.
 */
export function readBody(incoming: IncomingMessage, { maxBytes, onStart }: BodyOptions): Promise<Uint8Array | Refusal> {
  if (declaredLength(incoming) > maxBytes) return Promise.resolve(tooLarge(maxBytes));
  // It will emit no more events.
  if (incoming.destroyed) return Promise.reject(clientGone());
  onStart?.();
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | Refusal>();
  let body: Buffer = emptyBody;
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    const before = size;
    size += chunk.length;
    if (size > maxBytes) {
      incoming.removeAllListeners('data').pause();
      resolve(tooLarge(maxBytes));
    } else if (before === 0) body = chunk;
    else {
      if (size > body.length) body = enlarged(body, before, Math.min(2 * size, maxBytes));
      chunk.copy(body, before);
    }
  });
  incoming.on('end', () => resolve(body.subarray(0, size)));
  const onBroken = (): void => {
    if (!incoming.complete) reject(clientGone());
  };
  incoming.on('error', onBroken);
  incoming.on('close', onBroken);
  return promise;
}

const emptyBody = Buffer.alloc(0);

/**
 * Chunks are copied into one buffer rather than kept: they can be a single byte each, and keeping those took 250 MB for
 * a body of one megabyte.
 */
function enlarged(body: Buffer, used: number, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(length);
  body.copy(larger, 0, 0, used);
  return larger;
}

const clientGone = (): ClientGone => new ClientGone('the client went away before its request was whole');

/** 0 if the headers do not give a length. */
function declaredLength({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return 0;
  return Number(headers['content-length'] ?? 0);
}

export function mayHaveBody(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * Whether the connection can be reused although the body was not read to its end. If the rest is known to be short and
 * nobody has started reading, Node reads and discards it.
 */
export function canSkipBody(incoming: IncomingMessage): boolean {
  const { headers, complete } = incoming;
  if (complete || !mayHaveBody(headers)) return true;
  const isShort = headers['transfer-encoding'] === undefined && Number(headers['content-length']) <= maxBodyBytes;
  return isShort && !incoming.readableDidRead && incoming.listenerCount('data') === 0;
}
