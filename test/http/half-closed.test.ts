// Clients that close their side after sending: every complete request gets a response.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Route } from '../../src/http/route.ts';
import { serveRoutes } from '../support/bare-http.ts';
import { connectTo, parseResponses } from '../support/raw-http.ts';
import { until } from '../support/until.ts';

describe('A client that half-closes its connection', () => {
  it('gets all its responses, however long they take and however many requests it sent', async (t) => {
    let served = 0;
    const handle: Route['handle'] = async (request) => {
      await request.body();
      // Respond long after the client has closed its side.
      await pause(50);
      served += 1;
      return { status: 201, headers: {}, body: `${served}` };
    };
    const { url } = await serveRoutes(t, [{ method: 'POST', path: '/', handle }]);
    for (const count of [1, 2, 5]) {
      served = 0;
      const socket = await connectTo(t, url);
      let received = '';
      let hasEnded = false;
      socket.on('data', (chunk) => {
        received += chunk.toString();
      });
      socket.on('end', () => {
        hasEnded = true;
      });
      socket.end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'.repeat(count));
      await until('the server closes too', () => hasEnded);
      assert.deepEqual(
        parseResponses(received).map(({ status, body }) => [status, body]),
        Array.from({ length: count }, (_, at) => [201, `${at + 1}`]),
      );
    }
  });

  it('ends the stream that it was reading', async (t) => {
    const stream = new Readable({ read() {} });
    stream.push('something');
    const handle: Route['handle'] = () => ({ status: 200, headers: {}, body: '', stream });
    const { url } = await serveRoutes(t, [{ method: 'GET', path: '/', handle }]);
    const socket = await connectTo(t, url);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('it has begun', () => received.includes('something'));
    socket.end();
    await until('the stream is destroyed', () => stream.destroyed);
  });
});
