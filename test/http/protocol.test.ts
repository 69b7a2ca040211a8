// HTTP itself: paths and methods that there are not, HEAD, and requests that are no HTTP at all.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { it } from 'node:test';
import { apiClient, assertRefused, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

/** Sends bytes as they are, and reads until the server closes. */
async function speak(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let heard = '';
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  socket.setTimeout(5_000, () => socket.destroy(new Error(`no end of the answer: ${heard}`)));
  socket.on('data', (chunk) => {
    heard += chunk.toString();
  });
  socket.on('error', reject);
  socket.on('end', () => resolve(heard));
  return promise;
}

describeOnEachEngine('A path that does not exist', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('is answered with route_not_found, with a key or without', async () => {
    const { test } = await paydesk().newMerchant();
    const nobody = apiClient({ url: paydesk().url, key: '' });
    const paths = ['/nothing', '/v1/checkout-sessions', '/Checkout-Sessions', '/me/x', '//me'];
    for (const path of [...paths, '/checkout-sessions/cs_1/pay', '/payment-intents/pi_1/cancel/again']) {
      for (const api of [test, nobody]) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          assertRefused(await api.send(method, path), { status: 404, code: 'route_not_found' });
        }
      }
    }
  });

  it('may be no valid path at all: the answer still has its request id', async () => {
    const { test } = await paydesk().newMerchant();
    for (const path of ['/checkout-sessions/%zz', '/%', '/payment-intents/%c3%28', '/checkout-sessions/%ff']) {
      assert.equal((await test.get(path)).status, 404, path);
    }
  });
});

describeOnEachEngine('A method that a path does not take', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('is answered with 405 and what it takes', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { id, payment_intent } = await newSession();
    const takes: Record<string, string> = {
      '/checkout-sessions': 'GET, HEAD, POST',
      [`/checkout-sessions/${id}`]: 'GET, HEAD, PATCH',
      [`/checkout-sessions/${id}/expire`]: 'POST',
      '/payment-intents': 'GET, HEAD',
      [`/payment-intents/${payment_intent}`]: 'GET, HEAD',
      [`/payment-intents/${payment_intent}/cancel`]: 'POST',
      '/me': 'GET, HEAD',
      '/healthz': 'GET, HEAD',
      '/openapi.json': 'GET, HEAD',
    };
    for (const [path, allowed] of Object.entries(takes)) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (allowed.split(', ').includes(method)) continue;
        const answer = await test.send(method, path);
        assert.equal(answer.status, 405, `${method} ${path}`);
        assert.equal(answer.headers.get('allow'), allowed, `${method} ${path}`);
        if (method !== 'HEAD') assert.equal(answer.error.code, 'method_not_allowed');
      }
    }
    assert.equal(must(200, await test.get(`/checkout-sessions/${id}`)).status, 'open');
  });
});

describeOnEachEngine('HEAD', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('answers as GET does, without the body', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { id } = await newSession();
    const paths = [`/checkout-sessions/${id}`, '/payment-intents', '/me', '/healthz', '/checkout-sessions/cs_none'];
    for (const path of paths) {
      const got = await test.get(path);
      const head = await test.send('HEAD', path);
      assert.equal(head.status, got.status, path);
      assert.equal(head.text, '');
      assert.equal(head.headers.get('content-length'), got.headers.get('content-length'), path);
      assert.match(head.headers.get('request-id') ?? '', /^req_/);
    }
  });
});

describeOnEachEngine('What is no HTTP request', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('gets an error in the same shape', async () => {
    const noise = [
      'nonsense\r\n\r\n',
      'FOO /me HTTP/1.1\r\nHost: x\r\n\r\n',
      `GET /me HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'POST /me HTTP/1.1\r\nHost: x\r\nContent-Length: nine\r\n\r\n',
    ];
    for (const bytes of noise) {
      const heard = await speak(paydesk().url, bytes);
      const [head = '', body = ''] = heard.split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 4\d\d /, bytes.slice(0, 60));
      const [, id] = /^request-id: (req_\w+)\r?$/im.exec(head) ?? [];
      const { error } = JSON.parse(body) as { error: Record<string, string> };
      assert.equal(error.type, 'invalid_request_error');
      assert.equal(error.request_id, id);
    }
  });
});

describeOnEachEngine('Every answer', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('has a request id of its own, which is not taken from the client, and the log line has the same', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { id } = await newSession();
    const headers = { 'Request-Id': 'req_chosen', 'X-Request-Id': 'req_chosen' };
    const answers = [
      await test.get(`/checkout-sessions/${id}`, { headers }),
      await test.get('/checkout-sessions/cs_none', { headers }),
      await test.post('/checkout-sessions', {}, { headers }),
      await test.get('/nothing', { headers }),
      await apiClient({ url: paydesk().url, key: '' }).get('/me', { headers }),
    ];
    const ids = answers.map((answer) => answer.headers.get('request-id') ?? '');
    assert.equal(new Set(ids).size, answers.length);
    const logged = paydesk().logLines();
    for (const [at, answer] of answers.entries()) {
      assert.match(ids[at] ?? '', /^req_[0-9a-z]{26,}$/);
      if (answer.status >= 400) assert.equal(answer.error.request_id, ids[at]);
      const lines = logged.filter(({ requestId }) => requestId === ids[at]);
      assert.equal(lines.length, 1, `one log line of ${ids[at]}`);
      assert.equal(lines[0]?.status, answer.status);
      assert.equal(lines[0]?.level, 'info');
    }
  });

  it('is not to be cached or sniffed', async () => {
    const { test } = await paydesk().newMerchant();
    for (const path of ['/me', '/checkout-sessions/cs_none', '/nothing']) {
      const { headers } = await test.get(path);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/);
    }
  });
});
