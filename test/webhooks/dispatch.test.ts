// The delivery of an event: sent once committed, signed, judged, retried, and logged.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts';
import { resend } from '../../src/domain/delivery.ts';
import { rotated, sealSecret } from '../../src/domain/webhook-endpoint.ts';
import { version } from '../../src/version.ts';
import { must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { freePort } from '../support/free-port.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aMoment, anEvent, aPayment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { type ReceivedRequest, startWebhookReceiver } from '../support/webhook-receiver.ts';
import { anEndpoint, anExpiry, deliveriesOf, loopbackAllowed, untilAttempted } from './scene.ts';

const minute = 60_000;

function verified(request: ReceivedRequest | undefined, secret: string, nowMs: number) {
  assert.ok(request !== undefined);
  return verifyWebhook({
    rawBody: request.body,
    header: request.headers['service-signature'],
    secrets: [secret],
    nowSeconds: Math.floor(nowMs / 1000),
  });
}

describeOnEachEngine('An event', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: loopbackAllowed });

  it('arrives as a signed POST of exactly its fields, and its delivery records that', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 204 });
    const endpoint = await anEndpoint(paydesk(), merchant, `${receiver.url}/hooks?shop=1`);
    const session = await merchant.newSession({ metadata: { order: '6735', note: 'Zoë “東京” \u{1F9FE}' } });
    must(200, await merchant.test.post(`/checkout-sessions/${session.id}/expire`, {}));
    const [event] = await merchant.events();
    assert.ok(event !== undefined);
    const delivery = await untilAttempted(paydesk(), merchant, event.id, 1);

    const [request, ...others] = receiver.requests;
    assert.deepEqual(others, []);
    assert.equal(request?.method, 'POST');
    assert.equal(request?.path, '/hooks?shop=1');
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.equal(request?.headers['user-agent'], `Paydesk/${version}`);
    assert.match(request?.headers['service-signature']?.toString() ?? '', /^t=\d+,v1=[0-9a-f]{64}$/);
    const now = paydesk().clock.now();
    const verdict = verified(request, endpoint.plainSecret, now);
    assert.ok(verdict.ok, JSON.stringify(verdict));
    assert.deepEqual(verdict.event, {
      id: event.id,
      type: 'checkout_session.expired',
      created_at: new Date(event.createdAt).toISOString(),
      livemode: false,
      data: {
        id: session.id,
        object: 'checkout_session',
        status: 'expired',
        amount: 1250,
        currency: 'EUR',
        metadata: session.metadata,
        payment_intent: session.payment_intent,
        expires_at: new Date(event.createdAt).toISOString(),
      },
    });
    const { status, dueAt, attempts, endpointId } = delivery;
    assert.deepEqual({ status, dueAt, endpointId }, { status: 'delivered', dueAt: null, endpointId: endpoint.id });
    const [{ durationMs = -1, ...attempt } = {}] = attempts;
    assert.deepEqual(attempt, { at: now, statusCode: 204, error: null, responseExcerpt: '' });
    assert.ok(durationMs >= 0 && durationMs < 10_000);
  });

  it('goes to every endpoint subscribed to it by default or by name, and to no other', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    const at = (path: string, overrides = {}) => anEndpoint(paydesk(), merchant, `${receiver.url}${path}`, overrides);
    await at('/default');
    await at('/by-name', { enabledEvents: ['payment_intent.canceled', 'checkout_session.expired'] });
    await at('/others', { enabledEvents: ['refund.created', 'payment_intent.succeeded'] });
    await at('/disabled', { disabledReason: 'by_request' });
    await at('/deleted', { deletedAt: startOfTests });
    await at('/live', { livemode: true });
    const session = await merchant.newSession();
    must(200, await merchant.test.post(`/payment-intents/${session.payment_intent}/cancel`, {}));
    const arrived = () =>
      receiver.requests.map(({ path, body }) => `${path} ${JSON.parse(body.toString()).type}`).toSorted();
    await until('three arrived', () => receiver.requests.length >= 3);
    for (const { id } of await merchant.events()) {
      await until('all are delivered', async () =>
        (await deliveriesOf(paydesk(), merchant, id)).every(({ status }) => status === 'delivered'),
      );
    }
    assert.deepEqual(arrived(), [
      '/by-name checkout_session.expired',
      '/by-name payment_intent.canceled',
      '/default checkout_session.expired',
    ]);
  });

  it('is retried after 60, 300 and 1800 seconds, with a new signature each time, and then fails', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 500, body: 'x'.repeat(5_000) });
    const endpoint = await anEndpoint(paydesk(), merchant, receiver.url);
    const eventId = await anExpiry(merchant);
    for (const [attempts, delay] of [60_000, 300_000, 1_800_000].entries()) {
      const { status, dueAt } = await untilAttempted(paydesk(), merchant, eventId, attempts + 1);
      const now = paydesk().clock.now();
      assert.equal(status, 'pending');
      const waits = (dueAt ?? 0) - now;
      assert.ok(waits >= delay && waits <= delay * 1.1 + 2_000, `waits ${waits} ms`);
      assert.equal(receiver.requests.length, attempts + 1);
      assert.ok(verified(receiver.requests.at(-1), endpoint.plainSecret, now).ok);
      paydesk().clock.set(dueAt ?? 0);
    }
    const { status, dueAt, attempts } = await untilAttempted(paydesk(), merchant, eventId, 4);
    assert.deepEqual([status, dueAt, attempts.length], ['failed', null, 4]);
    assert.deepEqual(
      attempts.map(({ statusCode, responseExcerpt }) => [statusCode, responseExcerpt?.length]),
      Array(4).fill([500, 1_024]),
    );
    const signatures = receiver.requests.map(({ headers }) => headers['service-signature']);
    assert.equal(new Set(signatures).size, 4);
    assert.equal(new Set(receiver.requests.map(({ body }) => body.toString())).size, 1, 'the same bytes each time');
  });

  it('that arrives on a retry is delivered', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 503 });
    await anEndpoint(paydesk(), merchant, receiver.url);
    const eventId = await anExpiry(merchant);
    await untilAttempted(paydesk(), merchant, eventId, 1);
    receiver.answerWith({ status: 200, body: 'thanks' });
    paydesk().clock.advance(1.2 * minute);
    const { status, attempts } = await untilAttempted(paydesk(), merchant, eventId, 2);
    assert.equal(status, 'delivered');
    assert.deepEqual(
      attempts.map(({ statusCode, responseExcerpt }) => [statusCode, responseExcerpt]),
      [
        [503, ''],
        [200, 'thanks'],
      ],
    );
  });

  it('waits longer if the endpoint asks for it with Retry-After', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    await anEndpoint(paydesk(), merchant, receiver.url);
    const inTwoMinutes = () => new Date(paydesk().clock.now() + 2 * minute).toUTCString();
    for (const [retryAfter, atLeast, atMost] of [
      ['600', 600_000, 610_000],
      ['1', 60_000, 68_000],
      ['999999999', 3_600_000, 3_610_000],
      [inTwoMinutes(), 2 * minute - 1_000, 2 * minute + 10_000],
      ['soon', 60_000, 68_000],
    ] as const) {
      receiver.answerWith({ status: 429, headers: { 'Retry-After': retryAfter } });
      const eventId = await anExpiry(merchant);
      const { dueAt } = await untilAttempted(paydesk(), merchant, eventId, 1);
      const waits = (dueAt ?? 0) - paydesk().clock.now();
      assert.ok(waits >= atLeast && waits <= atMost, `Retry-After: ${retryAfter} waits ${waits} ms`);
    }
  });

  it('fails on any response but 2xx, and follows no redirect', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    await anEndpoint(paydesk(), merchant, `${receiver.url}/here`);
    const outcomes: unknown[] = [];
    for (const status of [200, 201, 299, 301, 307, 400, 404, 500]) {
      receiver.answerWith({ status, headers: { Location: `${receiver.url}/there` } });
      const delivery = await untilAttempted(paydesk(), merchant, await anExpiry(merchant), 1);
      outcomes.push([delivery.attempts[0]?.statusCode, delivery.status]);
    }
    assert.deepEqual(outcomes, [
      [200, 'delivered'],
      [201, 'delivered'],
      [299, 'delivered'],
      [301, 'pending'],
      [307, 'pending'],
      [400, 'pending'],
      [404, 'pending'],
      [500, 'pending'],
    ]);
    assert.deepEqual([...new Set(receiver.requests.map(({ path }) => path))], ['/here']);
  });

  it('disables an endpoint that responds with 410, and its waiting deliveries fail with the reason', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 500 });
    const endpoint = await anEndpoint(paydesk(), merchant, receiver.url);
    const waiting = await anExpiry(merchant);
    await untilAttempted(paydesk(), merchant, waiting, 1);
    receiver.answerWith({ status: 410 });
    const { status } = await untilAttempted(paydesk(), merchant, await anExpiry(merchant), 1);
    assert.equal(status, 'failed');
    await until('it is disabled', async () => {
      const found = await paydesk().store.find('webhookEndpoints', endpoint, endpoint.id);
      return found?.disabledReason === 'gone';
    });
    assert.deepEqual(await deliveriesOf(paydesk(), merchant, await anExpiry(merchant)), [], 'nothing new is sent');
    const before = receiver.requests.length;
    paydesk().clock.advance(1.2 * minute);
    const failed = await untilAttempted(paydesk(), merchant, waiting, 2);
    assert.equal(failed.status, 'failed');
    assert.match(failed.attempts[1]?.error ?? '', /^endpoint_disabled: /);
    assert.equal(receiver.requests.length, before);
  });

  it('is not sent to an endpoint that was deleted meanwhile', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 500 });
    const { plainSecret, ...endpoint } = await anEndpoint(paydesk(), merchant, receiver.url);
    const eventId = await anExpiry(merchant);
    await untilAttempted(paydesk(), merchant, eventId, 1);
    await mustCommit(paydesk().store, { webhookEndpoints: [{ ...endpoint, deletedAt: paydesk().clock.now() }] });
    paydesk().clock.advance(1.2 * minute);
    const { status, attempts } = await untilAttempted(paydesk(), merchant, eventId, 2);
    assert.equal(status, 'failed');
    assert.match(attempts[1]?.error ?? '', /^endpoint_deleted: /);
    assert.equal(receiver.requests.length, 1);
    assert.ok(plainSecret.startsWith('whsec_'));
  });

  it('that was deleted when it was resent is given up, and later ones to the endpoint are sent', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    const endpoint = await anEndpoint(paydesk(), merchant, receiver.url);
    const deleted = anEvent(aPayment({ scope: merchant.scope }).intent, aMoment(paydesk().clock.now()));
    // More than an endpoint gets at first.
    const resent = Array.from({ length: 5 }, () => resend(deleted, endpoint.id, aMoment(paydesk().clock.now())));
    await mustCommit(paydesk().store, { deliveries: resent });
    const eventId = await anExpiry(merchant);
    assert.equal((await untilAttempted(paydesk(), merchant, eventId, 1)).status, 'delivered');
    await until('none is waiting', async () =>
      (await deliveriesOf(paydesk(), merchant, deleted.id)).every(({ status }) => status === 'failed'),
    );
    for (const { attempts } of await deliveriesOf(paydesk(), merchant, deleted.id)) {
      assert.match(attempts.map(({ error }) => error).join(), /^event_deleted: [^,]+$/);
    }
    assert.equal(receiver.requests.length, 1);
  });

  it('is signed with the next secret from the moment that it activates', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    const { plainSecret, ...endpoint } = await anEndpoint(paydesk(), merchant, receiver.url);
    const now = paydesk().clock.now();
    const sealed = sealSecret(paydesk().secretBox, endpoint.id, 'whsec_next');
    await mustCommit(paydesk().store, {
      webhookEndpoints: [rotated(endpoint, sealed, { now, activatesAt: now + minute })],
    });
    const signedWith = async (): Promise<string[]> => {
      await untilAttempted(paydesk(), merchant, await anExpiry(merchant), 1);
      const at = paydesk().clock.now();
      return [plainSecret, 'whsec_next'].filter((secret) => verified(receiver.requests.at(-1), secret, at).ok);
    };
    assert.deepEqual(await signedWith(), [plainSecret]);
    paydesk().clock.set(now + minute - 1);
    assert.deepEqual(await signedWith(), [plainSecret]);
    paydesk().clock.set(now + minute);
    assert.deepEqual(await signedWith(), ['whsec_next']);
  });

  it('is retried if nothing listens at the endpoint, and the reason is recorded', async () => {
    const merchant = await paydesk().newMerchant();
    await anEndpoint(paydesk(), merchant, `http://127.0.0.1:${await freePort()}`);
    const { status, attempts } = await untilAttempted(paydesk(), merchant, await anExpiry(merchant), 1);
    assert.equal(status, 'pending');
    assert.equal(attempts[0]?.statusCode, null);
    assert.match(attempts[0]?.error ?? '', /^connection_refused: /);
  });

  it('whose webhook cannot be built is retried and recorded, like any other failure', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    const { plainSecret, ...endpoint } = await anEndpoint(paydesk(), merchant, receiver.url);
    const unreadable = { ...endpoint, secret: Buffer.from(plainSecret) };
    await mustCommit(paydesk().store, { webhookEndpoints: [unreadable] });
    const { status, attempts } = await untilAttempted(paydesk(), merchant, await anExpiry(merchant), 1);
    assert.equal(status, 'pending');
    assert.match(attempts[0]?.error ?? '', /^internal_error: /);
    assert.equal(receiver.requests.length, 0);
  });

  it('that gets 410 after its endpoint moved does not disable it', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    const received = Promise.withResolvers<void>();
    const moved = Promise.withResolvers<void>();
    receiver.answerWith(async () => {
      received.resolve();
      await moved.promise;
      return { status: 410 };
    }, '/old');
    const { plainSecret, ...endpoint } = await anEndpoint(paydesk(), merchant, `${receiver.url}/old`);
    const eventId = await anExpiry(merchant);
    await received.promise;
    await mustCommit(paydesk().store, { webhookEndpoints: [{ ...endpoint, url: `${receiver.url}/new` }] });
    moved.resolve();
    assert.equal((await untilAttempted(paydesk(), merchant, eventId, 1)).status, 'failed');
    assert.equal((await untilAttempted(paydesk(), merchant, await anExpiry(merchant), 1)).status, 'delivered');
    assert.equal((await paydesk().store.find('webhookEndpoints', endpoint, endpoint.id))?.disabledReason, null);
    assert.ok(plainSecret.length > 0);
  });

  it('is logged with event, endpoint, status and duration, and without secret or address', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 418, body: 'teapot' });
    const endpoint = await anEndpoint(paydesk(), merchant, `${receiver.url}/a-path-with-a-token`);
    const eventId = await anExpiry(merchant);
    const { id } = await untilAttempted(paydesk(), merchant, eventId, 1);
    await until('it is logged', () =>
      paydesk()
        .logLines()
        .some(({ delivery }) => delivery === id),
    );
    const line = paydesk()
      .logLines()
      .find(({ delivery }) => delivery === id);
    const { ms, time, ...logged } = line ?? {};
    assert.deepEqual(logged, {
      level: 'info',
      delivery: id,
      event: eventId,
      endpoint: endpoint.id,
      attempt: 1,
      outcome: 'retry',
      status: 418,
      msg: 'webhook',
    });
    assert.equal(typeof ms, 'number');
    assert.equal(typeof time, 'string');
    const all = JSON.stringify(paydesk().logLines());
    assert.ok(!all.includes(endpoint.plainSecret) && !all.includes('a-path-with-a-token'));
  });
});

describeOnEachEngine('If loopback is not allowed', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('an event does not reach a receiver on it', async (t) => {
    const merchant = await paydesk().newMerchant();
    const receiver = await startWebhookReceiver(t);
    await anEndpoint(paydesk(), merchant, receiver.url);
    const { status, attempts } = await untilAttempted(paydesk(), merchant, await anExpiry(merchant), 1);
    assert.equal(status, 'pending');
    assert.match(attempts[0]?.error ?? '', /^address_refused: /);
    assert.equal(receiver.accepted(), 0);
  });
});
