// Operations: when the acquirer is queried about them, and their ids.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { isId } from '../../src/domain/ids.ts';
import {
  firstInquiryAfterMs,
  inquiredOffSchedule,
  inquiredOnSchedule,
  inquiryWaitsMs,
  newOperation,
  operationIdForKey,
  sentAfter,
} from '../../src/domain/operation.ts';
import { aMoment, aScope } from '../support/records.ts';

const about = { kind: 'payment', paymentIntentId: 'pi_1', checkoutSessionId: 'cs_1', amount: 1250 } as const;

describe('An operation', () => {
  it('is queried at increasing intervals, without end', () => {
    const moment = aMoment();
    let operation = newOperation(moment.newId('op'), aScope(), about, moment);
    const delays = Array.from({ length: 1_000 }, () => {
      operation = inquiredOnSchedule(operation, 5);
      return (operation.dueAt ?? 0) - 5;
    });
    assert.equal(delays[0], 1_000);
    for (const [index, delay] of delays.entries()) assert.ok(delay >= (delays[index - 1] ?? 1), `after ${index}`);
    assert.equal(Math.max(...delays), 3_600_000);
    const old = { ...operation, inquiries: Number.MAX_SAFE_INTEGER };
    assert.ok(Number.isFinite(inquiredOnSchedule(old, 5).dueAt));
  });

  it('is not queried later because of queries in between, however many', () => {
    const moment = aMoment();
    const fresh = newOperation(moment.newId('op'), aScope(), about, moment);
    const queried = inquiredOffSchedule(fresh, moment.now + 200);
    assert.equal(queried.dueAt, moment.now + 1_200, 'soon after a call without a response');
    for (const later of [0, 500, 900, 5_000]) {
      assert.deepEqual(inquiredOffSchedule(queried, moment.now + 200 + later), queried);
    }
    const rarely = { ...fresh, inquiries: 9, dueAt: moment.now + 60_000 };
    assert.equal(inquiredOffSchedule(rarely, moment.now), rarely);
  });

  it('is queried only after the call itself must have ended', () => {
    const moment = aMoment();
    const operation = newOperation(moment.newId('op'), aScope(), about, moment);
    assert.equal(operation.status, 'pending');
    assert.equal(operation.dueAt, moment.now + firstInquiryAfterMs);
    // The maximum of PAYDESK_ACQUIRER_TIMEOUT.
    assert.ok(firstInquiryAfterMs > 10_000);
  });

  it('can be sent later, and that is no impossible wait', () => {
    const moment = aMoment();
    const operation = newOperation(moment.newId('op'), aScope(), about, moment);
    for (const delayMs of [60_000, 60_001, 900_000, 1_800_000, 3_600_000]) {
      const { dueAt, inquiries } = sentAfter(operation, delayMs, moment.now);
      assert.equal(dueAt, moment.now + delayMs);
      assert.ok((inquiryWaitsMs[inquiries] ?? 0) >= delayMs, `${delayMs} after ${inquiries} inquiries`);
    }
  });

  it('waits for the customer if it has an action URL', () => {
    const moment = aMoment();
    const operation = newOperation(
      moment.newId('op'),
      aScope(),
      { ...about, actionUrl: 'https://bank.example' },
      moment,
    );
    assert.equal(operation.status, 'action_needed');
    assert.ok(operation.dueAt !== null);
  });

  it('has the same id only for the same key, merchant and mode', () => {
    const [scope, key] = [aScope(), randomUUID()];
    const id = operationIdForKey(scope, key);
    assert.ok(isId('op', id));
    assert.equal(operationIdForKey({ ...scope }, key), id);
    const others = [
      operationIdForKey(scope, randomUUID()),
      operationIdForKey(aScope(), key),
      operationIdForKey({ ...scope, livemode: true }, key),
    ];
    assert.ok(!others.includes(id));
    assert.equal(new Set(others).size, 3);
  });
});
