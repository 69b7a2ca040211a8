// A merchant's receiver in a separate process: reads each request completely, responds with 204, and reports arrival
// times. Requests to paths that start with /hang get no response until the sender times out.

import { createServer } from 'node:http';

export interface Arrivals {
  readonly count: number;
  /** From the first arrival to the last. */
  readonly seconds: number;
  /** From `created_at` in the body to the end of the request, sorted. */
  readonly latenciesMs: readonly number[];
}

let count = 0;
let firstAt = 0;
let lastAt = 0;
let latenciesMs: number[] = [];
let withLatencies = false;

const server = createServer((request, response) => {
  const hangs = request.url?.startsWith('/hang') ?? false;
  let body = '';
  request.setEncoding('latin1');
  request.on('data', (chunk: string) => {
    if (withLatencies) body += chunk;
  });
  request.on('end', () => {
    if (hangs) return;
    lastAt = performance.now();
    if (count === 0) firstAt = lastAt;
    count += 1;
    if (withLatencies) {
      const { created_at: createdAt } = JSON.parse(body) as { created_at: string };
      latenciesMs.push(Date.now() - Date.parse(createdAt));
    }
    response.writeHead(204).end();
  });
});

/** `reset` restarts the count; `report` returns the arrivals since then. */
process.on('message', (message: { ask: 'reset'; latencies: boolean } | { ask: 'report' }) => {
  if (message.ask === 'reset') {
    count = 0;
    latenciesMs = [];
    withLatencies = message.latencies;
  }
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  process.send?.({ count, seconds: (lastAt - firstAt) / 1000, latenciesMs: message.ask === 'report' ? sorted : [] });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : 0);
});
