// Every transition from every state, compared with the specification.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CheckoutSession, checkoutSessionStatuses } from '../../src/domain/checkout-session.ts';
import { move, type Payment } from '../../src/domain/life-cycle.ts';
import { isoTime } from '../../src/domain/moment.ts';
import { type PaymentIntentStatus, paymentIntentStatuses } from '../../src/domain/payment-intent.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { aMoment, aPayment, aScope } from '../support/records.ts';
import { decidedMove, triggers } from './decided-moves.ts';

const later = startOfTests + 60_000;

function paymentIn(status: PaymentIntentStatus, sessionStatus: CheckoutSession['status'] = 'open'): Payment {
  const { intent, session } = aPayment({ scope: aScope({ livemode: true }) });
  return { intent: { ...intent, status }, session: { ...session, status: sessionStatus } };
}

describe('A transition', () => {
  for (const status of paymentIntentStatuses) {
    it(`from ${status} ends in the specified state, and any other is refused`, () => {
      for (const trigger of triggers) {
        for (const sessionStatus of checkoutSessionStatuses) {
          const before = paymentIn(status, sessionStatus);
          const moved = move(before, trigger, aMoment(later));
          const decided = decidedMove(status, trigger, sessionStatus);
          const what = `${trigger}, session ${sessionStatus}`;
          assert.equal(moved?.intent.status, decided?.to, what);
          if (moved === null || decided === null) continue;
          const ends = decided.session !== undefined && sessionStatus === 'open';
          assert.equal(moved.session.status, ends ? decided.session : sessionStatus, what);
          assert.equal(moved.sessionMoved, ends, what);
          const events = [decided.event, ends ? `checkout_session.${decided.session}` : undefined];
          assert.deepEqual(
            moved.events.map(({ type }) => type).sort(),
            events.filter((type) => type !== undefined).sort(),
            what,
          );
        }
      }
    });
  }

  it('changes only the fields that it concerns, and keeps the version', () => {
    const before = paymentIn('processing');
    const moved = move(before, 'captured', aMoment(later), { amountCaptured: 1250, lastPaymentError: null });
    assert.deepEqual(moved?.intent, { ...before.intent, status: 'succeeded', amountCaptured: 1250 });
    assert.deepEqual(moved?.session, { ...before.session, status: 'completed', completedAt: later });
  });

  it('to canceled records when and why', () => {
    const moved = move(paymentIn('requires_capture', 'completed'), 'cancel', aMoment(later), {
      cancellationReason: 'abandoned',
    });
    assert.equal(moved?.intent.canceledAt, later);
    assert.equal(moved?.intent.cancellationReason, 'abandoned');
  });

  it('after a decline includes the reason in the event', () => {
    const lastPaymentError = { code: 'card_declined', decline_code: 'lost_card', message: 'The card is lost.' };
    const failed = move(paymentIn('processing'), 'declined', aMoment(later), { lastPaymentError });
    const { id, amount, currency, metadata } = failed?.intent ?? assert.fail();
    assert.deepEqual(failed?.events[0]?.data, {
      id,
      object: 'payment_intent',
      status: 'requires_payment_method',
      amount,
      currency,
      metadata,
      last_payment_error: lastPaymentError,
    });
  });

  it('creates events with the new state of the payment and the session, at the time of the transition', () => {
    const moved = move(paymentIn('processing'), 'captured', aMoment(later), { amountCaptured: 1250 });
    const { intent, session, events } = moved ?? assert.fail();
    const { amount, currency, metadata, merchantId, livemode } = intent;
    for (const event of events) {
      assert.deepEqual([event.merchantId, event.livemode, event.createdAt], [merchantId, livemode, later]);
      assert.match(event.id, /^evt_/);
    }
    assert.notEqual(events[0]?.id, events[1]?.id);
    const data = Object.fromEntries(events.map((event) => [event.type, event.data]));
    assert.deepEqual(data, {
      'payment_intent.succeeded': {
        id: intent.id,
        object: 'payment_intent',
        status: 'succeeded',
        amount,
        currency,
        metadata,
      },
      'checkout_session.completed': {
        id: session.id,
        object: 'checkout_session',
        status: 'completed',
        amount,
        currency,
        metadata,
        payment_intent: intent.id,
        expires_at: isoTime(session.expiresAt),
      },
    });
  });
});
