// Responses sent before the body is read: the client gets them even if it sends the whole body first.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { maxBodyBytes } from '../../src/http/body.ts';
import type { Route } from '../../src/http/route.ts';
import { serveRoutes } from '../support/bare-http.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { connectTo, parseOnlyResponse, parseResponses, sendRaw } from '../support/raw-http.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { until } from '../support/until.ts';

interface Upload {
  readonly method?: string;
  readonly path?: string;
  readonly headers: readonly string[];
  readonly bytes: number;
  readonly chunked?: boolean;
}

function bytesOf({ method = 'POST', path = '/checkout-sessions', headers, bytes, chunked = false }: Upload): Buffer {
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  const head = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', length, ...headers].join('\r\n');
  const body = Buffer.alloc(bytes, ' ');
  const framed = chunked ? [Buffer.from(`${bytes.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')] : [body];
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), ...framed]);
}

describeOnEachEngine('A request body', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('that is not read does not cost the client its response: no connection is reset', async () => {
    const { test } = await paydesk().newMerchant();
    const key = `Authorization: Bearer ${test.key}`;
    const json = 'Content-Type: application/json';
    const large = 3 * maxBodyBytes;
    const uploads: readonly (readonly [Upload, status: number, code: string])[] = [
      [{ headers: [key, json], bytes: large }, 413, 'body_too_large'],
      [{ headers: [key, json], bytes: large, chunked: true }, 413, 'body_too_large'],
      [{ headers: [json], bytes: large }, 401, 'api_key_missing'],
      [{ headers: [json], bytes: large, chunked: true }, 401, 'api_key_missing'],
      [{ headers: [json], bytes: maxBodyBytes }, 401, 'api_key_missing'],
      [{ headers: [key], bytes: 500_000 }, 415, 'content_type_invalid'],
      [{ path: '/nothing', headers: [], bytes: large }, 404, 'route_not_found'],
      [{ method: 'PUT', headers: [key], bytes: large }, 405, 'method_not_allowed'],
      [{ path: '/checkout-sessions/cs_1/expire', headers: [key], bytes: large }, 404, 'checkout_session_not_found'],
      [{ path: '/checkout-sessions?x=1', headers: [key, json], bytes: large }, 400, 'parameter_unknown'],
    ];
    for (const [upload, status, code] of uploads) {
      const bytes = bytesOf(upload);
      const received = await Promise.all(Array.from({ length: 12 }, () => sendRaw(paydesk().url, bytes, 30_000)));
      for (const one of received) {
        const response = parseOnlyResponse(one);
        assert.equal(response.status, status, `${code}: ${one}`);
        assert.equal((JSON.parse(response.body) as { error: { code: string } }).error.code, code);
        assert.match(response.header('connection') ?? '', /close/);
      }
    }
  });

  it('that is short and not read keeps the connection open for the next request', async () => {
    const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const unread = 'POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n12345678901234567890';
    const received = await sendRaw(paydesk().url, unread + next);
    assert.deepEqual(
      parseResponses(received).map(({ status }) => status),
      [401, 200],
    );
  });

  it('that is not needed is not requested from a client that waits for 100 Continue', async (t) => {
    const socket = await connectTo(t, paydesk().url);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.write('POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n');
    await until('it gets a response', () => received.includes('\r\n\r\n'));
    assert.match(received, /^HTTP\/1\.1 401 /);
  });

  it('that is needed is requested with 100 Continue', async (t) => {
    const { test } = await paydesk().newMerchant();
    const body = '{"amount":1250,"currency":"EUR"}';
    const socket = await connectTo(t, paydesk().url);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    const headers = `Authorization: Bearer ${test.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.write(`POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n${headers}\r\n\r\n`);
    await until('100 Continue arrives', () => received.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    socket.write(body);
    await until('it gets a response', () => received.includes('HTTP/1.1 201 '));
  });
});

describe('A connection that is closed after its response', () => {
  it('accepts no further requests, although it still reads', async (t) => {
    let created = 0;
    const handle: Route['handle'] = () => {
      created += 1;
      return { status: 201, headers: {}, body: '' };
    };
    const { url } = await serveRoutes(t, [{ method: 'POST', path: '/', handle }]);
    const close = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
    const received = await sendRaw(url, close + 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'.repeat(500));
    assert.match(received, /^HTTP\/1\.1 201 /);
    assert.ok(created <= 2, `${created} were accepted`);
  });

  it('is read for as long as the client sends its body, large or slow', { timeout: 60_000 }, async (t) => {
    const { url } = await serveRoutes(t, []);
    const mebibyte = 1024 * 1024;
    const large = bytesOf({ path: '/nothing', headers: [], bytes: 40 * mebibyte });
    assert.equal(parseOnlyResponse(await sendRaw(url, large, 30_000)).status, 404);

    const socket = await connectTo(t, url);
    socket.pause();
    socket.write(`POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${4 * mebibyte}\r\n\r\n`);
    // Longer than the limit for a client that sends nothing.
    for (const startedAt = performance.now(); performance.now() - startedAt < 6_000; await pause(100))
      socket.write('x');
    socket.write(Buffer.alloc(mebibyte));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.resume();
    await until('it gets a response', () => received.includes('\r\n\r\n'));
    assert.match(received, /^HTTP\/1\.1 404 /);
  });

  it('does not delay shutdown', { timeout: 60_000 }, async (t) => {
    const { url, stop } = await serveRoutes(t, []);
    const socket = await connectTo(t, url);
    socket.removeAllListeners('error').on('error', () => {});
    socket.resume();
    socket.write(`POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${1e9}\r\n\r\n`);
    const sending = setInterval(() => socket.write('x'), 50);
    t.after(() => clearInterval(sending));
    await pause(200);
    const waitedMs = startStopwatch();
    await stop();
    assert.ok(waitedMs() < 10_000);
  });

  it('is cut off if the client never stops sending', async (t) => {
    const { url } = await serveRoutes(t, []);
    const socket = await connectTo(t, url);
    let isCutOff = false;
    socket.removeAllListeners('error').on('error', () => {
      isCutOff = true;
    });
    socket.resume();
    socket.write(`POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${1e12}\r\n\r\n`);
    const block = Buffer.alloc(1024 * 1024);
    let sent = 0;
    await until('it is cut off', async () => {
      await new Promise<void>((resolve) => socket.write(block, () => resolve()));
      sent += isCutOff ? 0 : 1;
      return isCutOff;
    });
    assert.ok(sent < 100, `${sent} MB were sent`);
  });
});
