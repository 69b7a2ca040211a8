// HTTP itself: paths and methods that there are not, HEAD, and requests that are no HTTP at all.

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

  it('gets an error in the same shape, with the right status', async () => {
    const close = 'Connection: close\r\n\r\n';
    const noise: readonly (readonly [bytes: string, status: number, reason: string, code: string])[] = [
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
    for (const [bytes, status, reason, code] of noise) {
      const answer = parseOnlyResponse(await sendRaw(paydesk().url, bytes));
      assert.equal(answer.status, status, bytes.slice(0, 60));
      assert.equal(answer.reason, reason);
      const { error } = JSON.parse(answer.body) as { error: Record<string, string> };
      assert.equal(error.code, code, bytes.slice(0, 60));
      assert.match(answer.header('request-id') ?? '', /^req_/);
      assert.equal(error.request_id, answer.header('request-id'));
      assert.match(answer.header('connection') ?? '', /close/);
      const lines = paydesk()
        .logLines()
        .filter(({ requestId }) => requestId === error.request_id);
      assert.deepEqual(
        lines.map((line) => [line.level, line.status, line.address]),
        [['info', status, '127.0.0.1']],
      );
    }
  });

  it('is asked for its body only where it speaks HTTP/1.1', async () => {
    const { test } = await paydesk().newMerchant();
    const body = '{"amount":1250,"currency":"EUR"}';
    const headers = `Authorization: Bearer ${test.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const heard = await sendRaw(
      paydesk().url,
      `POST /checkout-sessions HTTP/1.0\r\nExpect: 100-continue\r\n${headers}\r\n\r\n${body}`,
    );
    assert.match(heard, /^HTTP\/1\.1 201 /);
  });
});

describe('A request that does not arrive whole in time', () => {
  const limits = { requestMs: 200 };
  const route = {
    method: 'POST',
    path: '/',
    handle: async (request: HttpRequest) => {
      await request.body();
      return { status: 200, headers: {}, body: '' };
    },
  };

  it('gets 408, whatever is missing of it', async (t) => {
    const { url } = await serveRoutes(t, [route], limits);
    const parts = [
      'POST / HTTP/1.1\r\nHost:',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nfullPOST / HTTP/1.1\r\nHost: x\r\n',
    ];
    const heard = await Promise.all(parts.map((bytes) => sendRaw(url, bytes)));
    for (const text of heard) {
      const answer = parseResponses(text).at(-1);
      assert.equal(answer?.status, 408);
      assert.equal(answer.reason, 'Request Timeout');
      const { error } = JSON.parse(answer.body) as { error: Record<string, string> };
      assert.equal(error.code, 'request_timeout');
      assert.equal(error.request_id, answer.header('request-id'));
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

  it('that cannot be sent becomes a 500 in the log and for the client, and the connection lives on', async (t) => {
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
    const answers = parseResponses(await sendRaw(url, requests.join('')));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [500, 500, 500, 500, 200],
    );
    assert.equal(JSON.parse(answers[0]?.body ?? '').error.code, 'internal_error');
    assert.equal(answers[1]?.body, '<p>sorry');
    assert.equal(JSON.parse(answers[2]?.body ?? '').error.code, 'internal_error');
    for (const answer of answers) assert.match(answer.header('request-id') ?? '', /^req_/);
    assert.ok(streams[0]?.destroyed);
    assert.equal(
      logLines().filter(({ level }) => level === 'error').length,
      5,
      'each, and the page that was no better',
    );
    assert.match(await metrics(), /route="\/page",status="500".*\} 1/);
  });

  it('can have several headers of one name', async (t) => {
    const cookies = ['a=1; HttpOnly', 'b=2; HttpOnly'];
    const { url } = await serveRoutes(t, [replying({ status: 200, headers: { 'Set-Cookie': cookies }, body: '' })]);
    assert.deepEqual((await fetch(url)).headers.getSetCookie(), cookies);
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
