// The life of a delivery: created for each endpoint that subscribes to the event, retried on a schedule, and ended once.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Attempted, afterAttempt, type Delivery, deliveriesFor, resend } from '../../src/domain/delivery.ts';
import { checkoutSessionEvent, type Event, inOrder, paymentIntentEvent } from '../../src/domain/event.ts';
import { isId } from '../../src/domain/ids.ts';
import { maxRetryAfterMs } from '../../src/domain/retry-schedule.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aDelivery, aMoment, anEvent, aPayment, aWebhookEndpoint } from '../support/records.ts';

const schedule = { delaysMs: [60_000, 300_000, 1_800_000] };
const base = { at: now, durationMs: 250, statusCode: 500, error: null, responseExcerpt: 'oops', retryAfterMs: null };
const failure: Attempted = { ...base, verdict: 'retry' };
const success: Attempted = { ...base, statusCode: 204, verdict: 'delivered' };

const newDelivery = (): Delivery => aDelivery(aWebhookEndpoint(), anEvent());

describe('An event', () => {
  it('creates one delivery for each endpoint that subscribes to its type, due immediately', () => {
    const { intent, session } = aPayment();
    const succeeded = paymentIntentEvent('payment_intent.succeeded', intent, aMoment());
    const canceled = paymentIntentEvent('payment_intent.canceled', intent, aMoment());
    const completed = checkoutSessionEvent('checkout_session.completed', session, aMoment());
    const [four, one, other] = [
      aWebhookEndpoint(),
      aWebhookEndpoint({ enabledEvents: ['payment_intent.canceled', 'payment_intent.succeeded'] }),
      aWebhookEndpoint({ enabledEvents: ['refund.created'] }),
    ];
    const created = deliveriesFor([succeeded, canceled, completed], [four, one, other]);
    const pairs = created.map(({ eventId, endpointId }) => [eventId, endpointId]);
    assert.deepEqual(pairs, [
      [succeeded.id, four.id],
      [succeeded.id, one.id],
      [canceled.id, one.id],
      [completed.id, four.id],
    ]);
    for (const { merchantId, livemode, status, attempts, dueAt, id } of created) {
      assert.deepEqual(
        { merchantId, livemode, status, attempts, dueAt },
        { merchantId: intent.merchantId, livemode: false, status: 'pending', attempts: [], dueAt: now },
      );
      assert.ok(isId('del', id), id);
    }
    assert.equal(new Set(created.map(({ id }) => id)).size, created.length);
  });

  it('creates the same deliveries however often it is fanned out, and a new one for each resend', () => {
    const [event, endpoint] = [anEvent(), aWebhookEndpoint()];
    assert.deepEqual(deliveriesFor([event], [endpoint]), deliveriesFor([event], [endpoint]));
    const resent = [resend(event, endpoint.id, aMoment()), resend(event, endpoint.id, aMoment())];
    const ids = [...deliveriesFor([event], [endpoint]), ...resent].map(({ id }) => id);
    assert.equal(new Set(ids).size, 3);
  });

  it('sorts by id after the events listed before it in the same commit', () => {
    const events: Event[] = Array.from({ length: 8 }, () => anEvent());
    const ordered = inOrder(events);
    const ids = ordered.map(({ id }) => id);
    assert.deepEqual(ids, ids.toSorted());
    assert.deepEqual(ids, events.map(({ id }) => id).toSorted(), 'no id is new');
    assert.deepEqual(
      ordered.map(({ data }) => data),
      events.map(({ data }) => data),
    );
  });
});

describe('A delivery', () => {
  it('is delivered after a success, whichever attempt it was', () => {
    for (const failuresBefore of [0, 1, 3]) {
      let delivery = newDelivery();
      for (let round = 0; round < failuresBefore; round += 1) delivery = afterAttempt(delivery, failure, schedule, 0);
      const { status, dueAt, attempts } = afterAttempt(delivery, success, schedule, 0);
      assert.deepEqual([status, dueAt, attempts.length], ['delivered', null, failuresBefore + 1]);
    }
  });

  it('is retried 60, 300 and 1800 seconds after each failure, then failed', () => {
    let delivery = newDelivery();
    const waits: (number | null)[] = [];
    for (let round = 0; round < 4; round += 1) {
      delivery = afterAttempt(delivery, failure, schedule, 0);
      waits.push(delivery.dueAt && delivery.dueAt - now - failure.durationMs);
    }
    assert.deepEqual(waits, [60_000, 300_000, 1_800_000, null]);
    assert.equal(delivery.status, 'failed');
    assert.deepEqual(delivery.attempts[3], {
      at: now,
      durationMs: 250,
      statusCode: 500,
      error: null,
      responseExcerpt: 'oops',
    });
  });

  it('waits up to 10 % longer at random, never shorter', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 2 }),
        (chance, failuresBefore) => {
          const attempts = Array.from({ length: failuresBefore }, () => failure);
          const { dueAt } = afterAttempt({ ...newDelivery(), attempts }, failure, schedule, chance);
          const delay = schedule.delaysMs[failuresBefore] ?? 0;
          const waited = (dueAt ?? 0) - now - failure.durationMs;
          assert.ok(waited >= delay && waited <= delay * 1.1, `${waited} for ${delay}`);
        },
      ),
    );
  });

  it('waits as long as the endpoint requests, but at least as scheduled and at most an hour', () => {
    const waited = (retryAfterMs: number): number =>
      (afterAttempt(newDelivery(), { ...failure, retryAfterMs }, schedule, 0).dueAt ?? 0) - now - failure.durationMs;
    assert.equal(waited(1_000), 60_000);
    assert.equal(waited(90_000), 90_000);
    assert.equal(waited(maxRetryAfterMs * 24), maxRetryAfterMs);
  });

  it('fails immediately if no retry can help', () => {
    const { status, dueAt } = afterAttempt(
      newDelivery(),
      { ...failure, statusCode: 410, verdict: 'give_up' },
      schedule,
      0,
    );
    assert.deepEqual([status, dueAt], ['failed', null]);
  });
});
