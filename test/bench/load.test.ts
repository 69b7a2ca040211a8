// The benchmark's load generators: complete responses, failures that end the load, and latency from the scheduled time.

import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { runLoad } from '../../bench/load.ts';
import { runPacedLoad } from '../../bench/paced-load.ts';

const request = (): string => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

async function listening(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const answering: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Length': 100_000 }).end('x'.repeat(100_000));
};

describe('A closed-loop load', () => {
  it('receives complete responses until there are no more requests', async (t) => {
    const port = await listening(t, answering);
    let left = 20;
    let received = 0;
    const result = await runLoad({
      port,
      connections: 4,
      durationMs: 60_000,
      expectedStatus: 200,
      request: () => (left-- > 0 ? request() : null),
      onResponse: ({ body }) => {
        received += body.length;
      },
    });
    assert.equal(result.count, 20);
    assert.equal(received, 20 * 100_000);
  });

  it('fails with the response if the status is another', async (t) => {
    const port = await listening(t, (_request, response) =>
      response.writeHead(500, { 'Content-Length': 12 }).end('out of order'),
    );
    const load = runLoad({ port, connections: 2, durationMs: 60_000, expectedStatus: 200, request });
    await assert.rejects(load, /expected 200, got: HTTP\/1\.1 500.*out of order/s);
  });

  it('fails if the server closes a connection', async (t) => {
    const port = await listening(t, (_request, response) => response.destroy());
    const load = runLoad({ port, connections: 2, durationMs: 60_000, expectedStatus: 200, request });
    await assert.rejects(load, /closed the connection|ECONNRESET/);
  });

  it('fails if a response does not tell its length', async (t) => {
    const port = await listening(t, (_request, response) => {
      response.write('chunked');
      response.end();
    });
    const load = runLoad({ port, connections: 2, durationMs: 60_000, expectedStatus: 200, request });
    await assert.rejects(load, /a response without a length/);
  });
});

describe('An open-loop load', () => {
  it('counts latency from the time at which each request was due, so a stall delays all that were due in it', async (t) => {
    const stallMs = 700;
    let stalledUntil = 0;
    let served = 0;
    const port = await listening(t, (message, response) => {
      served += 1;
      if (served === 20) stalledUntil = performance.now() + stallMs;
      setTimeout(() => answering(message, response), Math.max(0, stalledUntil - performance.now()));
    });
    const load = { port, connections: 1, durationMs: 1_000, expectedStatus: 200, request };
    const paced = await runPacedLoad({ ...load, perSecond: 100 });
    assert.equal(paced.count, 100);
    // 70 of the 100 requests were due during the stall. A closed loop on this connection would count it once.
    assert.ok(paced.p50Ms > 100, `p50 ${paced.p50Ms} ms`);
    assert.ok(paced.p99Ms > stallMs * 0.9, `p99 ${paced.p99Ms} ms`);
  });

  it('keeps to its rate', async (t) => {
    const port = await listening(t, answering);
    const result = await runPacedLoad({
      port,
      connections: 8,
      durationMs: 500,
      perSecond: 100,
      expectedStatus: 200,
      request,
    });
    assert.equal(result.count, 50);
    assert.ok(result.perSecond <= 103, `${result.perSecond}/s is no faster than the schedule`);
  });
});
