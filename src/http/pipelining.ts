// Requests that a client sends before it has the answers to those before (pipelining): a connection has one answer under
// way and one that waits for it. What else was read stays bytes until then, and nothing more is read.
//
// Node parses a chunk of 64 KB as a whole: 65 KB of small requests would be 1 500 requests and answers at once.

import type { ServerResponse } from 'node:http';
import type { HeldBytes } from './held-bytes.ts';
import { type HttpSocket, stopParsing } from './node-connection.ts';

export interface Pipeline {
  /** Keeps what the parser left when it was stopped. */
  hold(rest: Buffer): void;
  /** Forgets what is held: the connection takes no more requests. */
  drop(): void;
  /** The answer that everything waits for; null where nothing waits. */
  waitsFor(): ServerResponse | null;
}

export function isDone(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed;
}

export function pipelineOf(
  socket: HttpSocket,
  latest: () => ServerResponse | null,
  all: HeldBytes<HttpSocket>,
): Pipeline {
  const { parser } = socket;
  let held: Buffer[] = [];
  let isHolding = false;
  let before: ServerResponse | null = null;
  let parse: ((chunk: Buffer) => void) | null = null;
  let hasEnded = false;
  /** Node's own, which was added last. */
  const onEnd = socket.listeners('end').at(-1) as (() => void) | undefined;

  if (parser) {
    const takeRequest = parser.onIncoming;
    parser.onIncoming = (request, keepAlive) => {
      const newest = latest();
      const result = takeRequest(request, keepAlive);
      if (newest === null || isDone(newest) || result !== 0) return result;
      before = newest;
      return stopParsing;
    };
  }

  /** From now on, what is read comes here and not straight to the parser. */
  function takeOver(): void {
    const [listener] = socket.listeners('data');
    parse = listener as (chunk: Buffer) => void;
    socket.removeListener('data', parse);
    socket.on('data', (chunk: Buffer) => {
      held.push(chunk);
      pump();
    });
    // The client's end is heard although nothing is read; what is held comes before it.
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
      all.hold(socket, bytes);
      socket.pause();
    } else {
      all.release(socket);
      socket.resume();
      if (hasEnded && socket.parser) onEnd?.();
      hasEnded = false;
    }
  }
  function goOn(): void {
    isHolding = false;
    before = null;
    pump();
  }

  return {
    hold(rest) {
      if (parse === null) takeOver();
      if (rest.length > 0) held.unshift(rest);
      isHolding = true;
      // In a turn of the event loop of its own: others come between two requests of a connection.
      if (before === null || isDone(before)) setImmediate(goOn);
      else before.once('close', () => setImmediate(goOn));
      pump();
    },
    drop() {
      held = [];
      all.release(socket);
    },
    waitsFor: () => (before === null || isDone(before) ? null : before),
  };
}
