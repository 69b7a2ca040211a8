// Sessions expire within a second of their expiry time, once each, with their payment intent and their event.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { CheckoutSession } from '../../src/domain/checkout-session.ts';
import { isRefusal } from '../../src/domain/errors.ts';
import { expireOverdueSession } from '../../src/usecases/expire-checkout-session.ts';
import { onlyAt, scriptedAcquirer } from '../paying/scripted-acquirer.ts';
import { must } from '../support/api-client.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { type Paydesk, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { aMoment, aPayment } from '../support/records.ts';
import { until } from '../support/until.ts';

const halfHourMs = 1_800_000;

async function stored({ store }: Paydesk, { scope }: TestMerchant, id: unknown) {
  const payment = await store.find('paymentsBySession', scope, String(id));
  assert.ok(payment !== null);
  return payment;
}

/** Waits until the job has run: until a session that is already overdue has expired. */
async function untilJobHasRun(paydesk: Paydesk, clockNow: number): Promise<void> {
  const probe = await paydesk.newMerchant();
  const payment = aPayment({ scope: probe.scope, moment: aMoment(clockNow - 600_000), expiresInSeconds: 300 });
  await mustCommit(paydesk.store, changesOf(payment));
  const { id } = payment.session;
  await until('a due session expires', async () => (await stored(paydesk, probe, id)).session.status === 'expired');
}

describeOnEachEngine('An overdue session', (engine) => {
  it('expires within a second with its payment intent and one event, and not a millisecond early', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const session = await merchant.newSession({ metadata: { order: '1' } });
    paydesk.clock.advance(halfHourMs - 1);
    await untilJobHasRun(paydesk, paydesk.clock.now());
    assert.equal((await stored(paydesk, merchant, session.id)).session.status, 'open');

    paydesk.clock.advance(1);
    const expired = async () => {
      const payment = await stored(paydesk, merchant, session.id);
      // Session and intent are read in one snapshot: never one expired without the other.
      assert.equal(payment.session.status === 'expired', payment.intent.status === 'expired');
      return payment.session.status === 'expired';
    };
    await until('it expires', expired, 1_000);
    const [event, ...others] = await merchant.events();
    assert.deepEqual(others, []);
    assert.equal(event?.type, 'checkout_session.expired');
    assert.equal(event?.data.id, session.id);
    assert.equal(event?.data.status, 'expired');
    assert.equal(event?.createdAt, paydesk.clock.now());
    const seen = must(200, await merchant.test.get(`/checkout-sessions/${session.id}`));
    assert.deepEqual(seen, { ...session, status: 'expired' });
  });

  it('expires at startup if it became overdue while the service was down', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const session = await merchant.newSession();
    await paydesk.stop();
    const later = startOfTests + 10 * 86_400_000;
    await paydesk.startAnother({ runningClock: { now: () => later } });
    await until(
      'it expires',
      async () => (await stored(paydesk, merchant, session.id)).session.status === 'expired',
      1_000,
    );
    assert.deepEqual(
      (await merchant.events()).map(({ type, createdAt }) => [type, createdAt]),
      [['checkout_session.expired', later]],
    );
  });

  it('stays open while the payment is processing, and expires if the payment fails', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const session = await merchant.newSession();
    await merchant.moveOn(session.id, 'pay');
    paydesk.clock.advance(halfHourMs);
    await untilJobHasRun(paydesk, paydesk.clock.now());
    assert.equal((await stored(paydesk, merchant, session.id)).session.status, 'open');
    assert.deepEqual(await merchant.events(), []);

    await merchant.moveOn(session.id, 'declined');
    await until('it expires', async () => (await stored(paydesk, merchant, session.id)).session.status === 'expired');
    assert.equal((await stored(paydesk, merchant, session.id)).intent.status, 'expired');
    const types = (await merchant.events()).map(({ type }) => type).sort();
    assert.deepEqual(types, ['checkout_session.expired', 'payment_intent.payment_failed']);
  });

  it('expires during a challenge', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const session = await merchant.newSession();
    await merchant.moveOn(session.id, 'action_needed');
    paydesk.clock.advance(halfHourMs);
    await until('it expires', async () => (await stored(paydesk, merchant, session.id)).intent.status === 'expired');
    assert.deepEqual(
      (await merchant.events()).map(({ type }) => type),
      ['checkout_session.expired'],
    );
  });

  it('does not expire if it was extended, paid or canceled', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const extended = await merchant.newSession();
    const paid = await merchant.newSession();
    const canceled = await merchant.newSession();
    must(200, await merchant.test.patch(`/checkout-sessions/${extended.id}`, { expires_in: 3_600 }));
    await merchant.moveOn(paid.id, 'pay', 'captured');
    must(200, await merchant.test.post(`/payment-intents/${canceled.payment_intent}/cancel`));
    const before = await merchant.events();
    paydesk.clock.advance(halfHourMs);
    await untilJobHasRun(paydesk, paydesk.clock.now());
    assert.equal((await stored(paydesk, merchant, extended.id)).session.status, 'open');
    assert.equal((await stored(paydesk, merchant, paid.id)).session.status, 'completed');
    assert.equal((await stored(paydesk, merchant, canceled.id)).intent.status, 'canceled');
    assert.deepEqual(await merchant.events(), before);
  });

  it('is left alone if it was extended after the job read it', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const { id } = await merchant.newSession();
    const deps = {
      ...{ store: paydesk.store, moment: () => aMoment(paydesk.clock.now()), pause },
      acquirers: onlyAt(scriptedAcquirer({})),
      sendsMail: false,
      onUnsettled: () => {},
      declineLimits: { windowMs: 1_000, perSession: 100, perAddress: 100, perCard: 100 },
    };
    const outcome = await expireOverdueSession(deps, merchant.scope, String(id));
    assert.ok(isRefusal(outcome));
    assert.equal((await stored(paydesk, merchant, id)).session.status, 'open');
    assert.deepEqual(await merchant.events(), []);
  });

  it('expires only once, even among 260 others and with two processes', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    if (engine.name === 'postgres') await paydesk.startAnother({ runningClock: paydesk.clock });
    const merchant = await paydesk.newMerchant();
    const payments = Array.from({ length: 260 }, () =>
      aPayment({ scope: merchant.scope, moment: aMoment(paydesk.clock.now()) }),
    );
    await mustCommit(paydesk.store, changesOf(...payments.slice(0, 130)));
    await mustCommit(paydesk.store, changesOf(...payments.slice(130)));
    paydesk.clock.advance(halfHourMs);
    const left = async (): Promise<readonly CheckoutSession[]> =>
      paydesk.store.list('checkoutSessions', { scope: merchant.scope, limit: 1_000, where: { status: 'open' } });
    await until('all have expired', async () => (await left()).length === 0);
    await untilJobHasRun(paydesk, paydesk.clock.now());
    const events = await merchant.events();
    assert.equal(events.length, 260);
    assert.deepEqual(
      events.map(({ data }) => data.id).sort(),
      payments.map(({ session }) => session.id).sort(),
      'one event each',
    );
    const intents = await paydesk.store.list('paymentIntents', {
      scope: merchant.scope,
      limit: 1_000,
      where: { status: 'expired' },
    });
    assert.equal(intents.length, 260);
  });
});
