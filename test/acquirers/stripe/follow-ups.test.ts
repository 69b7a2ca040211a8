// Captures, voids and refunds at Stripe, and what becomes of them after every kind of silence.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FollowUp } from '../../../src/acquirers/acquirer.ts';
import type { Fault } from '../stripe-simulator/faults.ts';
import { assertOutcome, assertSilent, committed, openScene, type Scene } from './scene.ts';

const hour = 3_600_000;
const before: readonly Fault[] = ['silent_before', 'reset_before', '500_before', '503_before', 'garbage_before', '429'];
const after: readonly Fault[] = ['silent_after', 'reset_after', 'garbage_after', '500_after'];
const endpoints = {
  capture: 'payment_intents.capture',
  void: 'payment_intents.cancel',
  refund: 'refunds.create',
} as const;

/** A payment that can be captured, voided or refunded. */
async function prepared({ paid, followUp }: Scene, kind: FollowUp['kind']): Promise<FollowUp> {
  const payment = await paid('pm_card_visa', { captureMethod: kind === 'refund' ? 'automatic' : 'manual' });
  return followUp(payment, kind, kind === 'void' ? {} : { amount: 700 });
}

const expectedTotals = {
  capture: { captured: 700, held: 0, refunded: 0 },
  void: { captured: 0, held: 0, refunded: 0 },
  refund: { captured: 1_999, held: 0, refunded: 700 },
} as const;

for (const kind of ['capture', 'void', 'refund'] as const) {
  describe(`A ${kind}`, () => {
    it('happens once, however often it is repeated', async (t) => {
      const scene = await openScene(t);
      const operation = await prepared(scene, kind);
      for (let i = 0; i < 3; i += 1) assertOutcome(await scene.account[kind](operation), { kind: 'done' });
      assertOutcome(await scene.account.inquire(operation), { kind: 'done' });
      assert.deepEqual(scene.simulator.totals(), expectedTotals[kind]);
    });

    for (const fault of before) {
      it(`is repeated under the same key after silence before the effect (${fault})`, async (t) => {
        const scene = await openScene(t);
        const operation = await prepared(scene, kind);
        scene.simulator.faults.inject(endpoints[kind], fault, 2);
        await assertSilent(scene.account[kind](operation));
        const asked = scene.simulator.calls.length;
        assertOutcome(await scene.account.inquire(operation), { kind: 'pending', customerDone: true });
        assert.ok(scene.simulator.calls.slice(asked).every(({ endpoint }) => /retrieve|list/.test(endpoint)));
        await assertSilent(scene.account.close(operation));
        assertOutcome(await scene.account.close(operation), { kind: 'done' });
        assert.deepEqual(scene.simulator.totals(), expectedTotals[kind]);
        const sent = scene.simulator.calls.filter(({ endpoint }) => endpoint === endpoints[kind]);
        assert.deepEqual([...new Set(sent.map(({ idempotencyKey }) => idempotencyKey))], [`${operation.id}-${kind}`]);
      });
    }

    for (const fault of after) {
      it(`is found after silence after the effect (${fault})`, async (t) => {
        const scene = await openScene(t);
        const operation = await prepared(scene, kind);
        scene.simulator.faults.inject(endpoints[kind], fault);
        await assertSilent(scene.account[kind](operation));
        assertOutcome(await scene.account.close(operation), { kind: 'done' });
        assert.deepEqual(scene.simulator.totals(), expectedTotals[kind]);
      });
    }

    it('is looked up, and not repeated, once Stripe may have forgotten the key: it was made', async (t) => {
      const scene = await openScene(t);
      const operation = await prepared(scene, kind);
      scene.simulator.faults.inject(endpoints[kind], 'reset_after');
      await assertSilent(scene.account[kind](operation));
      scene.clock.advance(25 * hour);
      const sent = scene.simulator.calls.length;
      const answer = await scene.account.inquire(operation);
      assertOutcome(answer, { kind: 'done' });
      assert.equal(answer.reference !== undefined, kind === 'refund');
      assert.ok(scene.simulator.calls.slice(sent).every(({ endpoint }) => /retrieve|list/.test(endpoint)));
      assert.deepEqual(scene.simulator.totals(), expectedTotals[kind]);
    });

    it('is looked up, and not repeated, once Stripe may have forgotten the key: it was not made', async (t) => {
      const scene = await openScene(t);
      const operation = await prepared(scene, kind);
      const untouched = scene.simulator.totals();
      scene.simulator.faults.inject(endpoints[kind], 'reset_before');
      await assertSilent(scene.account[kind](operation));
      scene.clock.advance(23 * hour);
      assertOutcome(await scene.account.inquire(operation), { kind: 'not_made' });
      assertOutcome(await scene.account.close(operation), { kind: 'not_made' });
      assertOutcome(await scene.account[kind](operation), { kind: 'not_made' });
      assert.deepEqual(scene.simulator.totals(), untouched);
    });
  });
}

describe('A capture', () => {
  it('of more than was authorised is refused', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const payment = await paid('pm_card_visa', { captureMethod: 'manual' });
    const decline = { code: 'processing_error', providerCode: 'amount_too_large' } as const;
    assertOutcome(await account.capture(followUp(payment, 'capture', { amount: 2_000 })), {
      kind: 'declined',
      decline,
    });
    assert.equal(simulator.totals().captured, 0);
  });

  it('stays unknown if its key was used with other parameters', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const operation = followUp(await paid('pm_card_visa', { captureMethod: 'manual' }), 'capture', { amount: 2_000 });
    await account.capture(operation);
    await assertSilent(account.capture({ ...operation, amount: 700 }), /other parameters/);
    assert.equal(simulator.totals().captured, 0);
  });

  it('is refused once Stripe has released the authorisation', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const payment = await paid('pm_card_visa', { captureMethod: 'manual' });
    simulator.dashboard.expireAuthorisation(payment.reference ?? '');
    const decline = { code: 'processing_error', providerCode: 'payment_intent_unexpected_state' } as const;
    assertOutcome(await account.capture(followUp(payment, 'capture')), { kind: 'declined', decline });
    // Voiding wants just what has happened.
    assertOutcome(await account.void(followUp(payment, 'void')), { kind: 'done' });
    assertOutcome(await account.inquire(payment), { kind: 'not_made' });
  });

  it('is in the units of Stripe', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const payment = await paid('pm_card_visa', { captureMethod: 'manual', currency: 'ISK', amount: 500 });
    assertOutcome(await account.capture(followUp(payment, 'capture', { amount: 120 })), { kind: 'done' });
    assert.equal(simulator.totals().captured, 12_000);
    assertOutcome(await account.refund(followUp(payment, 'refund', { amount: 20 })), { kind: 'done' });
    assert.equal(simulator.totals().refunded, 2_000);
  });
});

describe('A void', () => {
  it('of a captured payment is refused', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const payment = await paid();
    const decline = { code: 'processing_error', providerCode: 'payment_intent_unexpected_state' } as const;
    assertOutcome(await account.void(followUp(payment, 'void')), { kind: 'declined', decline });
    assert.equal(simulator.totals().captured, 1_999);
  });
});

describe('A refund', () => {
  it('may be one of several, up to what was captured', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const payment = await paid();
    assertOutcome(await account.refund(followUp(payment, 'refund', { amount: 1_000 })), { kind: 'done' });
    assertOutcome(await account.refund(followUp(payment, 'refund', { amount: 999 })), { kind: 'done' });
    const decline = { code: 'processing_error', providerCode: 'charge_already_refunded' } as const;
    assertOutcome(await account.refund(followUp(payment, 'refund', { amount: 1 })), { kind: 'declined', decline });
    assert.deepEqual(simulator.totals(), { captured: 1_999, held: 0, refunded: 1_999 });
  });

  it('has its own reference and is marked with our operation', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const operation = followUp(await paid(), 'refund');
    const { reference } = await account.refund(operation);
    const [refund] = simulator.books.refunds.values();
    assert.equal(reference, refund?.id);
    assert.deepEqual(refund?.metadata, { paydesk_operation: operation.id });
  });

  it('may stay pending, and then succeed or fail', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const payment = await paid('pm_card_pendingRefund');
    const [first, second] = [
      followUp(payment, 'refund', { amount: 100 }),
      followUp(payment, 'refund', { amount: 200 }),
    ];
    const pending = { kind: 'pending', customerDone: true } as const;
    const answers = [await account.refund(first), await account.refund(second)];
    for (const answer of answers) assertOutcome(answer, pending);
    simulator.dashboard.settleRefund(answers[0]?.reference ?? '', 'succeeded');
    simulator.dashboard.settleRefund(answers[1]?.reference ?? '', 'failed');
    assertOutcome(await account.inquire(committed(first, answers[0] ?? { outcome: pending })), { kind: 'done' });
    assertOutcome(await account.inquire(committed(second, answers[1] ?? { outcome: pending })), {
      kind: 'declined',
      decline: { code: 'generic_decline', providerCode: 'expired_or_canceled_card' },
    });
  });

  it('that stays pending for days is looked up when it is repeated, and not made again', async (t) => {
    const { paid, followUp, account, simulator, clock } = await openScene(t);
    const pending = { kind: 'pending', customerDone: true } as const;
    const refund = followUp(await paid('pm_card_pendingRefund'), 'refund', { amount: 100 });
    const stored = committed(refund, await account.refund(refund));
    clock.advance(72 * hour);
    assertOutcome(await account.refund(stored), pending);
    simulator.dashboard.settleRefund(stored.reference ?? '', 'succeeded');
    assertOutcome(await account.refund(stored), { kind: 'done' });
    assert.equal(simulator.books.refunds.size, 1);
  });

  it('is found among many others by our operation, not by its amount', async (t) => {
    const { paid, followUp, account, simulator, clock } = await openScene(t);
    const payment = await paid('pm_card_visa', { amount: 100_000 });
    const ours = followUp(payment, 'refund', { amount: 10 });
    simulator.faults.inject('refunds.create', 'reset_after');
    await assertSilent(account.refund(ours));
    for (let i = 0; i < 250; i += 1) simulator.dashboard.refund(payment.reference ?? '', 10);
    clock.advance(25 * hour);
    const answer = await account.inquire(ours);
    assertOutcome(answer, { kind: 'done' });
    const found = simulator.books.refunds.get(answer.reference ?? '');
    assert.equal(found?.metadata.paydesk_operation, ours.id);
  });

  it('stays unknown if its key was used with other parameters', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const operation = followUp(await paid(), 'refund', { amount: 100 });
    await account.refund(operation);
    await assertSilent(account.refund({ ...operation, amount: 200 }));
    assert.equal(simulator.totals().refunded, 100);
  });
});
