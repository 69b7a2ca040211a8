// A delivery's life: made by an event for each endpoint that asked for it, retried by a schedule, ended once.

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
  it('makes one delivery for each endpoint that subscribes to its type, due at once', () => {
    const { intent, session } = aPayment();
    const succeeded = paymentIntentEvent('payment_intent.succeeded', intent, aMoment());
    const canceled = paymentIntentEvent('payment_intent.canceled', intent, aMoment());
    const completed = checkoutSessionEvent('checkout_session.completed', session, aMoment());
    const [four, one, other] = [
      aWebhookEndpoint(),
      aWebhookEndpoint({ enabledEvents: ['payment_intent.canceled', 'payment_intent.succeeded'] }),
      aWebhookEndpoint({ enabledEvents: ['refund.created'] }),
    ];
    const made = deliveriesFor([succeeded, canceled, completed], [four, one, other]);
    const pairs = made.map(({ eventId, endpointId }) => [eventId, endpointId]);
    assert.deepEqual(pairs, [
      [succeeded.id, four.id],
      [succeeded.id, one.id],
      [canceled.id, one.id],
      [completed.id, four.id],
    ]);
    for (const { merchantId, livemode, status, attempts, dueAt, id } of made) {
      assert.deepEqual(
        { merchantId, livemode, status, attempts, dueAt },
        { merchantId: intent.merchantId, livemode: false, status: 'pending', attempts: [], dueAt: now },
      );
      assert.ok(isId('del', id), id);
    }
    assert.equal(new Set(made.map(({ id }) => id)).size, made.length);
  });

  it('makes the same deliveries however often it is fanned out, and another one for each resend', () => {
    const [event, endpoint] = [anEvent(), aWebhookEndpoint()];
    assert.deepEqual(deliveriesFor([event], [endpoint]), deliveriesFor([event], [endpoint]));
    const resent = [resend(event, endpoint.id, aMoment()), resend(event, endpoint.id, aMoment())];
    const ids = [...deliveriesFor([event], [endpoint]), ...resent].map(({ id }) => id);
    assert.equal(new Set(ids).size, 3);
  });

  it('sorts by id after those that were listed before it in the same commit', () => {
    const events: Event[] = Array.from({ length: 8 }, () => anEvent());
    const ordered = inOrder(events);
    const ids = ordered.map(({ id }) => id);
    assert.deepEqual(ids, ids.toSorted());
    assert.deepEqual(ids, events.map(({ id }) => id).toSorted(), 'no id is made up');
    assert.deepEqual(
      ordered.map(({ data }) => data),
      events.map(({ data }) => data),
    );
  });
});

describe('A delivery', () => {
  it('is over with a success, whichever attempt it was', () => {
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

  it('waits up to a tenth longer by chance, never shorter', () => {
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

  it('waits as long as the endpoint asks, but not shorter than the schedule nor longer than an hour', () => {
    const waited = (retryAfterMs: number): number =>
      (afterAttempt(newDelivery(), { ...failure, retryAfterMs }, schedule, 0).dueAt ?? 0) - now - failure.durationMs;
    assert.equal(waited(1_000), 60_000);
    assert.equal(waited(90_000), 90_000);
    assert.equal(waited(maxRetryAfterMs * 24), maxRetryAfterMs);
  });

  it('is failed at once when no try can help', () => {
    const { status, dueAt } = afterAttempt(
      newDelivery(),
      { ...failure, statusCode: 410, verdict: 'give_up' },
      schedule,
      0,
    );
    assert.deepEqual([status, dueAt], ['failed', null]);
  });
});
