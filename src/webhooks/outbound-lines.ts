// The connections to receivers, each for one exchange at a time: so an exchange that fails or is late takes nothing
// down but its own connection. How many there are to an origin is bounded, and so is how many are idle.

import { Client } from 'undici';
import type { Connect } from './outbound-connector.ts';

export interface Line {
  readonly client: Client;
  readonly origin: string;
  readonly openedAt: number;
  /** Ends it now, whatever it is doing: resolving, connecting, shaking hands, sending, receiving. */
  cut(): Promise<void>;
}

export interface Lines {
  /** Calls back with a line, at once if there is one, else when one comes free. Returns what leaves the queue. */
  take(origin: string, given: (line: Line) => void): () => void;
  /** After an exchange that was complete: the line may be used again. */
  giveBack(line: Line): void;
  /** After any other: it is cut. */
  drop(line: Line): void;
  /** Origins that are remembered. */
  origins(): number;
  /** Cuts what is idle; nothing may be in use. */
  close(): Promise<void>;
}

export interface LineLimits {
  readonly connectionsPerOrigin: number;
  readonly idleConnections: number;
  /** One in constant use is renewed, so that a name that moved is followed and its addresses are checked again. */
  readonly connectionAgeMs: number;
}

const maxHeaderBytes = 16_384;
/** Shorter than what servers commonly allow, so that theirs does not end a line as it is taken. */
const keepAliveMs = 4_000;
const maxKeepAliveMs = 10_000;

interface Origin {
  open: number;
  /** The one used last is taken first, so that those not needed grow old. */
  readonly idle: Line[];
  /** First come, first served. */
  readonly waiting: Set<(line: Line) => void>;
}

export function openLines(connect: Connect, limits: LineLimits): Lines {
  const byOrigin = new Map<string, Origin>();
  /** Of all origins, the longest idle first. */
  const idle = new Set<Line>();
  const cutting = new Set<Promise<void>>();

  function take(name: string, given: (line: Line) => void): () => void {
    const origin = originOf(name);
    const line = origin.idle.pop();
    if (line !== undefined) {
      idle.delete(line);
      given(line);
    } else if (origin.open < limits.connectionsPerOrigin) {
      given(open(name, origin));
    } else {
      origin.waiting.add(given);
    }
    return () => origin.waiting.delete(given);
  }

  function originOf(name: string): Origin {
    let origin = byOrigin.get(name);
    if (origin === undefined) {
      origin = { open: 0, idle: [], waiting: new Set() };
      byOrigin.set(name, origin);
    }
    return origin;
  }

  function open(name: string, origin: Origin): Line {
    origin.open += 1;
    const line = newLine(name, connect);
    // A line in use tells of its end by its exchange.
    line.client.on('disconnect', () => {
      if (idle.has(line)) drop(line);
    });
    return line;
  }

  function giveBack(line: Line): void {
    const origin = originOf(line.origin);
    const next = firstOf(origin.waiting);
    if (performance.now() - line.openedAt > limits.connectionAgeMs) {
      drop(line);
    } else if (next !== undefined) {
      origin.waiting.delete(next);
      next(line);
    } else {
      origin.idle.push(line);
      idle.add(line);
      const oldest = idle.size > limits.idleConnections ? firstOf(idle) : undefined;
      if (oldest !== undefined) drop(oldest);
    }
  }

  function drop(line: Line): void {
    const origin = originOf(line.origin);
    if (idle.delete(line)) origin.idle.splice(origin.idle.indexOf(line), 1);
    origin.open -= 1;
    const gone = line.cut().finally(() => cutting.delete(gone));
    cutting.add(gone);
    const next = firstOf(origin.waiting);
    if (next !== undefined) {
      origin.waiting.delete(next);
      next(open(line.origin, origin));
    } else if (origin.open === 0) {
      byOrigin.delete(line.origin);
    }
  }

  return {
    take,
    giveBack,
    drop,
    origins: () => byOrigin.size,
    async close() {
      for (const line of [...idle]) drop(line);
      await Promise.all(cutting);
    },
  };
}

function firstOf<T>(set: ReadonlySet<T>): T | undefined {
  for (const first of set) return first;
  return undefined;
}

function newLine(origin: string, connect: Connect): Line {
  let giveUp = (): void => {};
  const client = new Client(origin, {
    connect: (options, callback) => {
      giveUp = connect(options, callback);
    },
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: maxKeepAliveMs,
    // One deadline stands over everything, outside.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    client,
    origin,
    openedAt: performance.now(),
    cut: () => {
      const destroyed = client.destroy();
      giveUp();
      return destroyed;
    },
  };
}
