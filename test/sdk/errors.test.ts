// Errors have a class and a code for programs, a message for people, and an id for the logs.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  Paydesk,
  PaydeskError,
  RateLimitError,
} from '../../sdk/src/paydesk.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { anyKey, clientOf, fakeTime, json, refused, rejectedWith, scripted } from './scene.ts';

const session = { amount: 1250, currency: 'EUR' };

describeOnEachEngine('An error returned by the service', (engine) => {
  const server = paydeskForSuite(engine);

  it('has its type, code, parameter, status and the request id from the logs', async () => {
    const paydesk = clientOf(server(), await server().newMerchant());
    const wrong = paydesk.checkoutSessions.create({ amount: -1, currency: 'EUR' });
    const error = await rejectedWith(InvalidRequestError, wrong);
    assert.ok(error instanceof PaydeskError && error instanceof Error);
    assert.equal(error.name, 'InvalidRequestError');
    assert.deepEqual(
      [error.type, error.code, error.param, error.statusCode],
      ['invalid_request_error', 'parameter_invalid', 'amount', 400],
    );
    assert.match(error.message, /`amount` must be at least 1/);
    const inLogs = JSON.stringify(server().logLines());
    assert.ok(error.requestId !== undefined && inLogs.includes(error.requestId));
  });

  it('has the class of its type', async () => {
    const merchant = await server().newMerchant();
    const paydesk = clientOf(server(), merchant);
    const idempotencyKey = randomUUID();
    const { id } = await paydesk.checkoutSessions.create(session, { idempotencyKey });
    const reused = paydesk.checkoutSessions.create({ ...session, amount: 1 }, { idempotencyKey });
    const conflict = await rejectedWith(IdempotencyError, reused);
    assert.deepEqual([conflict.code, conflict.statusCode], ['idempotency_key_reused', 422]);
    assert.equal(conflict.idempotencyKey, idempotencyKey);

    await paydesk.checkoutSessions.expire(id);
    const closed = await rejectedWith(InvalidRequestError, paydesk.checkoutSessions.update(id, { amount: 1 }));
    assert.deepEqual([closed.code, closed.statusCode], ['session_not_open', 409]);
    const live = new Paydesk({ apiKey: merchant.live.key, baseUrl: server().url, mode: 'live' });
    const hidden = await rejectedWith(InvalidRequestError, live.checkoutSessions.get(id));
    assert.deepEqual([hidden.code, hidden.statusCode], ['checkout_session_not_found', 404]);
    const noAcquirer = await rejectedWith(InvalidRequestError, live.checkoutSessions.create(session));
    assert.equal(noAcquirer.code, 'live_mode_not_configured');

    const stranger = new Paydesk({ apiKey: anyKey, baseUrl: server().url });
    const unknown = await rejectedWith(AuthenticationError, stranger.me());
    assert.deepEqual([unknown.code, unknown.statusCode], ['api_key_invalid', 401]);
  });
});

describe('A rate limit error', () => {
  const server = paydeskForSuite(sqlite, { settings: { PAYDESK_RATE_LIMIT: '1' } });

  it('is thrown after the retries, which wait as long as the service requests', async () => {
    const merchant = await server().newMerchant();
    const { runtime, pauses } = fakeTime();
    const paydesk = clientOf(server(), merchant, { runtime });
    await paydesk.me();
    await paydesk.me();
    const error = await rejectedWith(RateLimitError, paydesk.me());
    assert.deepEqual([error.type, error.code, error.retryAfterMs], ['rate_limit_error', 'rate_limited', 1_000]);
    assert.deepEqual(pauses, [1_250, 1_500, 2_000]);
    const patient = clientOf(server(), merchant, {
      runtime: fakeTime((count) => server().clock.advance(count * 1_000)).runtime,
    });
    assert.equal((await patient.me()).object, 'merchant');
  });
});

describe('A service that is not running', () => {
  it('is reported with the command that starts it', async () => {
    const port = await freePort();
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const baseUrl = `http://${host}:${port}`;
      const { runtime, pauses } = fakeTime();
      const error = await rejectedWith(ConnectionError, new Paydesk({ apiKey: anyKey, baseUrl, runtime }).me());
      assert.deepEqual(
        [error.code, error.type, error.statusCode],
        ['connection_refused', 'connection_error', undefined],
      );
      for (const part of [baseUrl, 'npm start', './bin/paydesk start'])
        assert.ok(error.message.includes(part), error.message);
      assert.equal(pauses.length, 3);
    }
  });

  it('is reported without that command if it is on another machine', async () => {
    const refusing = async (): Promise<never> => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) });
    };
    const options = { apiKey: anyKey, baseUrl: 'https://pay.shop.example', fetch: refusing, maxRetries: 0 };
    const { message } = await rejectedWith(ConnectionError, new Paydesk(options).me());
    assert.match(message, /https:\/\/pay\.shop\.example/);
    assert.match(message, /`baseUrl`/);
    assert.doesNotMatch(message, /npm start/);
  });
});

describe('A response that is not from the service', () => {
  const page = '<!doctype html><title>Welcome to nginx!</title>';
  const html = (status: number) => ({
    status,
    headers: { 'Content-Type': 'text/html', 'Request-Id': 'req_9' },
    body: page,
  });

  it('is reported with its status, its beginning and what to check', async (test) => {
    const strange = [
      html(200),
      html(403),
      { status: 200 },
      json([1]),
      json('hello'),
      json({ message: 'no route' }, 404),
    ];
    for (const response of strange) {
      const server = await scripted(test, response);
      const error = await rejectedWith(ApiError, server.client().me());
      assert.deepEqual([error.code, error.statusCode], ['answer_not_understood', response.status]);
      assert.ok(error.message.includes(`GET ${server.url}/me returned status ${response.status}`));
      assert.match(error.message, /`baseUrl`/);
      assert.equal(server.requests.length, 1);
    }
    const server = await scripted(test, html(200));
    const error = await rejectedWith(ApiError, server.client().me());
    assert.match(error.message, /text\/html: <!doctype html><title>Welcome to nginx!/);
    assert.equal(error.requestId, 'req_9');
  });

  it('is retried if a proxy reports that the service is unavailable', async (test) => {
    const server = await scripted(test, html(502), html(504), json({ id: 'acct_1' }));
    assert.equal((await server.client().me()).id, 'acct_1');
    const dead = await scripted(test, html(502));
    const error = await rejectedWith(ApiError, dead.client().me());
    assert.deepEqual([error.code, error.statusCode, dead.requests.length], ['answer_not_understood', 502, 4]);
  });

  it('is truncated in the message', async (test) => {
    const server = await scripted(test, { status: 200, body: 'x'.repeat(1_000_000) });
    const error = await rejectedWith(ApiError, server.client().me());
    assert.ok(error.message.length < 1_000);
  });

  it('is not followed if it is a redirect, which could lose the body or the key', async (test) => {
    const elsewhere = await scripted(test, json({ id: 'acct_1' }));
    const server = await scripted(test, { status: 301, headers: { Location: `${elsewhere.url}/me` } });
    const error = await rejectedWith(ApiError, server.client().me());
    assert.ok(error.message.includes(`${elsewhere.url}/me`), error.message);
    assert.match(error.message, /`baseUrl`/);
    assert.equal(elsewhere.requests.length, 0);
  });

  it('is a PaydeskError even if its type is unknown', async (test) => {
    const server = await scripted(test, refused(418, ['teapot_error', 'short_and_stout']));
    const error = await rejectedWith(PaydeskError, server.client().me());
    assert.deepEqual([error.type, error.code, error.requestId], ['teapot_error', 'short_and_stout', 'req_1']);
    const odd = await scripted(test, refused(400, ['constructor', 'odd']));
    assert.equal((await rejectedWith(PaydeskError, odd.client().me())).type, 'constructor');
  });
});

describe('A secret', () => {
  it('never appears in a printed error or client', async (test) => {
    const server = await scripted(test, refused(401, ['authentication_error', 'api_key_invalid']));
    const paydesk = server.client({ maxRetries: 0 });
    const dead = new Paydesk({ apiKey: anyKey, baseUrl: `http://127.0.0.1:${await freePort()}`, maxRetries: 0 });
    const printed = [
      paydesk,
      await rejectedWith(PaydeskError, paydesk.me()),
      await rejectedWith(PaydeskError, dead.me()),
    ];
    for (const value of printed) {
      assert.ok(!inspect(value, { depth: 20, showHidden: true }).includes(anyKey));
      assert.ok(!JSON.stringify(value).includes(anyKey));
    }
  });
});
