// Readers that take nothing are cut; those that take a little are not.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Route } from '../../src/http/route.ts';
import { serveRoutes } from '../support/bare-http.ts';
import { connectTo } from '../support/raw-http.ts';
import { until } from '../support/until.ts';

/** The kernel tells of progress in steps of a megabyte or two, so a reader must take that much in this time. */
const stalledMs = 1_500;
const size = 48 * 1024 * 1024;
const large = Buffer.alloc(size, 'x');
const ask = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n';

const route = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });
const largeRoute = route('/large', () => ({ status: 200, headers: {}, body: large }));

/** Without reading, a closed connection shows only by writing to it. */
async function untilCut(socket: Socket): Promise<void> {
  let isCut = false;
  socket.removeAllListeners('error').on('error', () => {
    isCut = true;
  });
  await until('it is cut', async () => {
    await pause(20);
    socket.write('\r\n');
    return isCut;
  });
}

describe('A reader of an answer', () => {
  it('that takes nothing is cut', async (t) => {
    const { url } = await serveRoutes(t, [largeRoute], { stalledMs });
    const socket = await connectTo(t, url);
    socket.pause();
    socket.write(ask);
    await untilCut(socket);
  });

  it('that takes nothing of a stream is cut, and the stream ends', async (t) => {
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

  it('is one of few where all together take too little: those that waited longest are cut', async (t) => {
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
      // Answered after it.
      await (await fetch(`${url}/small`)).text();
    }
    const [first, ...others] = sockets as [Socket, ...Socket[]];
    await untilCut(first);
    let read = 0;
    for (const socket of others) {
      socket.on('data', ({ length }) => {
        read += length;
      });
      socket.resume();
    }
    await until('the others have it all', () => read > others.length * size, 30_000);
  });

  it('that takes a little at a time gets it all, pipelined or not', async (t) => {
    const { url } = await serveRoutes(t, [largeRoute], { stalledMs, requestMs: 1_000 });
    const socket = await connectTo(t, url);
    socket.pause();
    socket.write(ask + ask);
    let read = 0;
    for (const startedAt = performance.now(); performance.now() - startedAt < 2 * stalledMs; await pause(5)) {
      const chunk = socket.read() as Buffer | null;
      read += chunk?.length ?? 0;
    }
    assert.ok(read < 2 * size, 'it took its time');
    socket.on('data', ({ length }) => {
      read += length;
    });
    socket.resume();
    await until('it has both', () => read > 2 * size, 30_000);
  });
});
