// A closed-loop load, which finds the full rate: each connection sends a request, waits for the complete response, and
// sends the next.

import { type Connection, openConnection, type RawResponse } from './connection.ts';

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** The bytes of the next request; null if there are no more. */
  readonly request: () => string | null;
  readonly expectedStatus: number;
  readonly onResponse?: (response: RawResponse) => void;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly count: number;
}

export async function runLoad(load: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const { promise: failure, reject } = Promise.withResolvers<never>();
  failure.catch(() => {});
  const connections = await openConnections(load, reject);
  const startedAt = performance.now();
  const endsAt = startedAt + load.durationMs;
  try {
    const driven = connections.map((each) => drive(load, each, endsAt, latencies, reject));
    await Promise.race([failure, Promise.all(driven)]);
    return resultOf(latencies, (performance.now() - startedAt) / 1000);
  } finally {
    await Promise.all(connections.map((each) => each.close()));
  }
}

export function openConnections(
  { port, connections }: Pick<Load, 'port' | 'connections'>,
  onFailure: (error: Error) => void,
): Promise<Connection[]> {
  return Promise.all(Array.from({ length: connections }, () => openConnection(port, onFailure)));
}

export function unexpected(load: Pick<Load, 'expectedStatus'>, { head, body }: RawResponse): Error {
  return new Error(`expected ${load.expectedStatus}, got: ${head}\n${body.toString('utf8', 0, 600)}`);
}

/** Sorts the latencies. */
export function resultOf(latenciesMs: number[], seconds: number): LoadResult {
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number): number => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0;
  return { perSecond: latenciesMs.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), count: latenciesMs.length };
}

function drive(
  load: Load,
  connection: Connection,
  endsAt: number,
  latencies: number[],
  onFailure: (error: Error) => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let sentAt = 0;
  function sendNext(): void {
    const request = load.request();
    if (request === null) {
      resolve();
      return;
    }
    sentAt = performance.now();
    connection.send(request, receive);
  }
  function receive(response: RawResponse): void {
    if (response.status !== load.expectedStatus) {
      onFailure(unexpected(load, response));
      return;
    }
    const now = performance.now();
    latencies.push(now - sentAt);
    load.onResponse?.(response);
    if (now < endsAt) sendNext();
    else resolve();
  }
  sendNext();
  return promise;
}
