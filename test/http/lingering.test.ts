// Answers that are given before the body was read: the client gets them, also where it sends the whole body first.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { maxBodyBytes } from '../../src/http/body.ts';
import type { Route } from '../../src/http/route.ts';
import { serveRoutes } from '../support/bare-http.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { connectTo, parseOnlyResponse, parseResponses, sendRaw } from '../support/raw-http.ts';
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

describeOnEachEngine('A body that is not read', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('does not keep its answer from the client: nobody of many sees a reset', async () => {
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
      const heard = await Promise.all(Array.from({ length: 12 }, () => sendRaw(paydesk().url, bytes, 30_000)));
      for (const one of heard) {
        const answer = parseOnlyResponse(one);
        assert.equal(answer.status, status, `${code}: ${one}`);
        assert.equal((JSON.parse(answer.body) as { error: { code: string } }).error.code, code);
        assert.match(answer.header('connection') ?? '', /close/);
      }
    }
  });

  it('keeps the connection where it is short: the next request is answered on it', async () => {
    const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const unread = 'POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n12345678901234567890';
    const heard = await sendRaw(paydesk().url, unread + next);
    assert.deepEqual(
      parseResponses(heard).map(({ status }) => status),
      [401, 200],
    );
  });

  it('is not asked for where the client waits to be asked', async (t) => {
    const socket = await connectTo(t, paydesk().url);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString();
    });
    socket.write('POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n');
    await until('it is answered', () => heard.includes('\r\n\r\n'));
    assert.match(heard, /^HTTP\/1\.1 401 /);
  });

  it('is asked for where it is wanted', async (t) => {
    const { test } = await paydesk().newMerchant();
    const body = '{"amount":1250,"currency":"EUR"}';
    const socket = await connectTo(t, paydesk().url);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString();
    });
    const headers = `Authorization: Bearer ${test.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.write(`POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n${headers}\r\n\r\n`);
    await until('it is asked for', () => heard.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    socket.write(body);
    await until('it is answered', () => heard.includes('HTTP/1.1 201 '));
  });
});

describe('A connection that is closed after its answer', () => {
  it('takes no further request, though it still reads', async (t) => {
    let created = 0;
    const handle: Route['handle'] = () => {
      created += 1;
      return { status: 201, headers: {}, body: '' };
    };
    const { url } = await serveRoutes(t, [{ method: 'POST', path: '/', handle }]);
    const close = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
    const heard = await sendRaw(url, close + 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'.repeat(500));
    assert.match(heard, /^HTTP\/1\.1 201 /);
    assert.ok(created <= 2, `${created} were taken`);
  });

  it('is read from for as long as the client sends its body, be that large or slow', { timeout: 60_000 }, async (t) => {
    const { url } = await serveRoutes(t, []);
    const mebibyte = 1024 * 1024;
    const large = bytesOf({ path: '/nothing', headers: [], bytes: 40 * mebibyte });
    assert.equal(parseOnlyResponse(await sendRaw(url, large, 30_000)).status, 404);

    const socket = await connectTo(t, url);
    socket.pause();
    socket.write(`POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${4 * mebibyte}\r\n\r\n`);
    // Longer than a client is given that sends nothing.
    for (const startedAt = performance.now(); performance.now() - startedAt < 6_000; await pause(100))
      socket.write('x');
    socket.write(Buffer.alloc(mebibyte));
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString();
    });
    socket.resume();
    await until('it is answered', () => heard.includes('\r\n\r\n'));
    assert.match(heard, /^HTTP\/1\.1 404 /);
  });

  it('does not hold up a process that stops', { timeout: 60_000 }, async (t) => {
    const { url, stop } = await serveRoutes(t, []);
    const socket = await connectTo(t, url);
    socket.removeAllListeners('error').on('error', () => {});
    socket.resume();
    socket.write(`POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${1e9}\r\n\r\n`);
    const sending = setInterval(() => socket.write('x'), 50);
    t.after(() => clearInterval(sending));
    await pause(200);
    const startedAt = performance.now();
    await stop();
    assert.ok(performance.now() - startedAt < 10_000);
  });

  it('is cut where the client sends on and on', async (t) => {
    const { url } = await serveRoutes(t, []);
    const socket = await connectTo(t, url);
    let isCut = false;
    socket.removeAllListeners('error').on('error', () => {
      isCut = true;
    });
    socket.resume();
    socket.write(`POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${1e12}\r\n\r\n`);
    const block = Buffer.alloc(1024 * 1024);
    let sent = 0;
    await until('it is cut', async () => {
      await new Promise<void>((resolve) => socket.write(block, () => resolve()));
      sent += isCut ? 0 : 1;
      return isCut;
    });
    assert.ok(sent < 100, `${sent} MB were sent`);
  });
});
