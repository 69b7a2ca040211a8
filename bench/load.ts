// A load generator on raw sockets, which takes little CPU from the server under test: each connection sends a request,
// waits for the complete response, and sends the next.

import { connect, type Socket } from 'node:net';

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** The bytes of the next request. */
  readonly request: () => string;
  readonly expectedStatus: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const headersEnd = Buffer.from('\r\n\r\n');

export async function runLoad(load: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + load.durationMs;
  await Promise.all(Array.from({ length: load.connections }, () => drive(load, endsAt, latencies)));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / seconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  };
}

function drive(load: Load, endsAt: number, latencies: number[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket: Socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true });
  let sentAt = 0;
  let pending: Buffer = Buffer.alloc(0);

  function send(): void {
    sentAt = performance.now();
    socket.write(load.request(), 'latin1');
  }
  socket.on('connect', send);
  socket.on('error', reject);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const end = pending.indexOf(headersEnd);
    if (end === -1) return;
    const head = pending.toString('latin1', 0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (pending.length < end + 4 + length) return;
    const status = Number(head.slice(9, 12));
    if (status !== load.expectedStatus) {
      reject(new Error(`expected ${load.expectedStatus}, got: ${pending.toString('latin1', 0, 600)}`));
      socket.destroy();
      return;
    }
    pending = Buffer.alloc(0);
    const now = performance.now();
    latencies.push(now - sentAt);
    if (now < endsAt) send();
    else socket.end(() => resolve());
  });
  return promise;
}
