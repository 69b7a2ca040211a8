import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lateMoneyOf } from '../../src/domain/late-money.ts';
import type { Operation } from '../../src/domain/operation.ts';

type Sample = Pick<Operation, 'kind' | 'status' | 'reason'>;

const payment = (status: Operation['status']): Sample => ({ kind: 'payment', status, reason: null });
const refund = (status: Operation['status'], reason: string | null = 'late_payment'): Sample => ({
  kind: 'refund',
  status,
  reason,
});
const release = (status: Operation['status'], reason: string): Sample => ({ kind: 'void', status, reason });

const unpaid = { amountCaptured: 0, amountRefunded: 0 };
const reserved = { amountCaptured: 1250, amountRefunded: 1250 };
const kept = { amountCaptured: 1250, amountRefunded: 0 };

describe('The money of a payment that has ended unpaid', () => {
  it('is none if every attempt failed, or if the merchant has released it', () => {
    assert.equal(lateMoneyOf(unpaid, []), 'none');
    assert.equal(lateMoneyOf(unpaid, [payment('failed'), payment('failed')]), 'none');
    assert.equal(lateMoneyOf(unpaid, [payment('succeeded'), release('succeeded', 'requested_by_customer')]), 'none');
  });

  it('is possible while the acquirer has not ended an attempt', () => {
    assert.equal(lateMoneyOf(unpaid, [payment('failed'), payment('action_needed')]), 'possible');
    assert.equal(lateMoneyOf(unpaid, [payment('pending')]), 'possible');
  });

  it('is being returned until the acquirer has done so, however often it has refused', () => {
    const asked = [payment('succeeded'), refund('failed'), refund('pending')];
    assert.equal(lateMoneyOf(reserved, asked), 'returning');
    assert.equal(lateMoneyOf(reserved, [...asked.slice(0, 2), refund('succeeded')]), 'returned');
    assert.equal(lateMoneyOf(kept, [payment('succeeded'), refund('failed')]), 'kept');
  });

  it('was returned once the merchant has refunded what could not be returned', () => {
    assert.equal(
      lateMoneyOf(reserved, [payment('succeeded'), refund('failed'), refund('succeeded', null)]),
      'returned',
    );
  });

  it('is released if it was only authorised, and returned if it was a second payment', () => {
    assert.equal(lateMoneyOf(unpaid, [payment('succeeded'), release('pending', 'late_payment')]), 'returning');
    assert.equal(lateMoneyOf(unpaid, [payment('succeeded'), release('succeeded', 'late_payment')]), 'returned');
    assert.equal(lateMoneyOf(unpaid, [payment('succeeded'), refund('succeeded', 'second_payment')]), 'returned');
    assert.equal(lateMoneyOf(unpaid, [payment('succeeded'), refund('failed', 'second_payment')]), 'kept');
  });
});
