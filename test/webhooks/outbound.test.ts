// The one door out, with receivers that answer: what is sent, what is told of the answer, which failures have a name.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { assertError, assertStatus, openDoor } from './doors.ts';

describe('A webhook that is sent', () => {
  it('arrives as a POST with exactly its bytes, its headers and our name', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const door = openDoor(t);
    const body = Buffer.from('{"note":"\u00fc\u20ac\u0000"}\n');
    const headers = { 'content-type': 'application/json', 'service-signature': 't=1,v1=ab' };
    assertStatus(await door.post({ url: `${receiver.url}/hooks/a?b=c%20d`, livemode: false, headers, body }), 200);
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
    it(`tells of an answer of ${status}, how long it took and how it begins`, async (t) => {
      const receiver = await startWebhookReceiver(t);
      receiver.answerWith({ status, ...(status === 204 ? {} : { body: 'heard' }) });
      const result = await openDoor(t).send(receiver.url);
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
      assertStatus(await openDoor(t).send(receiver.url), status);
    }
    assert.equal(target.accepted(), 0);
    assert.equal(receiver.requests.length, 5);
  });

  it('tells when the receiver wants to be asked again', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 503, headers: { 'retry-after': '120' } });
    const result = await openDoor(t).send(receiver.url);
    assert.equal('retryAfter' in result && result.retryAfter, '120');
  });

  it('counts the last answer, not those on the way', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith((_request, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      return { status: 202 };
    });
    assertStatus(await openDoor(t).send(receiver.url), 202);
  });

  it('keeps no cookie', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ headers: { 'set-cookie': 'a=b' } });
    const door = openDoor(t);
    await door.send(receiver.url);
    await door.send(receiver.url);
    assert.equal(receiver.requests[1]?.headers.cookie, undefined);
  });

  it('keeps 1 KiB of the answer as text that every database takes', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const door = openDoor(t);
    const excerptOf = async (body: Buffer | string, headers = {}) => {
      receiver.answerWith({ body, headers });
      const result = await door.send(receiver.url);
      return 'bodyExcerpt' in result ? result.bodyExcerpt : result;
    };
    assert.equal(await excerptOf('x'.repeat(5_000)), 'x'.repeat(1_024));
    assert.equal(await excerptOf(`${'x'.repeat(1_023)}\u20ac`), 'x'.repeat(1_023), 'no half characters');
    assert.equal(await excerptOf('a\u0000b\u001b[31m\r\n\tc'), 'a\ufffdb\ufffd[31m\r\n\tc');
    assert.equal(await excerptOf(Buffer.from([0x61, 0xff, 0xfe, 0x62])), 'a\ufffd\ufffdb');
    assert.equal(await excerptOf(gzipSync('packed'), { 'content-encoding': 'gzip' }), '', 'not unpacked');
  });

  it('goes over a connection that is there already', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const door = openDoor(t);
    for (let n = 0; n < 5; n += 1) assertStatus(await door.send(`${receiver.url}/${n}`), 200);
    assert.equal(receiver.accepted(), 1);
  });

  it('gets a new connection where the receiver has closed the last', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ headers: { connection: 'close' } });
    const door = openDoor(t);
    for (let n = 0; n < 3; n += 1) assertStatus(await door.send(receiver.url), 200);
    assert.equal(receiver.accepted(), 3);
    await until('nothing is remembered of it', () => door.origins() === 0);
  });
});

describe('A webhook that gets no answer', () => {
  it('says that the connection was refused', async (t) => {
    assertError(await openDoor(t).send(`http://127.0.0.1:${await freePort()}/`), 'connection_refused');
  });

  it('says that the connection was reset, before the answer and in its middle', async (t) => {
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
    const door = openDoor(t);
    for (const path of ['/before', '/middle', '/ended']) {
      assertError(await door.send(receiver.url + path), 'connection_reset');
    }
  });

  it('says that the answer is not HTTP', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const door = openDoor(t);
    for (const text of [
      'SSH-2.0-OpenSSH_9.9\r\n',
      'HTTP/1.1 abc\r\n\r\n',
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ]) {
      receiver.answerWith((_request, response) => {
        response.socket?.end(text);
        return undefined;
      });
      assertError(await door.send(receiver.url), 'response_invalid');
    }
  });

  it('names no address and no raw error of the system', async (t) => {
    const result = await openDoor(t).send(`http://127.0.0.1:${await freePort()}/`);
    assert.ok('message' in result);
    assert.doesNotMatch(result.message, /127\.0|ECONN/);
  });
});

describe('The connections to a receiver', () => {
  it('are bounded; the rest wait their turn, in order', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const door = openDoor(t, { connectionsPerOrigin: 2 });
    const paths = Array.from({ length: 10 }, (_, n) => `/${n}`);
    const results = await Promise.all(paths.map((path) => door.send(receiver.url + path)));
    for (const result of results) assertStatus(result, 200);
    assert.equal(receiver.accepted(), 2);
    assert.deepEqual(receiver.requests.map(({ path }) => path).sort(), paths);
  });

  it('are renewed after a time, however busy they are', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const door = openDoor(t, { connectionAgeMs: 0 });
    for (let n = 0; n < 3; n += 1) assertStatus(await door.send(receiver.url), 200);
    assert.equal(receiver.accepted(), 3);
  });

  it('are forgotten when they are not used, and so is the receiver', async (t) => {
    const receivers = await Promise.all(Array.from({ length: 5 }, () => startWebhookReceiver(t)));
    const door = openDoor(t);
    for (const { url } of receivers) await door.send(url);
    assert.equal(door.origins(), 5);
    await until('all are closed', () => receivers.every((receiver) => receiver.open() === 0));
    assert.equal(door.origins(), 0);
  });

  it('are closed, the longest idle first, where too many are idle', async (t) => {
    const receivers = await Promise.all(Array.from({ length: 4 }, () => startWebhookReceiver(t)));
    const door = openDoor(t, { idleConnections: 2 });
    for (const { url } of receivers) await door.send(url);
    assert.equal(door.origins(), 2);
    await until('the first two are closed', () => receivers.slice(0, 2).every((receiver) => receiver.open() === 0));
    assert.deepEqual(
      receivers.slice(2).map((receiver) => receiver.open()),
      [1, 1],
    );
  });

  it('are not held up by a receiver that hangs', async (t) => {
    const hanging = await startWebhookReceiver(t);
    hanging.answerWith(() => new Promise(() => {}));
    const quick = await startWebhookReceiver(t);
    const door = openDoor(t, { timeoutMs: 1_000, waitMs: 300, connectionsPerOrigin: 4 });
    const late = Array.from({ length: 20 }, () => door.send(hanging.url));
    for (let n = 0; n < 20; n += 1) {
      const result = await door.send(quick.url);
      assertStatus(result, 200);
      assert.ok(result.durationMs < 900);
    }
    const codes = (await Promise.all(late)).map((result) => ('error' in result ? result.error : result.statusCode));
    assert.equal(codes.filter((code) => code === 'timeout').length, 4);
    assert.equal(codes.filter((code) => code === 'busy').length, 16, 'these were never sent');
    assert.equal(hanging.requests.length, 4);
  });
});
