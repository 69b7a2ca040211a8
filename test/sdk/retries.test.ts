// A request that fails in transit is retried if that can help, at a harmless pace, and never with a second effect.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError, ConnectionError, type Fetch, PaydeskError, RateLimitError } from '../../sdk/src/paydesk.ts';
import { retryDelayMs } from '../../sdk/src/retry.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import {
  allOf,
  clientOf,
  cutInBody,
  fakeTime,
  json,
  keyOf,
  refused,
  rejectedWith,
  reset,
  scripted,
  unavailable,
} from './scene.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const session = { amount: 1250, currency: 'EUR' };
const limited = (retryAfter: string) =>
  refused(429, ['rate_limit_error', 'rate_limited'], { 'Retry-After': retryAfter });

describe('A request of the SDK', () => {
  it('sends the key, the version, and a new idempotency key for each POST', async (test) => {
    const server = await scripted(test, json({}));
    const paydesk = server.client();
    await paydesk.checkoutSessions.create(session);
    await paydesk.checkoutSessions.create(session);
    await paydesk.checkoutSessions.expire('cs_1');
    await paydesk.checkoutSessions.get('cs_1');
    await paydesk.checkoutSessions.update('cs_1', { amount: 1 });
    await paydesk.webhookEndpoints.delete('we_1');
    const keys = server.requests.map(keyOf);
    for (const key of keys.slice(0, 3)) assert.match(String(key), uuid);
    assert.equal(new Set(keys.slice(0, 3)).size, 3);
    assert.deepEqual(keys.slice(3), [undefined, undefined, undefined]);
    for (const { headers } of server.requests) {
      assert.match(String(headers.authorization), /^Bearer sk_test_/);
      assert.equal(headers['user-agent'], 'paydesk-node/0.1.0');
    }
    const [create, , expire] = server.requests;
    assert.equal(create?.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(String(create?.body)), session);
    assert.deepEqual([expire?.path, expire?.body.length], ['/checkout-sessions/cs_1/expire', 0]);
  });

  it('keeps its idempotency key and its bytes in all retries', async (test) => {
    const server = await scripted(test, reset, unavailable, limited('2'), cutInBody, json({ id: 'cs_1' }));
    const created = await server.client({ maxRetries: 4 }).checkoutSessions.create(session);
    assert.equal(created.id, 'cs_1');
    assert.equal(server.requests.length, 5);
    assert.equal(new Set(server.requests.map(keyOf)).size, 1);
    assert.equal(new Set(server.requests.map(({ body }) => body.toString())).size, 1);
  });

  it('uses a given idempotency key, which must be a UUID', async (test) => {
    const server = await scripted(test, json({}));
    const idempotencyKey = randomUUID();
    await server.client().checkoutSessions.create(session, { idempotencyKey });
    assert.equal(keyOf(server.requests[0] ?? assert.fail()), idempotencyKey);
    const error = await rejectedWith(
      PaydeskError,
      server.client().checkoutSessions.create(session, { idempotencyKey: 'order-7' }),
    );
    assert.equal(error.code, 'idempotency_key_invalid');
    assert.match(error.message, /crypto\.randomUUID/);
    assert.equal(server.requests.length, 1);
  });

  it('is retried after a lost connection, 429, 500, 502, 503 and 504, whatever its method', async (test) => {
    for (const failure of [reset, cutInBody, limited('1'), ...[500, 502, 503, 504].map((status) => ({ status }))]) {
      const server = await scripted(test, failure, json({ id: 'x' }));
      await server.client().paymentIntents.get('pi_1');
      assert.equal(server.requests.length, 2);
    }
    const server = await scripted(test, reset, json({}), reset, json({}), reset, json({}));
    await server.client().checkoutSessions.update('cs_1', { amount: 1 });
    await server.client().webhookEndpoints.delete('we_1');
    await server.client().checkoutSessions.expire('cs_1');
    const methods = server.requests.map(({ method }) => method);
    assert.deepEqual(methods, ['PATCH', 'PATCH', 'DELETE', 'DELETE', 'POST', 'POST']);
  });

  it('is not retried if that cannot help', async (test) => {
    for (const status of [400, 401, 404, 405, 409, 413, 415, 422, 501]) {
      const server = await scripted(test, refused(status, ['invalid_request_error', 'session_not_open']), json({}));
      const error = await rejectedWith(PaydeskError, server.client().checkoutSessions.expire('cs_1'));
      assert.deepEqual([error.statusCode, server.requests.length], [status, 1]);
    }
  });

  it('is retried with its key while the outcome of a capture is unknown and the service says when', async (test) => {
    const inProgress = refused(409, ['invalid_request_error', 'payment_in_progress'], { 'Retry-After': '2' });
    const server = await scripted(test, inProgress, inProgress, json({ id: 'pi_1', status: 'succeeded' }));
    const intent = await server.client().paymentIntents.capture('pi_1');
    assert.equal(intent.status, 'succeeded');
    assert.equal(new Set(server.requests.map(keyOf)).size, 1);
    assert.deepEqual(server.pauses, [2_250, 2_500]);

    const silent = await scripted(test, inProgress);
    const error = await rejectedWith(PaydeskError, silent.client().paymentIntents.cancel('pi_1'));
    assert.deepEqual([error.code, silent.requests.length], ['payment_in_progress', 4]);
    assert.equal(error.idempotencyKey, keyOf(silent.requests[0] ?? assert.fail()));

    const paying = await scripted(test, refused(409, ['invalid_request_error', 'payment_in_progress']));
    await rejectedWith(PaydeskError, paying.client().checkoutSessions.update('cs_1', { amount: 1 }));
    assert.equal(paying.requests.length, 1, 'the customer is paying: that is not a matter of seconds');
  });

  it('fails after the maximum number of retries, with the last error and the key to continue with', async (test) => {
    const server = await scripted(test, reset, unavailable);
    const error = await rejectedWith(ApiError, server.client().checkoutSessions.create(session));
    assert.equal(server.requests.length, 4);
    assert.deepEqual([error.code, error.statusCode, error.requestId], ['storage_unavailable', 503, 'req_1']);
    assert.equal(error.idempotencyKey, keyOf(server.requests[0] ?? assert.fail()));

    const dead = await scripted(test, reset);
    const lost = await rejectedWith(ConnectionError, dead.client({ maxRetries: 1 }).checkoutSessions.create(session));
    assert.equal(dead.requests.length, 2);
    assert.deepEqual([lost.code, lost.idempotencyKey], ['connection_failed', keyOf(dead.requests[0] ?? assert.fail())]);
    await rejectedWith(ConnectionError, dead.client().me({ maxRetries: 0 }));
    assert.equal(dead.requests.length, 3);
  });
});

describe('The pause before a retry', () => {
  it('doubles with jitter up to a limit', async (test) => {
    const server = await scripted(test, unavailable);
    await rejectedWith(ApiError, server.client({ maxRetries: 6 }).me());
    assert.deepEqual(server.pauses, [250, 500, 1000, 2000, 4000, 4000]);
    const error = new ConnectionError({ type: 'connection_error', code: 'timeout', message: '' });
    const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.nat({ max: 20 }), dice, (retries, thrown) => {
        const delayMs = retryDelayMs(error, retries, () => thrown) ?? assert.fail();
        assert.ok(delayMs >= 0 && delayMs <= Math.min(8_000, 500 * 2 ** retries));
      }),
    );
  });

  it('is at least as long as Retry-After, in seconds or as a date', async (test) => {
    const server = await scripted(test, limited('7'), limited('Thu, 15 Jan 2026 12:30:30 GMT'), json({}));
    await server.client().me();
    assert.deepEqual(server.pauses, [7_250, 30_000 - 7_250 + 500]);
  });

  it('is skipped if Retry-After exceeds a minute: the caller gets the error', async (test) => {
    const server = await scripted(test, limited('61'), json({}));
    const error = await rejectedWith(RateLimitError, server.client().me());
    assert.deepEqual([error.code, error.retryAfterMs, server.requests.length], ['rate_limited', 61_000, 1]);
    const within = await scripted(test, limited('60'), json({}));
    await within.client().me();
    assert.deepEqual(within.pauses, [60_250]);
  });

  it('ignores an invalid Retry-After', async (test) => {
    for (const nonsense of ['soon', '', '-1', 'Thu, 15 Jan 2020 12:30:30 GMT']) {
      const server = await scripted(test, limited(nonsense), json({}));
      await server.client().me();
      assert.deepEqual(server.pauses, [250]);
    }
  });
});

describeOnEachEngine('A lost response', (engine) => {
  const server = paydeskForSuite(engine);

  /** The service handles every request, but its first responses never arrive. */
  function losing(count: number): Fetch {
    let left = count;
    return async (url, init) => {
      const response = await fetch(url, init);
      if (left === 0) return response;
      left -= 1;
      await response.arrayBuffer();
      throw new TypeError('fetch failed');
    };
  }

  it('has no second effect: the retry gets the same response', async () => {
    const merchant = await server().newMerchant();
    const { runtime } = fakeTime();
    const unlucky = () => clientOf(server(), merchant, { fetch: losing(2), runtime });
    const created = await unlucky().checkoutSessions.create(session);
    await unlucky().checkoutSessions.update(created.id, { amount: 1300 });
    const expired = await unlucky().checkoutSessions.expire(created.id);
    assert.equal(expired.status, 'expired');
    const paydesk = clientOf(server(), merchant);
    assert.deepEqual(await allOf(paydesk.checkoutSessions.list()), [expired]);
    assert.equal((await allOf(paydesk.events.list())).length, 1);
  });

  it('can be requested later with the key from the error', async () => {
    const merchant = await server().newMerchant();
    const { runtime } = fakeTime();
    const unlucky = clientOf(server(), merchant, { fetch: losing(4), runtime });
    const { idempotencyKey } = await rejectedWith(ConnectionError, unlucky.checkoutSessions.create(session));
    const created = await unlucky.checkoutSessions.create(session, { idempotencyKey });
    assert.deepEqual(await allOf(unlucky.checkoutSessions.list()), [created]);
  });
});
