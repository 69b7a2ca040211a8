// The timeline of a payment: facts of all kinds, in order.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newOperation, type OperationStep, withStep } from '../../src/domain/operation.ts';
import type { Refund } from '../../src/domain/refund.ts';
import { type PaymentHistory, timelineOf } from '../../src/domain/timeline.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aMoment, aPayment } from '../support/records.ts';

function aHistory(overrides: Partial<PaymentHistory> = {}): PaymentHistory {
  const nothing = { operations: [], refunds: [], disputes: [], events: [], deliveries: [], mails: [] };
  return { ...aPayment(), ...nothing, ...overrides };
}

describe('The timeline of a payment', () => {
  const { intent, session } = aPayment();
  const about = { paymentIntentId: intent.id, checkoutSessionId: session.id, amount: intent.amount };
  const operationAt = (kind: 'payment' | 'refund', at: number) =>
    newOperation(aMoment().newId('op'), intent, { kind, ...about }, aMoment(at));

  it('orders what happened in the same millisecond by its nature', () => {
    const operation = withStep(operationAt('payment', now), { at: now, step: 'failed', code: 'card_declined' });
    const opened = { ...session, openedAt: now, completedAt: now };
    const types = timelineOf(aHistory({ session: opened, operations: [operation] })).map(({ type }) => type);
    assert.deepEqual(types, [
      'session_completed',
      'payment_failed',
      'payment_started',
      'page_opened',
      'session_created',
    ]);
  });

  it('shows an operation of an earlier version without its steps', () => {
    const operation = { ...operationAt('payment', now + 5), status: 'succeeded', history: null } as const;
    const [newest, ...rest] = timelineOf(aHistory({ session, intent, operations: [operation] }));
    assert.equal(newest?.type, 'payment_started');
    assert.equal(newest?.status, 'succeeded');
    assert.deepEqual(
      rest.map(({ type }) => type),
      ['session_created'],
    );
  });

  it('calls the reason of a refund that of the merchant', () => {
    const { merchantId, livemode, amount, currency } = intent;
    const refund: Refund = {
      ...{ merchantId, livemode, amount, currency, version: 0, id: aMoment().newId('re'), status: 'succeeded' },
      ...{ paymentIntentId: intent.id, reason: 'Broken', createdAt: now },
    };
    const operation = { ...operationAt('refund', now), refundId: refund.id };
    const [entry] = timelineOf(aHistory({ operations: [operation], refunds: [refund] }));
    assert.equal(entry?.type, 'refund_started');
    assert.equal(entry?.reason, 'Broken');
  });
});

describe('The history of an operation', () => {
  it('keeps a bounded number of steps, the last one included', () => {
    const { intent, session } = aPayment();
    const about = { paymentIntentId: intent.id, checkoutSessionId: session.id, amount: 1 };
    let operation = newOperation('op_1', intent, { kind: 'payment', ...about }, aMoment());
    const steps: OperationStep['step'][] = [...Array(50).fill('action_needed'), 'succeeded'];
    for (const [at, step] of steps.entries()) operation = withStep(operation, { at, step });
    assert.equal(operation.history?.length, 20);
    assert.equal(operation.history?.at(0)?.at, 0);
    assert.equal(operation.history?.at(-1)?.step, 'succeeded');
  });
});
