// Pipelining: a client may send requests before it has received earlier responses. A connection handles one request and
// keeps one more waiting. Whatever else was read stays unparsed until then, and reading is paused.
//
// Node parses a chunk of 64 KB as a whole: 65 KB of small requests would be 1 500 requests and responses at once.

import type { ServerResponse } from 'node:http';
import type { HeldBytes } from './held-bytes.ts';
import { type HttpSocket, stopParsing } from './node-connection.ts';

export interface Pipeline {
  /** Keeps what the parser had not read when it was stopped. */
  hold(rest: Buffer): void;
  /** Discards what is held: the connection accepts no more requests. */
  drop(): void;
  /** The response that later requests are waiting for; null if none is waiting. */
  blockedBy(): ServerResponse | null;
}

export function isDone(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed;
}

export function pipelineOf(
  socket: HttpSocket,
  latest: () => ServerResponse | null,
  totalHeld: HeldBytes<HttpSocket>,
): Pipeline {
  const { parser } = socket;
  let held: Buffer[] = [];
  let isHolding = false;
  let previous: ServerResponse | null = null;
  let parse: ((chunk: Buffer) => void) | null = null;
  let hasEnded = false;
  /** Node's own listener, which was added last. */
  const onEnd = socket.listeners('end').at(-1) as (() => void) | undefined;

  if (parser) {
    const handleRequest = parser.onIncoming;
    parser.onIncoming = (request, keepAlive) => {
      const newest = latest();
      const result = handleRequest(request, keepAlive);
      if (newest === null || isDone(newest) || result !== 0) return result;
      previous = newest;
      return stopParsing;
    };
  }

  /** From now on, chunks are queued here instead of going straight to the parser. */
  function takeOver(): void {
    const [listener] = socket.listeners('data');
    parse = listener as (chunk: Buffer) => void;
    socket.removeListener('data', parse);
    socket.on('data', (chunk: Buffer) => {
      held.push(chunk);
      pump();
    });
    // `end` is emitted even while reading is paused; what is held must be parsed first.
    if (onEnd === undefined) return;
    socket.removeListener('end', onEnd);
    socket.once('end', () => {
      hasEnded = true;
      pump();
    });
  }
  function pump(): void {
    while (!isHolding && socket.parser && !socket.destroyed) {
      const chunk = held.shift();
      if (chunk === undefined) break;
      socket.parser.resume();
      socket._paused = false;
      parse?.(chunk);
    }
    if (isHolding) {
      const bytes = held.reduce((sum, { length }) => sum + length, 0);
      totalHeld.hold(socket, bytes);
      socket.pause();
    } else {
      totalHeld.release(socket);
      socket.resume();
      if (hasEnded && socket.parser) onEnd?.();
      hasEnded = false;
    }
  }
  function resume(): void {
    isHolding = false;
    previous = null;
    pump();
  }

  return {
    hold(rest) {
      if (parse === null) takeOver();
      if (rest.length > 0) held.unshift(rest);
      isHolding = true;
      // In its own turn of the event loop, so that other connections get their turn between two requests.
      if (previous === null || isDone(previous)) setImmediate(resume);
      else previous.once('close', () => setImmediate(resume));
      pump();
    },
    drop() {
      held = [];
      totalHeld.release(socket);
    },
    blockedBy: () => (previous === null || isDone(previous) ? null : previous),
  };
}
