// POST /checkout-sessions/{id}/expire: the merchant ends an open session now.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

describeOnEachEngine('Expiring a checkout session', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('expires the session and its payment intent, with one event', async () => {
    const { test, newSession, events } = await paydesk().newMerchant();
    const session = await newSession({ metadata: { order: '1' } });
    const expired = must(200, await test.post(`/checkout-sessions/${session.id}/expire`));
    const now = new Date(paydesk().clock.now()).toISOString();
    assert.deepEqual(
      expired,
      { ...session, status: 'expired', expires_at: now },
      'it expired now, not at its original time',
    );
    assert.deepEqual(must(200, await test.get(`/checkout-sessions/${session.id}`)), expired);
    const intent = must(200, await test.get(`/payment-intents/${session.payment_intent}`));
    assert.equal(intent.status, 'expired');
    assert.equal(intent.canceled_at, null);
    const [event, ...others] = await events();
    assert.deepEqual(others, []);
    assert.equal(event?.type, 'checkout_session.expired');
    assert.deepEqual(event?.data, {
      id: session.id,
      object: 'checkout_session',
      status: 'expired',
      amount: 1250,
      currency: 'EUR',
      metadata: { order: '1' },
      payment_intent: session.payment_intent,
      expires_at: now,
    });
  });

  it('accepts an empty JSON object, but no parameters', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const session = await newSession();
    const path = `/checkout-sessions/${session.id}/expire`;
    assertRefused(await test.post(path, { reason: 'x' }), { status: 400, code: 'parameter_unknown', param: 'reason' });
    assert.equal(must(200, await test.get(`/checkout-sessions/${session.id}`)).status, 'open');
    assert.equal(must(200, await test.post(path, {})).status, 'expired');
  });

  it('is refused for a session that is not open', async () => {
    const { test, newSession, moveOn, events } = await paydesk().newMerchant();
    const expired = await newSession();
    must(200, await test.post(`/checkout-sessions/${expired.id}/expire`));
    const paid = await newSession();
    await moveOn(paid.id, 'pay', 'captured');
    const before = await events();
    for (const { id } of [expired, paid]) {
      assertRefused(await test.post(`/checkout-sessions/${id}/expire`), { status: 409, code: 'session_not_open' });
    }
    assert.deepEqual(await events(), before);
  });

  it('is refused while the payment is processing, but ends a challenge in progress', async () => {
    const { test, newSession, moveOn, events } = await paydesk().newMerchant();
    const processing = await newSession();
    await moveOn(processing.id, 'pay');
    assertRefused(await test.post(`/checkout-sessions/${processing.id}/expire`), {
      status: 409,
      code: 'payment_in_progress',
    });
    assert.deepEqual(await events(), []);
    const challenged = await newSession();
    await moveOn(challenged.id, 'action_needed');
    must(200, await test.post(`/checkout-sessions/${challenged.id}/expire`));
    assert.equal(must(200, await test.get(`/payment-intents/${challenged.payment_intent}`)).status, 'expired');
    assert.deepEqual(
      (await events()).map(({ type }) => type),
      ['checkout_session.expired'],
    );
  });

  it('succeeds once when requested many times at once, with one event', async () => {
    const { test, newSession, events } = await paydesk().newMerchant();
    const session = await newSession();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => test.post(`/checkout-sessions/${session.id}/expire`)),
    );
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    assert.equal(responses.filter(({ error }) => error.code === 'session_not_open').length, 19);
    assert.equal((await events()).length, 1);
  });
});
