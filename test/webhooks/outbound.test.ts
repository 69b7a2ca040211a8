// Outbound requests to real receivers: what is sent, what is reported of the response, and how failures are named.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { CleansUp } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { assertError, assertStatus, testOutbound } from './test-outbound.ts';

describe('A sent webhook', () => {
  it('arrives as a POST with exactly its bytes, its headers and our user agent', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const outbound = testOutbound(t);
    const body = Buffer.from('{"note":"\u00fc\u20ac\u0000"}\n');
    const headers = { 'content-type': 'application/json', 'service-signature': 't=1,v1=ab' };
    assertStatus(await outbound.post({ url: `${receiver.url}/hooks/a?b=c%20d`, livemode: false, headers, body }), 200);
    const [request] = receiver.requests;
    assert.equal(request?.method, 'POST');
    assert.equal(request?.path, '/hooks/a?b=c%20d');
    assert.deepEqual(request?.body, body);
    assert.deepEqual(request?.headers, {
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'content-length': String(body.length),
      'content-type': 'application/json',
      'service-signature': 't=1,v1=ab',
      'user-agent': 'Paydesk/test',
    });
  });

  for (const status of [200, 201, 204, 301, 307, 400, 410, 429, 500, 503]) {
    it(`reports status ${status}, the duration and the start of the body`, async (t) => {
      const receiver = await startWebhookReceiver(t);
      receiver.answerWith({ status, ...(status === 204 ? {} : { body: 'heard' }) });
      const result = await testOutbound(t).send(receiver.url);
      assertStatus(result, status);
      assert.ok(result.durationMs >= 0 && result.durationMs < 5_000);
      assert.deepEqual(result, {
        statusCode: status,
        retryAfter: null,
        bodyExcerpt: status === 204 ? '' : 'heard',
        durationMs: result.durationMs,
      });
    });
  }

  it('does not follow a redirect: its target sees nothing', async (t) => {
    const target = await startWebhookReceiver(t);
    const receiver = await startWebhookReceiver(t);
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answerWith({ status, headers: { location: `${target.url}/inside` } });
      assertStatus(await testOutbound(t).send(receiver.url), status);
    }
    assert.equal(target.accepted(), 0);
    assert.equal(receiver.requests.length, 5);
  });

  it('reports when the receiver wants a retry', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 503, headers: { 'retry-after': '120' } });
    const result = await testOutbound(t).send(receiver.url);
    assert.equal('retryAfter' in result && result.retryAfter, '120');
  });

  it('reports the final response, not interim ones', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith((_request, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      return { status: 202 };
    });
    assertStatus(await testOutbound(t).send(receiver.url), 202);
  });

  it('keeps no cookie', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ headers: { 'set-cookie': 'a=b' } });
    const outbound = testOutbound(t);
    await outbound.send(receiver.url);
    await outbound.send(receiver.url);
    assert.equal(receiver.requests[1]?.headers.cookie, undefined);
  });

  it('keeps 1 KiB of the response as text that every database accepts', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const outbound = testOutbound(t);
    const excerptOf = async (body: Buffer | string, headers = {}) => {
      receiver.answerWith({ body, headers });
      const result = await outbound.send(receiver.url);
      return 'bodyExcerpt' in result ? result.bodyExcerpt : result;
    };
    assert.equal(await excerptOf('x'.repeat(5_000)), 'x'.repeat(1_024));
    assert.equal(await excerptOf(`${'x'.repeat(1_023)}\u20ac`), 'x'.repeat(1_023), 'no half characters');
    assert.equal(await excerptOf('a\u0000b\u001b[31m\r\n\tc'), 'a\ufffdb\ufffd[31m\r\n\tc');
    assert.equal(await excerptOf(Buffer.from([0x61, 0xff, 0xfe, 0x62])), 'a\ufffd\ufffdb');
    assert.equal(await excerptOf(gzipSync('packed'), { 'content-encoding': 'gzip' }), '', 'not unpacked');
  });

  it('reuses an open connection', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const outbound = testOutbound(t);
    for (let n = 0; n < 5; n += 1) assertStatus(await outbound.send(`${receiver.url}/${n}`), 200);
    assert.equal(receiver.accepted(), 1);
  });

  it('uses a new connection if the receiver has closed the last', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ headers: { connection: 'close' } });
    const outbound = testOutbound(t);
    for (let n = 0; n < 3; n += 1) assertStatus(await outbound.send(receiver.url), 200);
    assert.equal(receiver.accepted(), 3);
    await until('the origin is forgotten', () => outbound.origins() === 0);
  });
});

describe('A webhook over a reused connection', () => {
  /** Answers the first request on each of that many connections, and closes on every other one without a response. */
  async function startImpatientReceiver(t: CleansUp, answered: number) {
    const receiver = await startWebhookReceiver(t);
    const sockets: (Socket | null)[] = [];
    const requests: string[] = [];
    receiver.answerWith(({ path }, { socket }) => {
      const isFirst = !sockets.includes(socket);
      if (isFirst) sockets.push(socket);
      const connection = sockets.indexOf(socket) + 1;
      requests.push(`${connection} ${path}`);
      if (isFirst && connection <= answered) return { status: 200 };
      socket?.end();
      return undefined;
    });
    return { requests, url: receiver.url };
  }

  it('is sent again over a new one if the receiver closes it without a response', async (t) => {
    const receiver = await startImpatientReceiver(t, 3);
    const outbound = testOutbound(t, { connectionsPerOrigin: 1 });
    for (const path of ['/a', '/b', '/c']) assertStatus(await outbound.send(receiver.url + path), 200);
    assert.deepEqual(receiver.requests, ['1 /a', '1 /b', '2 /b', '2 /c', '3 /c']);
  });

  it('is sent again only once', async (t) => {
    const receiver = await startImpatientReceiver(t, 1);
    const outbound = testOutbound(t);
    assertStatus(await outbound.send(`${receiver.url}/a`), 200);
    assertError(await outbound.send(`${receiver.url}/b`), 'connection_reset');
    assertError(await outbound.send(`${receiver.url}/c`), 'connection_reset');
    assert.deepEqual(receiver.requests, ['1 /a', '1 /b', '2 /b', '3 /c']);
    await until('the origin is forgotten', () => outbound.origins() === 0);
  });

  it('is not sent again if the response was cut short', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const outbound = testOutbound(t);
    assertStatus(await outbound.send(receiver.url), 200);
    receiver.answerWith((_request, response) => {
      response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nthe first half');
      return undefined;
    });
    assertError(await outbound.send(receiver.url), 'connection_reset');
    assert.equal(receiver.requests.length, 2);
  });
});

describe('A webhook without a response', () => {
  it('reports that the connection was refused', async (t) => {
    assertError(await testOutbound(t).send(`http://127.0.0.1:${await freePort()}/`), 'connection_refused');
  });

  it('reports that the connection was reset, before the response and in the middle of it', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith((_request, response) => {
      response.socket?.resetAndDestroy();
      return undefined;
    }, '/before');
    receiver.answerWith(async (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      await new Promise((written) => response.write('the first half', written));
      response.socket?.resetAndDestroy();
      return undefined;
    }, '/middle');
    receiver.answerWith((_request, response) => {
      response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nthe first half');
      return undefined;
    }, '/ended');
    const outbound = testOutbound(t);
    for (const path of ['/before', '/middle', '/ended']) {
      assertError(await outbound.send(receiver.url + path), 'connection_reset');
    }
  });

  it('reports that the response is not HTTP', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const outbound = testOutbound(t);
    for (const text of [
      'SSH-2.0-OpenSSH_9.9\r\n',
      'HTTP/1.1 abc\r\n\r\n',
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ]) {
      receiver.answerWith((_request, response) => {
        response.socket?.end(text);
        return undefined;
      });
      assertError(await outbound.send(receiver.url), 'response_invalid');
    }
  });

  it('reveals no address and no raw system error', async (t) => {
    const result = await testOutbound(t).send(`http://127.0.0.1:${await freePort()}/`);
    assert.ok('message' in result);
    assert.doesNotMatch(result.message, /127\.0|ECONN/);
  });
});

describe('The connections to a receiver', () => {
  it('are bounded; further requests wait their turn, in order', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const outbound = testOutbound(t, { connectionsPerOrigin: 2 });
    const paths = Array.from({ length: 10 }, (_, n) => `/${n}`);
    const results = await Promise.all(paths.map((path) => outbound.send(receiver.url + path)));
    for (const result of results) assertStatus(result, 200);
    assert.equal(receiver.accepted(), 2);
    assert.deepEqual(receiver.requests.map(({ path }) => path).sort(), paths);
  });

  it('are renewed after a time, however busy they are', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const outbound = testOutbound(t, { connectionAgeMs: 0 });
    for (let n = 0; n < 3; n += 1) assertStatus(await outbound.send(receiver.url), 200);
    assert.equal(receiver.accepted(), 3);
  });

  it('are closed when unused, and the receiver is forgotten', async (t) => {
    const receivers = await Promise.all(Array.from({ length: 5 }, () => startWebhookReceiver(t)));
    const outbound = testOutbound(t);
    for (const { url } of receivers) await outbound.send(url);
    assert.equal(outbound.origins(), 5);
    await until('all are closed', () => receivers.every((receiver) => receiver.open() === 0));
    assert.equal(outbound.origins(), 0);
  });

  it('are closed, the longest idle first, if too many are idle', async (t) => {
    const receivers = await Promise.all(Array.from({ length: 4 }, () => startWebhookReceiver(t)));
    const outbound = testOutbound(t, { idleConnections: 2 });
    for (const { url } of receivers) await outbound.send(url);
    assert.equal(outbound.origins(), 2);
    await until('the first two are closed', () => receivers.slice(0, 2).every((receiver) => receiver.open() === 0));
    assert.deepEqual(
      receivers.slice(2).map((receiver) => receiver.open()),
      [1, 1],
    );
  });

  it('are not delayed by a hanging receiver', async (t) => {
    const hanging = await startWebhookReceiver(t);
    hanging.answerWith(() => new Promise(() => {}));
    const quick = await startWebhookReceiver(t);
    const outbound = testOutbound(t, { timeoutMs: 1_000, waitMs: 300, connectionsPerOrigin: 4 });
    const late = Array.from({ length: 20 }, () => outbound.send(hanging.url));
    for (let n = 0; n < 20; n += 1) {
      const result = await outbound.send(quick.url);
      assertStatus(result, 200);
      assert.ok(result.durationMs < 900);
    }
    const codes = (await Promise.all(late)).map((result) => ('error' in result ? result.error : result.statusCode));
    assert.equal(codes.filter((code) => code === 'timeout').length, 4);
    assert.equal(codes.filter((code) => code === 'busy').length, 16, 'these were never sent');
    assert.equal(hanging.requests.length, 4);
  });
});
