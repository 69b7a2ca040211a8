// The door to providers, against real servers that are silent, slow, broken, oversized or redirecting.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AcquirerSilent } from '../../src/acquirers/acquirer.ts';
import type { Door } from '../../src/acquirers/door.ts';
import { createHttpDoor, type HttpDoorOptions } from '../../src/acquirers/http-door.ts';
import { makeCertificate } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

function openDoor(t: TestContext, options: Partial<HttpDoorOptions> = {}): Door {
  const door = createHttpDoor({ userAgent: 'Paydesk/test', ...options });
  t.after(() => door.close());
  return door;
}

const get = (url: string) => ({ method: 'GET', url, headers: {} }) as const;

async function assertSilent(answer: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(answer, (error: unknown) => {
    assert.ok(error instanceof AcquirerSilent, String(error));
    assert.match(error.message, message);
    return true;
  });
}

/** A server that sends `start` and then nothing more. */
async function stalling(t: TestContext, start: string): Promise<WebhookReceiver> {
  const server = await startWebhookReceiver(t);
  server.answerWith((_request, response) => {
    response.socket?.write(start);
    return undefined;
  });
  return server;
}

describe('The door to a provider', () => {
  it('sends exactly the request, and returns status, headers in lower case and the body', async (t) => {
    const server = await startWebhookReceiver(t);
    server.answerWith({ status: 402, headers: { 'Request-Id': 'req_1' }, body: '{"a":"ü"}' });
    const door = openDoor(t);
    const response = await door.send({
      method: 'POST',
      url: `${server.url}/v1/refunds?x=y`,
      headers: { authorization: 'Bearer sk_test_1', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'amount=5',
    });
    assert.equal(response.status, 402);
    assert.equal(response.headers['request-id'], 'req_1');
    assert.equal(response.body, '{"a":"ü"}');
    const [request] = server.requests;
    assert.equal(request?.method, 'POST');
    assert.equal(request?.path, '/v1/refunds?x=y');
    assert.equal(request?.headers.authorization, 'Bearer sk_test_1');
    assert.equal(request?.headers['user-agent'], 'Paydesk/test');
    assert.equal(request?.body.toString(), 'amount=5');
  });

  it('keeps its connections for the next requests', async (t) => {
    const server = await startWebhookReceiver(t);
    const door = openDoor(t);
    for (let i = 0; i < 10; i += 1) await door.send(get(server.url));
    // A second one is opened while the first still finishes a response.
    assert.ok(server.accepted() <= 2, `${server.accepted()} connections`);
  });

  it('opens no more connections than allowed, and lets the other requests wait', async (t) => {
    const server = await startWebhookReceiver(t);
    const door = openDoor(t, { connections: 2 });
    await Promise.all(Array.from({ length: 8 }, () => door.send(get(server.url))));
    assert.equal(server.requests.length, 8);
    assert.ok(server.accepted() <= 2);
  });

  it('does not follow a redirect: its target sees nothing', async (t) => {
    const target = await startWebhookReceiver(t);
    const server = await startWebhookReceiver(t);
    server.answerWith({ status: 307, headers: { location: `${target.url}/elsewhere` } });
    assert.equal((await openDoor(t).send(get(server.url))).status, 307);
    assert.equal(target.accepted(), 0);
  });

  it('uses no proxy of the environment', async (t) => {
    const proxy = await startWebhookReceiver(t);
    const server = await startWebhookReceiver(t);
    const before = { ...process.env };
    t.after(() => {
      process.env = before;
    });
    process.env = { ...before, HTTP_PROXY: proxy.url, http_proxy: proxy.url, NODE_USE_ENV_PROXY: '1' };
    assert.equal((await openDoor(t).send(get(server.url))).status, 200);
    assert.equal(proxy.accepted(), 0);
  });

  it('refuses http to any other machine, before anything is sent', async (t) => {
    for (const url of ['http://api.stripe.com/v1', 'http://10.0.0.1/', 'ftp://127.0.0.1/', 'http://127.0.0.1.example/'])
      await assert.rejects(openDoor(t).send(get(url)), TypeError, url);
  });
});

describe('The door reports silence', () => {
  it('when the name server never answers, and looks the name up again for the next request', async (t) => {
    const server = await startWebhookReceiver(t);
    const { port } = new URL(server.url);
    let isSilent = true;
    const resolve = (): Promise<string[]> => (isSilent ? new Promise<never>(() => {}) : Promise.resolve(['127.0.0.1']));
    const door = openDoor(t, { timeoutMs: 100, connections: 1, resolve });
    const url = `http://localhost:${port}/`;
    await assertSilent(door.send(get(url)), /did not respond within 100 ms|no complete response/);
    isSilent = false;
    await until('it works again', () =>
      door.send(get(url)).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });

  it('when the name does not exist', async (t) => {
    const door = openDoor(t, { resolve: async () => [] });
    await assertSilent(door.send(get('http://localhost:1/')), /no complete response/);
  });

  it('when the server accepts the request and never responds', async (t) => {
    const server = await stalling(t, '');
    await assertSilent(openDoor(t, { timeoutMs: 50 }).send(get(server.url)), /did not respond within 50 ms/);
    await until('the connection is closed', () => server.open() === 0);
  });

  it('when the body stops halfway', async (t) => {
    const server = await stalling(t, 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":');
    await assertSilent(openDoor(t, { timeoutMs: 100 }).send(get(server.url)), /did not respond within 100 ms/);
    await until('the connection is closed', () => server.open() === 0);
  });

  it('when a slow body keeps trickling beyond the deadline', async (t) => {
    const server = await startWebhookReceiver(t);
    server.answerWith((_request, response) => {
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
      return undefined;
    });
    await assertSilent(openDoor(t, { timeoutMs: 150 }).send(get(server.url)), /did not respond within 150 ms/);
  });

  it('when waiting for a free connection takes longer than the deadline', async (t) => {
    const server = await stalling(t, '');
    const door = openDoor(t, { timeoutMs: 100, connections: 1 });
    const answers = [door.send(get(server.url)), door.send(get(server.url))];
    for (const answer of answers) await assertSilent(answer, /did not respond/);
  });

  it('when the connection is reset before or during the response', async (t) => {
    const server = await startWebhookReceiver(t);
    server.answerWith((_request, response) => {
      response.socket?.resetAndDestroy();
      return undefined;
    });
    await assertSilent(openDoor(t).send(get(server.url)), /no complete response/);
    server.answerWith((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id":', () => response.socket?.resetAndDestroy());
      return undefined;
    });
    await assertSilent(openDoor(t).send(get(server.url)), /no complete response/);
    // Nothing is repeated by itself.
    assert.equal(server.requests.length, 2);
  });

  it('when nothing listens there, or it does not speak HTTP', async (t) => {
    await assertSilent(openDoor(t).send(get(`http://127.0.0.1:${await freePort()}`)), /ECONNREFUSED/);
    const server = await stalling(t, 'SSH-2.0-OpenSSH_9.6\r\n');
    await assertSilent(openDoor(t).send(get(server.url)), /no complete response/);
  });

  it('when the response has more bytes than the limit, with or without an announcement', async (t) => {
    const server = await startWebhookReceiver(t);
    const door = openDoor(t, { maxResponseBytes: 1_000 });
    server.answerWith({ body: 'x'.repeat(1_000) });
    assert.equal((await door.send(get(server.url))).body.length, 1_000);
    server.answerWith({ body: 'x'.repeat(1_001) });
    await assertSilent(door.send(get(server.url)), /more than 1000 bytes/);
    server.answerWith((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(500)), 1);
      response.on('close', () => clearInterval(timer));
      return undefined;
    });
    await assertSilent(door.send(get(server.url)), /more than 1000 bytes/);
    await until('the connections are closed', () => server.open() <= 1);
  });

  it('when the certificate is unknown or of another name, even if the environment accepts any', async (t) => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    t.after(() => {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    });
    const right = makeCertificate('IP:127.0.0.1');
    const server = await startWebhookReceiver(t, { tls: right });
    await assertSilent(openDoor(t).send(get(server.url)), /SELF_SIGNED|UNABLE_TO/);
    assert.equal((await openDoor(t, { extraCa: [right.cert] }).send(get(server.url))).status, 200);
    const wrong = makeCertificate('DNS:other.example');
    const other = await startWebhookReceiver(t, { tls: wrong });
    await assertSilent(openDoor(t, { extraCa: [wrong.cert] }).send(get(other.url)), /ALTNAME/);
  });

  it('after it was closed, but finishes what is in progress', async (t) => {
    const server = await startWebhookReceiver(t);
    const release = Promise.withResolvers<void>();
    server.answerWith(async () => {
      await release.promise;
      return { body: 'done' };
    });
    const door = openDoor(t);
    const answer = door.send(get(server.url));
    await until('the request has arrived', () => server.requests.length === 1);
    const closed = door.close();
    await assertSilent(door.send(get(server.url)), /closed/);
    release.resolve();
    assert.equal((await answer).body, 'done');
    await closed;
  });
});
