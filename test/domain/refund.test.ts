import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRefusal } from '../../src/domain/errors.ts';
import { type PaymentIntent, paymentIntentStatuses } from '../../src/domain/payment-intent.ts';
import { openRefund, type RefundChange, settleRefund } from '../../src/domain/refund.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aMoment, aPayment } from '../support/records.ts';

const captured: PaymentIntent = { ...aPayment().intent, status: 'succeeded', amount: 1000, amountCaptured: 800 };

function opened(intent: PaymentIntent, requested: { amount?: number; reason?: string }): RefundChange {
  const change = openRefund(intent, requested, aMoment());
  assert.ok(!isRefusal(change));
  return change;
}

describe('A refund', () => {
  it('covers the remaining amount unless one is given, and reserves it immediately', () => {
    const part = opened(captured, { amount: 300, reason: 'requested_by_customer' });
    assert.equal(part.intent.amountRefunded, 300);
    const rest = opened(part.intent, {});
    assert.equal(rest.refund.amount, 500);
    assert.equal(rest.intent.amountRefunded, 800);
    const { id, ...others } = part.refund;
    assert.match(id, /^re_/);
    assert.deepEqual(others, {
      merchantId: captured.merchantId,
      livemode: captured.livemode,
      version: 0,
      paymentIntentId: captured.id,
      amount: 300,
      currency: captured.currency,
      status: 'pending',
      reason: 'requested_by_customer',
      createdAt: now,
    });
  });

  it('never exceeds the captured amount that is not refunded yet', () => {
    for (const [intent, amount] of [
      [captured, 801],
      [{ ...captured, amountRefunded: 799 }, 2],
    ] as const) {
      const refused = openRefund(intent, { amount }, aMoment());
      assert.ok(isRefusal(refused));
      assert.deepEqual([refused.refused, refused.param], ['parameter_invalid', 'amount']);
    }
  });

  it('is rejected if nothing is left or nothing was captured', () => {
    const intents = [
      { ...captured, amountRefunded: 800 },
      ...paymentIntentStatuses
        .filter((status) => status !== 'succeeded')
        .map((status) => ({ ...captured, status, amountCaptured: 0 })),
    ];
    for (const intent of intents) {
      const refused = openRefund(intent, { amount: 1 }, aMoment());
      assert.ok(isRefusal(refused));
      assert.equal(refused.refused, 'payment_not_refundable');
    }
  });

  it('is possible for money that arrived too late and could not be returned', () => {
    const change = opened({ ...captured, status: 'expired' }, {});
    assert.deepEqual([change.refund.amount, change.intent.status], [800, 'expired']);
  });

  it('releases its amount when it fails, keeps it when it succeeds, and settles once', () => {
    const { intent, refund } = opened(captured, { amount: 300 });
    const failed = settleRefund(intent, refund, 'failed', aMoment()) ?? assert.fail();
    assert.equal(failed.intent.amountRefunded, 0);
    const succeeded = settleRefund(intent, refund, 'succeeded', aMoment()) ?? assert.fail();
    assert.equal(succeeded.intent.amountRefunded, 300);
    assert.equal(settleRefund(failed.intent, failed.refund, 'failed', aMoment()), null);
    assert.equal(settleRefund(failed.intent, failed.refund, 'succeeded', aMoment()), null);
    assert.equal(settleRefund(succeeded.intent, succeeded.refund, 'succeeded', aMoment()), null);
  });

  it('that had succeeded can still fail: the bank sends the money back', () => {
    const { intent, refund } = opened(captured, { amount: 300 });
    const succeeded = settleRefund(intent, refund, 'succeeded', aMoment()) ?? assert.fail();
    const failed = settleRefund(succeeded.intent, succeeded.refund, 'failed', aMoment()) ?? assert.fail();
    assert.deepEqual([failed.refund.status, failed.intent.amountRefunded], ['failed', 0]);
    assert.deepEqual(
      failed.events.map(({ type }) => type),
      ['refund.failed'],
    );
  });

  it('has events for its creation and its failure', () => {
    const { intent, refund, events } = opened(captured, { amount: 300 });
    const failed = settleRefund(intent, refund, 'failed', aMoment());
    const data = { id: refund.id, object: 'refund', payment_intent: captured.id, amount: 300, currency: 'EUR' };
    assert.deepEqual(
      [...events, ...(failed?.events ?? [])].map((event) => [event.type, event.data]),
      [
        ['refund.created', { ...data, status: 'pending', reason: null }],
        ['refund.failed', { ...data, status: 'failed', reason: null }],
      ],
    );
  });
});
