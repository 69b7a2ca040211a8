// HTTP itself: unknown paths and methods, HEAD, and requests that are not HTTP at all.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { HttpReply, HttpRequest, Route } from '../../src/http/route.ts';
import { apiClient, assertRefused, must } from '../support/api-client.ts';
import { serveRoutes } from '../support/bare-http.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { parseOnlyResponse, parseResponses, sendRaw } from '../support/raw-http.ts';

describeOnEachEngine('A path that does not exist', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('returns route_not_found, with or without an API key', async () => {
    const { test } = await paydesk().newMerchant();
    const anonymous = apiClient({ url: paydesk().url, key: '' });
    const paths = ['/nothing', '/v1/checkout-sessions', '/Checkout-Sessions', '/me/x', '//me'];
    for (const path of [...paths, '/checkout-sessions/cs_1/pay', '/payment-intents/pi_1/cancel/again']) {
      for (const api of [test, anonymous]) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          assertRefused(await api.send(method, path), { status: 404, code: 'route_not_found' });
        }
      }
    }
  });

  it('may be malformed: the response still has a request id', async () => {
    const { test } = await paydesk().newMerchant();
    for (const path of ['/checkout-sessions/%zz', '/%', '/payment-intents/%c3%28', '/checkout-sessions/%ff']) {
      assert.equal((await test.get(path)).status, 404, path);
    }
  });
});

describeOnEachEngine('A method that a path does not support', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('gets 405 and the allowed methods', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { id, payment_intent } = await newSession();
    const allowedMethods: Record<string, string> = {
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
    for (const [path, allowed] of Object.entries(allowedMethods)) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (allowed.split(', ').includes(method)) continue;
        const response = await test.send(method, path);
        assert.equal(response.status, 405, `${method} ${path}`);
        assert.equal(response.headers.get('allow'), allowed, `${method} ${path}`);
        if (method !== 'HEAD') assert.equal(response.error.code, 'method_not_allowed');
      }
    }
    assert.equal(must(200, await test.get(`/checkout-sessions/${id}`)).status, 'open');
  });
});

describeOnEachEngine('HEAD', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('returns the same as GET, without the body', async () => {
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

describeOnEachEngine('A raw HTTP request', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('that is invalid gets an error in the usual format, with the right status', async () => {
    const close = 'Connection: close\r\n\r\n';
    const inputs: readonly (readonly [bytes: string, status: number, reason: string, code: string])[] = [
      ['nonsense\r\n\r\n', 400, 'Bad Request', 'parameter_invalid'],
      ['FOO /me HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad Request', 'parameter_invalid'],
      ['POST /me HTTP/1.1\r\nHost: x\r\nContent-Length: nine\r\n\r\n', 400, 'Bad Request', 'parameter_invalid'],
      [`GET /me HTTP/1.1\r\n${close}`, 400, 'Bad Request', 'parameter_invalid'],
      [
        `GET /me HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
        431,
        'Request Header Fields Too Large',
        'headers_too_large',
      ],
      [
        `GET /${'x'.repeat(200_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
        431,
        'Request Header Fields Too Large',
        'headers_too_large',
      ],
      [
        `POST /me HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\n${close}`,
        417,
        'Expectation Failed',
        'expectation_failed',
      ],
      ['CONNECT shop.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'Method Not Allowed', 'method_not_allowed'],
      [
        `GET /me HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n`,
        401,
        'Unauthorized',
        'api_key_missing',
      ],
    ];
    for (const [bytes, status, reason, code] of inputs) {
      const response = parseOnlyResponse(await sendRaw(paydesk().url, bytes));
      assert.equal(response.status, status, bytes.slice(0, 60));
      assert.equal(response.reason, reason);
      const { error } = JSON.parse(response.body) as { error: Record<string, string> };
      assert.equal(error.code, code, bytes.slice(0, 60));
      assert.match(response.header('request-id') ?? '', /^req_/);
      assert.equal(error.request_id, response.header('request-id'));
      assert.match(response.header('connection') ?? '', /close/);
      const lines = paydesk()
        .logLines()
        .filter(({ requestId }) => requestId === error.request_id);
      assert.deepEqual(
        lines.map((line) => [line.level, line.status, line.address]),
        [['info', status, '127.0.0.1']],
      );
    }
  });

  it('in HTTP/1.0 gets no 100 Continue', async () => {
    const { test } = await paydesk().newMerchant();
    const body = '{"amount":1250,"currency":"EUR"}';
    const headers = `Authorization: Bearer ${test.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const received = await sendRaw(
      paydesk().url,
      `POST /checkout-sessions HTTP/1.0\r\nExpect: 100-continue\r\n${headers}\r\n\r\n${body}`,
    );
    assert.match(received, /^HTTP\/1\.1 201 /);
  });
});

describe('A request that does not arrive completely in time', () => {
  const limits = { requestMs: 200 };
  const route = {
    method: 'POST',
    path: '/',
    handle: async (request: HttpRequest) => {
      await request.body();
      return { status: 200, headers: {}, body: '' };
    },
  };

  it('gets 408, whichever part is missing', async (t) => {
    const { url } = await serveRoutes(t, [route], limits);
    const parts = [
      'POST / HTTP/1.1\r\nHost:',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nfullPOST / HTTP/1.1\r\nHost: x\r\n',
    ];
    const received = await Promise.all(parts.map((bytes) => sendRaw(url, bytes)));
    for (const text of received) {
      const response = parseResponses(text).at(-1);
      assert.equal(response?.status, 408);
      assert.equal(response.reason, 'Request Timeout');
      const { error } = JSON.parse(response.body) as { error: Record<string, string> };
      assert.equal(error.code, 'request_timeout');
      assert.equal(error.request_id, response.header('request-id'));
    }
  });
});

describe('A reply', () => {
  const replying = (reply: HttpReply, fault?: Route['fault']): Route => ({
    method: 'GET',
    path: '/',
    handle: () => reply,
    ...(fault === undefined ? {} : { fault }),
  });

  it('that cannot be sent becomes a 500 in the log and for the client, and the connection stays open', async (t) => {
    const bad = { Location: 'https://shop.example/\u00fc\u2713', 'X-Line': 'a\r\nb' };
    const page: HttpReply = { status: 500, headers: { 'Content-Type': 'text/html' }, body: '<p>sorry' };
    const streams: Readable[] = [];
    const streaming = () => {
      const stream = new Readable({ read() {} });
      streams.push(stream);
      return { status: 200, headers: bad, body: '', stream };
    };
    const { url, logLines, metrics } = await serveRoutes(t, [
      replying({ status: 303, headers: bad, body: '' }),
      { ...replying({ status: 303, headers: bad, body: '' }, () => page), path: '/page' },
      { ...replying({ status: 303, headers: bad, body: '' }, () => ({ ...page, headers: bad })), path: '/worse' },
      { method: 'GET', path: '/stream', handle: streaming },
      { ...replying({ status: 200, headers: {}, body: 'fine' }), path: '/fine' },
    ]);
    const paths = ['/', '/page', '/worse', '/stream', '/fine'];
    const closing = (path: string): string => (path === '/fine' ? 'Connection: close\r\n' : '');
    const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${closing(path)}\r\n`);
    const responses = parseResponses(await sendRaw(url, requests.join('')));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [500, 500, 500, 500, 200],
    );
    assert.equal(JSON.parse(responses[0]?.body ?? '').error.code, 'internal_error');
    assert.equal(responses[1]?.body, '<p>sorry');
    assert.equal(JSON.parse(responses[2]?.body ?? '').error.code, 'internal_error');
    for (const response of responses) assert.match(response.header('request-id') ?? '', /^req_/);
    assert.ok(streams[0]?.destroyed);
    assert.equal(
      logLines().filter(({ level }) => level === 'error').length,
      5,
      'one each, and one for the error page that failed too',
    );
    assert.match(await metrics(), /route="\/page",status="500".*\} 1/);
  });

  it('can have several headers with the same name', async (t) => {
    const cookies = ['a=1; HttpOnly', 'b=2; HttpOnly'];
    const { url } = await serveRoutes(t, [replying({ status: 200, headers: { 'Set-Cookie': cookies }, body: '' })]);
    assert.deepEqual((await fetch(url)).headers.getSetCookie(), cookies);
  });
});

describeOnEachEngine('Every response', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('has its own request id, never one from the client, and the log line has the same', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { id } = await newSession();
    const headers = { 'Request-Id': 'req_chosen', 'X-Request-Id': 'req_chosen' };
    const responses = [
      await test.get(`/checkout-sessions/${id}`, { headers }),
      await test.get('/checkout-sessions/cs_none', { headers }),
      await test.post('/checkout-sessions', {}, { headers }),
      await test.get('/nothing', { headers }),
      await apiClient({ url: paydesk().url, key: '' }).get('/me', { headers }),
    ];
    const ids = responses.map((response) => response.headers.get('request-id') ?? '');
    assert.equal(new Set(ids).size, responses.length);
    const logged = paydesk().logLines();
    for (const [at, response] of responses.entries()) {
      assert.match(ids[at] ?? '', /^req_[0-9a-z]{26,}$/);
      if (response.status >= 400) assert.equal(response.error.request_id, ids[at]);
      const lines = logged.filter(({ requestId }) => requestId === ids[at]);
      assert.equal(lines.length, 1, `one log line for ${ids[at]}`);
      assert.equal(lines[0]?.status, response.status);
      assert.equal(lines[0]?.level, 'info');
    }
  });

  it('forbids caching and sniffing', async () => {
    const { test } = await paydesk().newMerchant();
    for (const path of ['/me', '/checkout-sessions/cs_none', '/nothing']) {
      const { headers } = await test.get(path);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/);
    }
  });
});
