// Payment intents over the API: retrieved in every state, and canceled while unpaid.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Trigger } from '../../src/domain/life-cycle.ts';
import { assertRefused, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

const triggersTo: Readonly<Record<string, readonly Trigger[]>> = {
  requires_payment_method: [],
  requires_action: ['action_needed'],
  processing: ['pay'],
  requires_capture: ['pay', 'authorised'],
  succeeded: ['pay', 'captured'],
  canceled: ['cancel'],
  expired: ['session_expired'],
};

describeOnEachEngine('A payment intent', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('can be retrieved in every state, and listed by state', async () => {
    const { test, newSession, moveOn } = await paydesk().newMerchant();
    for (const [status, triggers] of Object.entries(triggersTo)) {
      const session = await newSession();
      await moveOn(session.id, ...triggers);
      const intent = must(200, await test.get(`/payment-intents/${session.payment_intent}`));
      assert.equal(intent.status, status);
      assert.deepEqual(must(200, await test.get(`/payment-intents?status=${status}`)).data, [intent]);
    }
  });

  it('shows the payment method, the captured amount, and why the last attempt failed', async () => {
    const { test, newSession, moveOn } = await paydesk().newMerchant();
    const session = await newSession();
    const card = { brand: 'visa', last4: '0002', exp_month: 12, exp_year: 2030 };
    const lastPaymentError = { code: 'card_declined', decline_code: 'generic_decline', message: 'Declined.' };
    await moveOn(session.id, ['pay', { paymentMethod: { type: 'card', card } }], ['declined', { lastPaymentError }]);
    const path = `/payment-intents/${session.payment_intent}`;
    const failed = must(200, await test.get(path));
    assert.deepEqual(failed.payment_method, { type: 'card', card });
    assert.deepEqual(failed.last_payment_error, lastPaymentError);
    await moveOn(session.id, ['pay', { paymentMethod: { type: 'ideal' }, lastPaymentError: null }]);
    await moveOn(session.id, ['captured', { amountCaptured: 1250 }]);
    const paid = must(200, await test.get(path));
    assert.deepEqual(paid.payment_method, { type: 'ideal' });
    assert.equal(paid.last_payment_error, null);
    assert.equal(paid.amount_captured, 1250);
    const completed = must(200, await test.get(`/checkout-sessions/${session.id}`));
    assert.equal(completed.status, 'completed');
    assert.equal(completed.completed_at, new Date(paydesk().clock.now()).toISOString());
  });
});

describeOnEachEngine('Canceling a payment intent', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('cancels an unpaid intent, expires its session, and creates both events', async () => {
    const { test, newSession, events } = await paydesk().newMerchant();
    const session = await newSession({ metadata: { order: '1' } });
    const canceled = must(
      200,
      await test.post(`/payment-intents/${session.payment_intent}/cancel`, { cancellation_reason: 'abandoned' }),
    );
    assert.equal(canceled.status, 'canceled');
    assert.equal(canceled.canceled_at, new Date(paydesk().clock.now()).toISOString());
    assert.equal(canceled.cancellation_reason, 'abandoned');
    assert.deepEqual(must(200, await test.get(`/payment-intents/${session.payment_intent}`)), canceled);
    const ended = must(200, await test.get(`/checkout-sessions/${session.id}`));
    assert.deepEqual(ended, { ...session, status: 'expired', expires_at: canceled.canceled_at });
    const byType = Object.fromEntries((await events()).map(({ type, data }) => [type, data]));
    assert.deepEqual(byType, {
      'payment_intent.canceled': {
        id: session.payment_intent,
        object: 'payment_intent',
        status: 'canceled',
        amount: 1250,
        currency: 'EUR',
        metadata: { order: '1' },
      },
      'checkout_session.expired': {
        id: session.id,
        object: 'checkout_session',
        status: 'expired',
        amount: 1250,
        currency: 'EUR',
        metadata: { order: '1' },
        payment_intent: session.payment_intent,
        expires_at: canceled.canceled_at,
      },
    });
  });

  it('requires neither a reason nor a body', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    for (const body of [undefined, {}]) {
      const { payment_intent } = await newSession();
      const canceled = must(200, await test.post(`/payment-intents/${payment_intent}/cancel`, body));
      assert.equal(canceled.cancellation_reason, null);
    }
  });

  it('is refused in every other state, and changes nothing', async () => {
    const { test, newSession, moveOn, events } = await paydesk().newMerchant();
    for (const status of ['requires_action', 'processing', 'succeeded', 'canceled', 'expired']) {
      const session = await newSession();
      await moveOn(session.id, ...(triggersTo[status] ?? []));
      const before = await events();
      const path = `/payment-intents/${session.payment_intent}`;
      assertRefused(await test.post(`${path}/cancel`), { status: 409, code: 'payment_not_cancelable' });
      assert.equal(must(200, await test.get(path)).status, status);
      assert.deepEqual(await events(), before, status);
    }
  });

  it('rejects reasons that are not text of 1 to 500 characters', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { payment_intent } = await newSession();
    const path = `/payment-intents/${payment_intent}`;
    for (const cancellation_reason of ['', 'x'.repeat(501), 7, null, {}]) {
      const invalid = { status: 400, code: 'parameter_invalid', param: 'cancellation_reason' };
      assertRefused(await test.post(`${path}/cancel`, { cancellation_reason }), invalid);
    }
    assert.equal(must(200, await test.get(path)).status, 'requires_payment_method');
  });

  it('has exactly one outcome in a race with expiry', async () => {
    const { test, newSession, events } = await paydesk().newMerchant();
    for (let round = 0; round < 5; round += 1) {
      const before = (await events()).length;
      const { id, payment_intent } = await newSession();
      const [canceled, expired] = await Promise.all([
        test.post(`/payment-intents/${payment_intent}/cancel`),
        test.post(`/checkout-sessions/${id}/expire`),
      ]);
      assert.deepEqual([canceled.status, expired.status].sort(), [200, 409]);
      const intent = must(200, await test.get(`/payment-intents/${payment_intent}`));
      assert.equal(intent.status, canceled.status === 200 ? 'canceled' : 'expired');
      assert.equal((await events()).length - before, canceled.status === 200 ? 2 : 1);
    }
  });
});
