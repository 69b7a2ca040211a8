// Requests sent before the responses to earlier ones have arrived. Responses come in order, and the queue is bounded,
// however much is sent and however little is read.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { isRefusal } from '../../src/domain/errors.ts';
import type { Route } from '../../src/http/route.ts';
import { serveRoutes } from '../support/bare-http.ts';
import { freshDatabase, sqlite } from '../support/engines.ts';
import { databaseUrl, freshFolder, servePaydesk } from '../support/paydesk-process.ts';
import { connectTo, parseResponses, sendRaw } from '../support/raw-http.ts';
import { until } from '../support/until.ts';

/** Echoes what it was sent, and records how many requests were under way at most. */
function echo(): { routes: Route[]; peak: () => number; count: () => number } {
  let underWay = 0;
  let peak = 0;
  let count = 0;
  const handle: Route['handle'] = async (request) => {
    count += 1;
    underWay += 1;
    peak = Math.max(peak, underWay);
    const bytes = request.method === 'POST' ? await request.body() : new Uint8Array();
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    const text = isRefusal(bytes) ? bytes.refused : Buffer.from(bytes).toString();
    return { status: 200, headers: {}, body: `${request.query.get('n')} ${text}` };
  };
  const routes = ['GET', 'POST'].map((method) => ({ method, path: '/echo', handle }));
  return { routes, peak: () => peak, count: () => count };
}

const requestTo = (n: number): string => {
  if (n % 3 !== 0) return `GET /echo?n=${n} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const head = `POST /echo?n=${n} HTTP/1.1\r\nHost: x\r\n`;
  if (n % 2 === 0) return `${head}Content-Length: 9\r\n\r\nGET \r\n\r\n!`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nGET\r\n6\r\n \r\n\r\n!\r\n0\r\n\r\n`;
};

describe('Pipelined requests', () => {
  it('all get responses in order, a few at a time', async (t) => {
    const { routes, peak } = echo();
    const { url } = await serveRoutes(t, routes);
    const count = 3_000;
    const requests = Array.from({ length: count }, (_, n) => requestTo(n)).join('');
    const last = `GET /echo?n=last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const responses = parseResponses(await sendRaw(url, requests + last, 60_000));
    const expected = Array.from({ length: count }, (_, n) => (n % 3 === 0 ? `${n} GET \r\n\r\n!` : `${n} `));
    assert.deepEqual(
      responses.map(({ body }) => body),
      [...expected, 'last '],
    );
    assert.ok(peak() <= 2, `${peak()} were under way at once`);
  });

  it('that arrive byte by byte get responses too', async (t) => {
    const { url } = await serveRoutes(t, echo().routes);
    const socket = await connectTo(t, url);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    const bytes = [0, 1, 2, 3, 4, 5, 6].map(requestTo).join('');
    for (const byte of bytes) {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until('the last response arrives', () => received.endsWith('6 GET \r\n\r\n!'));
    assert.equal(parseResponses(received).length, 7);
  });

  it('are not handled while nobody reads the responses', async (t) => {
    const big = Buffer.alloc(8 * 1024 * 1024, 'x');
    let handled = 0;
    const handle: Route['handle'] = () => {
      handled += 1;
      return { status: 200, headers: {}, body: big };
    };
    const { url } = await serveRoutes(t, [{ method: 'GET', path: '/big', handle }]);
    const socket = await connectTo(t, url);
    socket.pause();
    socket.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000));
    await until('some are handled', () => handled >= 2);
    for (let turn = 0; turn < 50; turn += 1) await fetch(`${url}/nothing`);
    assert.ok(handled <= 4, `${handled} were handled`);
    let read = 0;
    socket.on('data', ({ length }) => {
      read += length;
    });
    socket.resume();
    await until('handling resumes when they are read', () => handled >= 8 && read > 4 * big.length, 30_000);
  });

  it('after a malformed one are not handled, and the one before it gets its response first', async (t) => {
    const { routes, count } = echo();
    const { url } = await serveRoutes(t, routes);
    const responses = parseResponses(await sendRaw(url, `${requestTo(1)}nonsense\r\n\r\n${requestTo(2)}`));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 400],
    );
    assert.equal(count(), 1);
  });
});

describe('A connection that pipelines thousands of requests', () => {
  it('does not delay other connections', async (t) => {
    let handled = 0;
    const handle: Route['handle'] = () => {
      handled += 1;
      return { status: 200, headers: {}, body: '' };
    };
    const { url } = await serveRoutes(t, [
      { method: 'GET', path: '/', handle },
      { method: 'GET', path: '/other', handle: () => ({ status: 200, headers: {}, body: `${handled}` }) },
    ]);
    const count = 5_000;
    const other = await connectTo(t, url);
    const many = await connectTo(t, url);
    let received = '';
    other.on('data', (chunk) => {
      received += chunk.toString();
    });
    many.resume();
    many.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
    await until('it is served', () => handled > 0);
    other.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the other gets its response', () => received !== '');
    const handledBefore = Number(parseResponses(received)[0]?.body);
    assert.ok(handledBefore < count / 10, `${handledBefore} were handled before`);
    await until('all are served', () => handled === count, 30_000);
  });

  it('gets its responses before a CONNECT that follows is refused', async (t) => {
    const handle: Route['handle'] = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { status: 201, headers: {}, body: '' };
    };
    const { url } = await serveRoutes(t, [{ method: 'POST', path: '/', handle }]);
    for (const count of [1, 3]) {
      const before = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'.repeat(count);
      const received = await sendRaw(url, `${before}CONNECT shop.example:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
      assert.deepEqual(
        parseResponses(received).map(({ status }) => status),
        [...Array<number>(count).fill(201), 405],
      );
    }
  });
});

describe('A thousand connections that pipeline 65 KB of requests each and read nothing', { timeout: 170_000 }, () => {
  for (const path of ['/docs', '/openapi.json']) {
    it(`use less than 100 MB for ${path}, and delay nobody else`, async (t) => {
      const folder = await freshFolder(t);
      const DATABASE_URL = databaseUrl(await freshDatabase(t, sqlite));
      const paydesk = await servePaydesk(t, { folder, settings: { DATABASE_URL, LOG_LEVEL: 'warn' } });
      for (let round = 0; round < 20; round += 1) await (await fetch(`${paydesk.url}${path}`)).text();
      const before = residentMb(paydesk.pid);
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
      const bytes = request.repeat(Math.ceil(65_536 / request.length));
      const { hostname, port } = new URL(paydesk.url);
      const sockets = Array.from({ length: 1_000 }, () => {
        const socket = connect(Number(port), hostname, () => socket.write(bytes));
        socket.on('error', () => {});
        return socket.pause();
      });
      t.after(() => {
        for (const socket of sockets) socket.destroy();
      });
      let peak = 0;
      for (let round = 0; round < 20; round += 1) {
        assert.equal((await fetch(`${paydesk.url}/healthz`)).status, 200);
        peak = Math.max(peak, residentMb(paydesk.pid) - before);
      }
      assert.ok(peak < 100, `${peak} MB more`);
    });
  }
});

function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
