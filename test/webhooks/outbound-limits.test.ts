// A receiver cannot make the sender wait beyond the deadline, read without end, or keep anything open.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { startProgram } from '../support/child-process.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { assertError, assertStatus, testOutbound } from './test-outbound.ts';

const timeoutMs = 400;
/** The deadline, plus what a busy machine may add to it. */
const atMostMs = timeoutMs + 1_000;
const never = () => new Promise<never>(() => {});

/** Writes until the other side hangs up. */
function endlessly(response: ServerResponse, chunk: string, everyMs: number): void {
  const timer = setInterval(() => response.socket?.write(chunk), everyMs);
  response.socket?.on('close', () => clearInterval(timer));
}

/** A server that accepts connections and never sends anything. */
async function startSilentServer(t: TestContext): Promise<{ port: number; open(): number; accepted(): number }> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.resume().on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, open: () => sockets.size, accepted: () => accepted };
}

describe('The deadline', () => {
  it('ends a request without a response, and the receiver sees the connection close', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith(never);
    const result = await testOutbound(t, { timeoutMs }).send(receiver.url);
    assertError(result, 'timeout');
    assert.ok(result.durationMs >= timeoutMs - 5 && result.durationMs < atMostMs, `${result.durationMs} ms`);
    assert.equal(receiver.accepted(), 1);
    await until('the connection is closed', () => receiver.open() === 0);
  });

  it('ends a response that begins in time and trickles on', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith((_request, response) => {
      response.writeHead(200).flushHeaders();
      endlessly(response, '1\r\nx\r\n', 20);
      return undefined;
    });
    const result = await testOutbound(t, { timeoutMs }).send(receiver.url);
    assertError(result, 'timeout');
    assert.ok(result.durationMs < atMostMs, `${result.durationMs} ms`);
    await until('the connection is closed', () => receiver.open() === 0);
  });

  it('ends headers that trickle, and interim responses without end', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const outbound = testOutbound(t, { timeoutMs });
    const starts = {
      '/headers': ['HTTP/1.1 200 OK\r\n', 'a: b\r\n'],
      '/interim': ['', 'HTTP/1.1 102 Processing\r\n\r\n'],
    };
    for (const [path, [start = '', more = '']] of Object.entries(starts)) {
      receiver.answerWith((_request, response) => {
        response.socket?.write(start);
        endlessly(response, more, 20);
        return undefined;
      }, path);
      assertError(await outbound.send(receiver.url + path), 'timeout');
    }
    await until('the connections are closed', () => receiver.open() === 0);
  });

  it('ends a TLS handshake without a response', async (t) => {
    const silentServer = await startSilentServer(t);
    const result = await testOutbound(t, { timeoutMs }).send(`https://127.0.0.1:${silentServer.port}/`);
    assertError(result, 'timeout');
    assert.equal(silentServer.accepted(), 1);
    await until('the connection is closed', () => silentServer.open() === 0);
  });

  it('ends a DNS look-up without a response', async (t) => {
    const result = await testOutbound(t, { timeoutMs, lookup: never }).send('http://shop.example/');
    assertError(result, 'timeout');
    assert.ok(result.durationMs < atMostMs);
  });

  it('covers all phases: a slow look-up leaves less time for the response', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    receiver.answerWith(async () => {
      await pause(timeoutMs * 0.7);
      return {};
    });
    const lookup = async () => {
      await pause(timeoutMs * 0.7);
      return ['127.0.0.1'];
    };
    const outbound = testOutbound(t, { timeoutMs, lookup });
    assertError(await outbound.send(`http://shop.example:${receiver.port}/`), 'timeout');
    assert.equal(receiver.requests.length, 1, 'it was sent');
  });
});

describe('An endless response', () => {
  it('is read up to 16 KiB, then dropped, and its status counts', async (t) => {
    const receiver = await startWebhookReceiver(t);
    let written = 0;
    receiver.answerWith((_request, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(4_096))) written += 4_096;
      };
      response.on('drain', more);
      more();
      return undefined;
    });
    const result = await testOutbound(t).send(receiver.url);
    assertStatus(result, 200);
    assert.ok('bodyExcerpt' in result && result.bodyExcerpt === 'x'.repeat(1_024));
    await until('the connection is closed', () => receiver.open() === 0);
    assert.ok(written < 16_777_216, `${written} bytes were buffered by the system and by us`);
  });

  it('with a huge Content-Length is not read either', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith((_request, response) => {
      response.writeHead(500, { 'content-length': '10000000000' });
      response.write('x'.repeat(20_000));
      return undefined;
    });
    assertStatus(await testOutbound(t).send(receiver.url), 500);
    await until('the connection is closed', () => receiver.open() === 0);
  });

  it('is invalid if it is all headers', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const starts = { '/many': 'HTTP/1.1 200 OK\r\n', '/one': 'HTTP/1.1 200 OK\r\nlong: ' };
    const outbound = testOutbound(t);
    for (const [path, start] of Object.entries(starts)) {
      receiver.answerWith((_request, response) => {
        response.socket?.write(start);
        endlessly(response, path === '/many' ? `a: ${'b'.repeat(1_000)}\r\n`.repeat(4) : 'x'.repeat(4_000), 1);
        return undefined;
      }, path);
      assertError(await outbound.send(receiver.url + path), 'response_invalid');
    }
    await until('the connections are closed', () => receiver.open() === 0);
  });
});

describe('Closing the outbound client', () => {
  it('waits for requests in progress, accepts nothing new and leaves no connection', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const released = Promise.withResolvers<void>();
    receiver.answerWith(async () => {
      await released.promise;
      return {};
    });
    const outbound = testOutbound(t);
    const inProgress = outbound.send(receiver.url);
    await until('the request has arrived', () => receiver.requests.length === 1);
    const closed = outbound.close();
    assertError(await outbound.send(receiver.url), 'closed');
    released.resolve();
    assertStatus(await inProgress, 200);
    await closed;
    await until('the connection is closed', () => receiver.open() === 0);
    assert.equal(outbound.origins(), 0);
  });

  it('leaves nothing that keeps a process alive, whatever went wrong before', async (t) => {
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith(never, '/hangs');
    const silentServer = await startSilentServer(t);
    const urls = [
      `${receiver.url}/`,
      `${receiver.url}/hangs`,
      `https://127.0.0.1:${silentServer.port}/`,
      `https://127.0.0.1:${receiver.port}/`,
      'http://10.0.0.1/',
      'http://nowhere.invalid/',
    ];
    const program = startProgram(new URL('programs/post-and-close.ts', import.meta.url), { urls, timeoutMs });
    assert.equal(await program.ended(), 0);
    assert.deepEqual(JSON.parse(program.lines[0] ?? '[]'), [
      200,
      'timeout',
      'timeout',
      'tls_failed',
      'address_refused',
      'dns_failed',
    ]);
    const [postedMs = 0, endedMs = 0] = (program.lines.slice(1).join(' ').match(/\d+/g) ?? []).map(Number);
    assert.ok(endedMs - postedMs < 2_000, 'it ends by itself, before any connection would have timed out');
  });
});
