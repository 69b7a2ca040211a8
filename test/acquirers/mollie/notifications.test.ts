// Mollie's notifications: unsigned, so they are only a reason to ask.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AcquirerSilent } from '../../../src/acquirers/acquirer.ts';
import { readMollieNotification } from '../../../src/acquirers/mollie/notifications.ts';
import type { Notice } from '../../../src/acquirers/provider.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';
import { followUp, mollieAccount, startOfTest } from './mollie-account.ts';

const read = (body: string | Buffer) =>
  readMollieNotification({ headers: {}, body: Buffer.from(body), now: startOfTest });
const noticeOf = (subject: string): Notice => ({ id: `${subject}:1`, type: 'payment', subject });

describe('a notification of Mollie', () => {
  it('is a notice about the payment that it names', async (test) => {
    const { simulator, paid } = await mollieAccount(test);
    const receiver = await startWebhookReceiver(test);
    const payment = await paid({ notificationUrl: `${receiver.url}/notifications` });
    await simulator.notifications.idle();
    const [request] = receiver.requests;
    assert.ok(request);
    const reading = read(request.body);
    assert.ok('notices' in reading);
    assert.deepEqual(
      reading.notices.map(({ subject, type }) => ({ subject, type })),
      [{ subject: payment.reference, type: 'payment' }],
    );
  });

  it('can be repeated, because all of them look the same', () => {
    assert.deepEqual(read('id=tr_1'), {
      notices: [{ id: 'tr_1', type: 'payment', subject: 'tr_1', isRepeatable: true }],
    });
  });

  for (const body of ['', 'tr_1', 'id=', '{"id":"tr_1"}', `id=tr_${'x'.repeat(2000)}`]) {
    it(`is refused if its body is ${JSON.stringify(body.slice(0, 20))}`, () => {
      assert.ok('refused' in read(body));
    });
  }

  it('is ignored if it is about something that we never create', () => {
    for (const id of ['sub_rVKGtNd6s3', 'tr_', 'tr_1/refunds', '../x', 'Event-17', '💶', 'x'.repeat(1_000)])
      assert.deepEqual(read(new URLSearchParams({ id }).toString().slice(0, 1_024)), { notices: [] }, id);
  });

  it('leads to all refunds, made by us or not', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    const payment = await paid();
    const reference = payment.reference ?? '';
    const ours = followUp('refund', payment, 300);
    const { reference: first } = await account.refund(ours);
    const second = simulator.books.refundInDashboard(reference, 200);
    simulator.books.settleRefund(second.id, 'refunded');
    assert.deepEqual(await account.resolveNotice(noticeOf(reference)), {
      kind: 'payment',
      reference,
      operation: payment.id,
      refunds: [
        { reference: first, operation: ours.id, amount: 300, status: 'pending' },
        { reference: second.id, operation: null, amount: 200, status: 'succeeded' },
      ],
      disputes: [],
    });
  });

  it('leads to chargebacks, which are lost unless Mollie reverses them', async (test) => {
    const { account, simulator, clock, paid } = await mollieAccount(test);
    const reference = (await paid({ method: 'card' })).reference ?? '';
    const reason = { code: 'AC04', description: 'Account closed' };
    const first = simulator.books.chargeBack(reference, 1000, reason);
    const second = simulator.books.chargeBack(reference, 250);
    simulator.books.reverseChargeback(second.id);
    const fact = await account.resolveNotice(noticeOf(reference));
    const common = { currency: 'EUR', evidenceDueBy: null, isClosed: true, createdAt: clock.now };
    assert.deepEqual(fact?.kind === 'payment' && fact.disputes, [
      { ...common, reference: first.id, amount: 1000, reason: 'AC04', status: 'lost' },
      { ...common, reference: second.id, amount: 250, reason: 'general', status: 'won' },
    ]);
  });

  it('leads to all of them if Mollie does not embed them, or not all', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    const reference = (await paid()).reference ?? '';
    simulator.books.chargeBack(reference, 100);
    simulator.books.refundInDashboard(reference, 200);
    simulator.embedsParts(false);
    const fact = await account.resolveNotice(noticeOf(reference));
    assert.ok(fact?.kind === 'payment');
    assert.deepEqual([fact.disputes.length, fact.refunds.length], [1, 1]);
    simulator.embedsParts(true);
    for (let at = 0; at < 60; at += 1) simulator.books.chargeBack(reference, 1);
    const many = await account.resolveNotice(noticeOf(reference));
    assert.equal(many?.kind === 'payment' && many.disputes.length, 61);
  });

  it('leads to nothing if Mollie does not know the payment', async (test) => {
    const { account } = await mollieAccount(test);
    assert.equal(await account.resolveNotice(noticeOf('tr_unknown')), null);
  });

  it('stays open if Mollie does not answer', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    const reference = (await paid()).reference ?? '';
    simulator.faults.add({ method: 'GET', when: 'before', how: 500 });
    await assert.rejects(account.resolveNotice(noticeOf(reference)), AcquirerSilent);
  });
});
