// What is read from Stripe after a notification: refunds and disputes of a payment, whoever made them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProviderFact } from '../../../src/acquirers/provider.ts';
import { assertSilent, openScene } from './scene.ts';

const noticeOf = (subject: string | null) => ({ id: 'evt_1', type: 'charge.refunded', subject: subject ?? '' });

function assertPayment(fact: ProviderFact | null): Extract<ProviderFact, { kind: 'payment' }> {
  assert.ok(fact?.kind === 'payment', JSON.stringify(fact));
  return fact;
}

describe('Facts from Stripe', () => {
  it('list all refunds of a payment: ours with their operation, and those of the dashboard', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const payment = await paid('pm_card_visa', { currency: 'ISK', amount: 500 });
    const ours = followUp(payment, 'refund', { amount: 100 });
    await account.refund(ours);
    const theirs = simulator.dashboard.refund(payment.reference ?? '', 20_000);
    const fact = assertPayment(await account.resolveNotice(noticeOf(payment.reference)));
    assert.equal(fact.reference, payment.reference);
    assert.equal(fact.operation, payment.id);
    assert.deepEqual(fact.disputes, []);
    assert.deepEqual(
      fact.refunds.map(({ operation, amount, status }) => ({ operation, amount, status })),
      [
        { operation: null, amount: 200, status: 'succeeded' },
        { operation: ours.id, amount: 100, status: 'succeeded' },
      ],
    );
    assert.equal(fact.refunds[0]?.reference, theirs.id);
  });

  it('leave out what a partial capture has released, which Stripe lists as a refund', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const payment = await paid('pm_card_visa', { captureMethod: 'manual', currency: 'ISK', amount: 5_000 });
    const reference = payment.reference ?? '';
    await account.capture(followUp(payment, 'capture', { amount: 3_000 }));
    const refunds = async () => assertPayment(await account.resolveNotice(noticeOf(reference))).refunds;
    assert.equal(simulator.books.refunds.size, 1);
    assert.deepEqual(await refunds(), []);
    // Of the same amount, but made later.
    const theirs = simulator.dashboard.refund(reference, 200_000);
    assert.deepEqual(
      (await refunds()).map(({ reference: id, amount }) => [id, amount]),
      [[theirs.id, 2_000]],
    );
    const ours = followUp(payment, 'refund', { amount: 1_000 });
    await account.refund(ours);
    assert.deepEqual(
      (await refunds()).map(({ operation, amount }) => [operation, amount]),
      [
        [ours.id, 1_000],
        [null, 2_000],
      ],
    );
  });

  it('count a refund of ours that is as large as what was released', async (t) => {
    const { paid, followUp, account } = await openScene(t);
    const payment = await paid('pm_card_visa', { captureMethod: 'manual', amount: 2_000 });
    await account.capture(followUp(payment, 'capture', { amount: 1_000 }));
    const ours = followUp(payment, 'refund', { amount: 1_000 });
    await account.refund(ours);
    const { refunds } = assertPayment(await account.resolveNotice(noticeOf(payment.reference)));
    assert.deepEqual(
      refunds.map(({ operation }) => operation),
      [ours.id],
    );
  });

  it('name refunds that are pending or have failed', async (t) => {
    const { paid, followUp, account, simulator } = await openScene(t);
    const payment = await paid('pm_card_pendingRefund');
    const { reference = '' } = await account.refund(followUp(payment, 'refund', { amount: 100 }));
    const statuses = async () => {
      const fact = assertPayment(await account.resolveNotice(noticeOf(payment.reference)));
      return fact.refunds.map(({ status }) => status);
    };
    assert.deepEqual(await statuses(), ['pending']);
    simulator.dashboard.settleRefund(reference, 'failed');
    assert.deepEqual(await statuses(), ['failed']);
  });

  it('describe a dispute and follow its status', async (t) => {
    const { paid, account, simulator, clock } = await openScene(t);
    const payment = await paid('pm_card_createDispute');
    const [dispute] = simulator.books.disputes.values();
    const disputes = async () =>
      assertPayment(await account.resolveNotice(noticeOf(payment.reference))).disputes.map((one) => one);
    const createdAt = Math.floor(clock.now() / 1_000) * 1_000;
    assert.deepEqual(await disputes(), [
      {
        reference: dispute?.id,
        amount: 1_999,
        currency: 'EUR',
        reason: 'fraudulent',
        status: 'needs_response',
        evidenceDueBy: createdAt + 9 * 86_400_000,
        isClosed: false,
        createdAt,
      },
    ]);
    const mapped = {
      under_review: 'under_review',
      won: 'won',
      lost: 'lost',
      warning_needs_response: 'warning',
      warning_under_review: 'warning',
      warning_closed: 'warning',
      prevented: 'warning',
    };
    for (const [status, ours] of Object.entries(mapped)) {
      simulator.dashboard.moveDispute(dispute?.id ?? '', status);
      const [described] = await disputes();
      assert.equal(described?.status, ours);
      assert.equal(described.isClosed, ['won', 'lost', 'warning_closed', 'prevented'].includes(status), status);
    }
    simulator.dashboard.moveDispute(dispute?.id ?? '', 'something_new');
    await assertSilent(disputes(), /dispute/);
  });

  it('tell which permission is missing for disputes, and everything else', async (t) => {
    const { paid, account, simulator } = await openScene(t);
    const payment = await paid();
    simulator.dashboard.refund(payment.reference ?? '', 500);
    simulator.withhold('disputes');
    const fact = assertPayment(await account.resolveNotice(noticeOf(payment.reference)));
    assert.deepEqual(
      fact.refunds.map(({ amount, status }) => ({ amount, status })),
      [{ amount: 500, status: 'succeeded' }],
    );
    assert.deepEqual(fact.disputes, []);
    assert.match(fact.unread?.reason ?? '', /Disputes \(read\)/);
    assert.equal(fact.unread?.isAwaited, false);
    const ofDispute = { ...noticeOf(payment.reference), type: 'charge.dispute.created' };
    assert.equal(assertPayment(await account.resolveNotice(ofDispute)).unread?.isAwaited, true);
  });

  it('have no deadline for evidence if the bank accepts none', async (t) => {
    const { paid, account, simulator } = await openScene(t);
    const payment = await paid('pm_card_createDispute');
    for (const [id, dispute] of simulator.books.disputes) simulator.books.disputes.set(id, { ...dispute, dueBy: 0 });
    const { disputes } = assertPayment(await account.resolveNotice(noticeOf(payment.reference)));
    assert.deepEqual(
      disputes.map(({ evidenceDueBy }) => evidenceDueBy),
      [null],
    );
  });

  it('are found from a charge, a refund or a dispute', async (t) => {
    const { paid, account, simulator } = await openScene(t);
    const payment = await paid('pm_card_createDisputeInquiry');
    const refund = simulator.dashboard.refund(payment.reference ?? '', 1);
    const [charge] = simulator.books.charges.keys();
    const [dispute] = simulator.books.disputes.keys();
    for (const subject of [charge, dispute, refund.id])
      assert.equal(assertPayment(await account.resolveNotice(noticeOf(subject ?? ''))).reference, payment.reference);
  });

  it('tell about a payment whose metadata was removed, because it may be known by its reference', async (t) => {
    const { paid, account, simulator } = await openScene(t);
    const { reference } = await paid();
    simulator.dashboard.refund(reference ?? '', 500);
    simulator.books.intent(reference ?? '').metadata = {};
    assert.deepEqual(await account.resolveNotice(noticeOf(reference)), { kind: 'unmarked', reference });
    const fact = assertPayment(await account.resolveNotice({ ...noticeOf(reference), isOurs: true }));
    assert.deepEqual([fact.reference, fact.operation], [reference, null]);
    assert.deepEqual(
      fact.refunds.map(({ amount }) => amount),
      [500],
    );
  });

  it('are null for what Stripe does not know, and without our id for payments of other systems', async (t) => {
    const { account, simulator } = await openScene(t);
    for (const subject of ['pi_unknown', 'ch_unknown', 're_unknown', 'du_unknown', 'cus_1', '../../v1/account'])
      assert.equal(await account.resolveNotice(noticeOf(subject)), null);
    const response = await fetch(`${simulator.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${simulator.secretKey}` },
      body: new URLSearchParams({ amount: '500', currency: 'eur' }),
    });
    const { id } = (await response.json()) as { id: string };
    assert.deepEqual(await account.resolveNotice(noticeOf(id)), { kind: 'unmarked', reference: id });
  });

  it('stay unknown while Stripe does not answer', async (t) => {
    const { paid, account, simulator } = await openScene(t);
    const payment = await paid();
    for (const endpoint of ['payment_intents.retrieve', 'refunds.list', 'disputes.list']) {
      simulator.faults.inject(endpoint, '500_before');
      await assertSilent(account.resolveNotice(noticeOf(payment.reference)));
    }
  });
});
