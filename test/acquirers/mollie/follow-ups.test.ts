// Captures, voids and refunds at Mollie, with every way in which a response can get lost.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AcquirerSilent } from '../../../src/acquirers/acquirer.ts';
import { followUp, hour, mollieAccount } from './mollie-account.ts';

const manual = { method: 'card', captureMethod: 'manual' } as const;

describe('a capture at Mollie', () => {
  it('takes all of the authorised amount', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    const payment = await paid(manual);
    const { outcome, reference } = await account.capture(followUp('capture', payment));
    assert.deepEqual(outcome, { kind: 'done' });
    assert.match(reference ?? '', /^cpt_/);
    assert.deepEqual(simulator.books.sums(), { EUR: { captured: 1250, refunded: 0, chargedBack: 0 } });
  });

  it('takes part of it, and the rest is released', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    const payment = await paid(manual);
    assert.deepEqual((await account.capture(followUp('capture', payment, 400))).outcome, { kind: 'done' });
    assert.equal(simulator.books.sums().EUR?.captured, 400);
    const second = await account.capture(followUp('capture', payment, 100));
    assert.equal(second.outcome.kind, 'declined');
  });

  it('is declined above the authorised amount', async (test) => {
    const { account, paid } = await mollieAccount(test);
    const payment = await paid(manual);
    const decline = { code: 'processing_error', providerCode: 'unprocessable_entity.amount' };
    const { outcome } = await account.capture(followUp('capture', payment, 1251));
    assert.deepEqual(outcome, { kind: 'declined', decline });
  });

  it('is pending until Mollie has made it', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    simulator.books.behaviour.newCapture = 'pending';
    const payment = await paid(manual);
    const capture = followUp('capture', payment);
    const { outcome, reference = null } = await account.capture(capture);
    assert.deepEqual(outcome, { kind: 'pending', customerDone: true });
    simulator.books.settleCapture(reference ?? '', 'succeeded');
    assert.deepEqual((await account.inquire({ ...capture, reference })).outcome, { kind: 'done' });
  });

  it('is declined if it fails later', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    simulator.books.behaviour.newCapture = 'failed';
    const { outcome } = await account.capture(followUp('capture', await paid(manual)));
    assert.deepEqual(outcome, {
      kind: 'declined',
      decline: { code: 'processing_error', providerCode: 'capture_failed' },
    });
  });
});

describe('a void at Mollie', () => {
  it('releases the authorisation', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    const payment = await paid(manual);
    assert.deepEqual((await account.void(followUp('void', payment))).outcome, { kind: 'done' });
    assert.equal(simulator.books.payments[0]?.status, 'canceled');
  });

  it('cancels the payment where Mollie can', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    simulator.books.behaviour.cancelableWhenAuthorized = true;
    const payment = await paid(manual);
    assert.deepEqual((await account.void(followUp('void', payment))).outcome, { kind: 'done' });
    assert.ok(!simulator.requests.some((request) => request.includes('release-authorization')));
  });

  it('is pending while the release is accepted but not carried out', async (test) => {
    const { account, simulator, clock, paid } = await mollieAccount(test);
    simulator.books.behaviour.slowRelease = true;
    const payment = await paid(manual);
    const release = followUp('void', payment);
    const { outcome, state = null } = await account.void(release);
    assert.deepEqual(outcome, { kind: 'pending', customerDone: true });
    clock.now += 2 * hour;
    assert.deepEqual((await account.close({ ...release, state })).outcome, { kind: 'pending', customerDone: true });
    simulator.books.finishRelease(payment.reference ?? '');
    assert.deepEqual((await account.inquire({ ...release, state })).outcome, { kind: 'done' });
  });

  it('is done if the authorisation has lapsed', async (test) => {
    const { account, clock, paid } = await mollieAccount(test);
    const payment = await paid(manual);
    clock.now += 8 * 24 * hour;
    assert.deepEqual((await account.void(followUp('void', payment))).outcome, { kind: 'done' });
  });

  for (const [part, amount] of Object.entries({ all: 1250, 'only a part': 400 })) {
    it(`is declined if ${part} was captured`, async (test) => {
      const { account, paid } = await mollieAccount(test);
      const payment = await paid(manual);
      await account.capture(followUp('capture', payment, amount));
      const release = followUp('void', payment);
      const decline = { code: 'processing_error', providerCode: 'already_captured' };
      assert.deepEqual((await account.void(release)).outcome, { kind: 'declined', decline });
      assert.deepEqual((await account.inquire(release)).outcome, { kind: 'declined', decline });
    });
  }

  for (const when of ['before', 'after'] as const) {
    it(`is made once if the connection breaks ${when} the effect`, async (test) => {
      const { account, simulator, paid } = await mollieAccount(test);
      const release = followUp('void', await paid(manual));
      simulator.faults.add({ method: 'POST', path: /release/, when, how: 'reset' });
      await assert.rejects(account.void(release), AcquirerSilent);
      const expected = when === 'after' ? { kind: 'done' } : { kind: 'pending', customerDone: true };
      assert.deepEqual((await account.inquire(release)).outcome, expected);
      assert.deepEqual((await account.close(release)).outcome, { kind: 'done' });
    });
  }

  it('is not made if its request never arrived within the hour', async (test) => {
    const { account, simulator, clock, paid } = await mollieAccount(test);
    const release = followUp('void', await paid(manual));
    clock.now += hour;
    assert.deepEqual((await account.close(release)).outcome, { kind: 'not_made' });
    assert.equal(simulator.books.payments[0]?.status, 'authorized');
  });
});

describe('a refund at Mollie', () => {
  it('is pending until Mollie has transferred it', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    const payment = await paid();
    const refund = followUp('refund', payment, 300);
    const { outcome, reference = null } = await account.refund(refund);
    assert.deepEqual(outcome, { kind: 'pending', customerDone: true });
    for (const status of ['queued', 'pending', 'processing'] as const) {
      simulator.books.settleRefund(reference ?? '', status);
      assert.equal((await account.inquire({ ...refund, reference })).outcome.kind, 'pending');
    }
    simulator.books.settleRefund(reference ?? '', 'refunded');
    assert.deepEqual((await account.inquire({ ...refund, reference })).outcome, { kind: 'done' });
    assert.equal(simulator.books.payments[0]?.refunds[0]?.description, 'Order 7');
  });

  for (const status of ['failed', 'canceled'] as const) {
    it(`is declined if Mollie says ${status}`, async (test) => {
      const { account, simulator, paid } = await mollieAccount(test);
      const refund = followUp('refund', await paid(), 300);
      const { reference = null } = await account.refund(refund);
      simulator.books.settleRefund(reference ?? '', status);
      const decline = { code: 'processing_error', providerCode: `refund_${status}` };
      assert.deepEqual((await account.inquire({ ...refund, reference })).outcome, { kind: 'declined', decline });
    });
  }

  it('can be made in parts, up to what is left', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    const payment = await paid();
    for (const amount of [1000, 249]) {
      assert.equal((await account.refund(followUp('refund', payment, amount))).outcome.kind, 'pending');
    }
    assert.equal((await account.refund(followUp('refund', payment, 2))).outcome.kind, 'declined');
    assert.equal(simulator.books.sums().EUR?.refunded, 1249);
  });

  for (const how of ['reset', 'truncated', 'garbage', 'nonsense', 500] as const) {
    for (const when of ['before', 'after'] as const) {
      it(`is made once after ${how} ${when} the effect`, async (test) => {
        const { account, simulator, paid } = await mollieAccount(test);
        const refund = followUp('refund', await paid(), 300);
        simulator.faults.add({ method: 'POST', path: /refunds$/, when, how });
        await assert.rejects(account.refund(refund), AcquirerSilent);
        const { reference } = await account.close(refund);
        assert.deepEqual(await account.refund(refund).then((answer) => answer.reference), reference);
        assert.equal(simulator.books.sums().EUR?.refunded, 300);
      });
    }
  }

  it('is found after Mollie has forgotten the key, and never sent under it again', async (test) => {
    const { account, simulator, clock, paid } = await mollieAccount(test);
    const payment = await paid();
    const [lost, never] = [followUp('refund', payment, 300), followUp('refund', payment, 400)];
    simulator.faults.add({ method: 'POST', path: /refunds$/, when: 'after', how: 'reset' });
    await assert.rejects(account.refund(lost), AcquirerSilent);
    clock.now += 2 * hour;
    for (const ask of [account.refund, account.inquire, account.close]) {
      assert.equal((await ask(lost)).outcome.kind, 'pending');
      assert.deepEqual((await ask(never)).outcome, { kind: 'not_made' });
    }
    assert.equal(simulator.books.sums().EUR?.refunded, 300);
  });

  it('is unknown if Mollie takes it for a duplicate, and made later', async (test) => {
    const { account, simulator, clock, paid } = await mollieAccount(test);
    simulator.books.behaviour.duplicateRefundWithinMs = 60_000;
    const payment = await paid();
    const first = followUp('refund', payment, 300);
    await account.refund(first);
    const second = { ...first, id: `${first.id}_again` };
    await assert.rejects(account.refund(second), AcquirerSilent);
    clock.now += hour;
    assert.equal((await account.refund({ ...second, id: 'op_third', createdAt: clock.now })).outcome.kind, 'pending');
    assert.deepEqual((await account.close(second)).outcome, { kind: 'not_made' });
  });
});
