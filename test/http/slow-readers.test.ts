// Clients that read nothing are cut off; those that read a little are not.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Route } from '../../src/http/route.ts';
import { serveRoutes } from '../support/bare-http.ts';
import { connectTo } from '../support/raw-http.ts';
import { until } from '../support/until.ts';

/** The kernel reports progress in steps of a megabyte or two, so a client must read that much in this time. */
const stalledMs = 1_500;
const size = 48 * 1024 * 1024;
const large = Buffer.alloc(size, 'x');
const request = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n';

const route = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });
const largeRoute = route('/large', () => ({ status: 200, headers: {}, body: large }));

/** Without reading, a closed connection is noticed only by writing to it. */
async function untilCutOff(socket: Socket): Promise<void> {
  let isCutOff = false;
  socket.removeAllListeners('error').on('error', () => {
    isCutOff = true;
  });
  await until('it is cut off', async () => {
    await pause(20);
    socket.write('\r\n');
    return isCutOff;
  });
}

describe('The reader of a response', () => {
  it('that reads nothing is cut off', async (t) => {
    const { url } = await serveRoutes(t, [largeRoute], { stalledMs });
    const socket = await connectTo(t, url);
    socket.pause();
    socket.write(request);
    await untilCutOff(socket);
  });

  it('that reads nothing of a stream is cut off, and the stream ends', async (t) => {
    const stream = new Readable({
      read() {
        this.push(Buffer.alloc(65_536, 'x'));
      },
    });
    const { url } = await serveRoutes(t, [route('/', () => ({ status: 200, headers: {}, body: '', stream }))], {
      stalledMs,
    });
    const socket = await connectTo(t, url);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the stream is destroyed', () => stream.destroyed);
  });

  it('that has waited longest is cut off if all together read too little', async (t) => {
    const limits = { unreadBytes: 3 * size };
    const text = 'x'.repeat(size);
    const routes = [
      route('/text', () => ({ status: 200, headers: {}, body: text })),
      route('/small', () => ({ status: 200, headers: {}, body: 'small' })),
    ];
    const { url } = await serveRoutes(t, routes, limits);
    const sockets: Socket[] = [];
    for (let count = 0; count < 4; count += 1) {
      const socket = await connectTo(t, url);
      socket.pause();
      socket.write('GET /text HTTP/1.1\r\nHost: x\r\n\r\n');
      sockets.push(socket);
      // Served after the request above.
      await (await fetch(`${url}/small`)).text();
    }
    const [first, ...others] = sockets as [Socket, ...Socket[]];
    await untilCutOff(first);
    let read = 0;
    for (const socket of others) {
      socket.on('data', ({ length }) => {
        read += length;
      });
      socket.resume();
    }
    await until('the others have received everything', () => read > others.length * size, 30_000);
  });

  it('that reads a little at a time gets everything, pipelined or not', async (t) => {
    const { url } = await serveRoutes(t, [largeRoute], { stalledMs, requestMs: 1_000 });
    const socket = await connectTo(t, url);
    socket.pause();
    socket.write(request + request);
    let read = 0;
    for (const startedAt = performance.now(); performance.now() - startedAt < 2 * stalledMs; await pause(5)) {
      const chunk = socket.read() as Buffer | null;
      read += chunk?.length ?? 0;
    }
    assert.ok(read < 2 * size, 'it read slowly');
    socket.on('data', ({ length }) => {
      read += length;
    });
    socket.resume();
    await until('it has received both responses', () => read > 2 * size, 30_000);
  });
});
