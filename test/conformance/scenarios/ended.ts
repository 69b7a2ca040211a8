// Payments that end: their time is up, the merchant ends them, or the authorisation lapses. Paid there is paid here, and
// money that comes too late is returned.

import assert from 'node:assert/strict';
import { assertRefused, entriesOf, type Fields, must } from '../../support/api-client.ts';
import { until } from '../../support/until.ts';
import { passTimeUntil } from '../passing-time.ts';
import type { ProviderPayment } from '../provider-under-test.ts';
import type { Scenario } from '../scenario.ts';
import { intentOf, newSession, operationsOf, passTime, pay, post, quiet, returnFrom, type Scene } from '../scene.ts';

const shortLife = { expires_in: 300 };
const lifeMs = 300_000;
/** The last moments before expiry: longer than a scenario needs to act in them. */
const lastMs = 60_000;

/** The customer is at the provider. */
async function atProvider(scene: Scene, fields: Fields = {}): Promise<{ session: Fields; actionUrl: string }> {
  const session = await newSession(scene, { ...shortLife, ...fields });
  const { actionUrl } = await pay(scene, session, 'challenge');
  assert.ok(actionUrl !== null);
  return { session, actionUrl };
}

async function bookedFor(scene: Scene, session: Fields): Promise<ProviderPayment> {
  const operation = (await operationsOf(scene)).find(
    ({ kind, checkoutSessionId }) => kind === 'payment' && checkoutSessionId === session.id,
  );
  const booked = (await scene.provider.books(scene.paydesk.store)).find((one) => one.operation === operation?.id);
  return booked ?? assert.fail('the provider does not know the payment');
}

async function refundsOf({ merchant }: Scene, session: Fields): Promise<readonly Fields[]> {
  return entriesOf(await merchant.test.get(`/refunds?payment_intent=${session.payment_intent}`));
}

async function paidLate(scene: Scene): Promise<Fields> {
  const { session, actionUrl } = await atProvider(scene);
  scene.clock.advance(lifeMs);
  await passTimeUntil(scene, session, 'expired', 0);
  await scene.provider.act(actionUrl, 'pass');
  return session;
}

async function untilRefundOpened(scene: Scene, session: Fields): Promise<void> {
  await until('a refund is opened', async () => {
    await passTime(scene, 5_000);
    return (await refundsOf(scene, session)).length > 0;
  });
}

export const endedScenarios: readonly Scenario[] = [
  {
    name: 'a challenge that nobody answers expires with its session, and is ended at the provider',
    async run(scene) {
      const { session, actionUrl } = await atProvider(scene);
      scene.clock.advance(lifeMs);
      await passTimeUntil(scene, session, 'expired', 0);
      await returnFrom(scene, session.url as string);
      const { isOpen } = await bookedFor(scene, session);
      const [operation] = await operationsOf(scene);
      // What the provider cannot end is asked about until it is over.
      assert.equal(operation?.status, isOpen ? 'action_needed' : 'failed');
      if (!isOpen) await scene.provider.act(actionUrl, 'pass');
    },
  },
  {
    name: 'a payment completed at the provider at the moment of expiry is paid here',
    async run(scene) {
      scene.provider.notifications?.mode('drop');
      const { session, actionUrl } = await atProvider(scene);
      scene.clock.advance(lifeMs - lastMs);
      await scene.provider.act(actionUrl, 'pass');
      scene.clock.advance(lastMs);
      await passTimeUntil(scene, session, 'succeeded', 0);
      assert.deepEqual(await refundsOf(scene, session), []);
    },
  },
  {
    name: 'a challenge passed at the moment of expiry moves no money',
    async run(scene) {
      scene.provider.notifications?.mode('drop');
      const { session, actionUrl } = await atProvider(scene);
      scene.clock.advance(lifeMs - lastMs);
      const returnUrl = await scene.provider.act(actionUrl, 'pass');
      scene.clock.advance(lastMs);
      await passTimeUntil(scene, session, 'expired', 0);
      await returnFrom(scene, returnUrl);
      const { held, captured, isOpen } = await bookedFor(scene, session);
      assert.deepEqual([held, captured, isOpen], [0, 0, false]);
    },
  },
  {
    name: 'a payment whose answer was lost at the moment of expiry is paid here',
    async run(scene) {
      const session = await newSession(scene, shortLife);
      scene.clock.advance(lifeMs - lastMs);
      const [fault] = scene.underTest.faults.authorise.filter(({ when }) => when === 'after');
      assert.ok(fault !== undefined);
      scene.provider.inject('authorise', fault);
      await pay(scene, session);
      scene.clock.advance(lastMs);
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'succeeded');
    },
  },
  {
    name: 'money that arrives after expiry is refunded in full by itself',
    async run(scene) {
      const session = await paidLate(scene);
      await untilRefundOpened(scene, session);
      await quiet(scene);
      const [refund, ...others] = await refundsOf(scene, session);
      assert.deepEqual([refund?.reason, refund?.amount, refund?.status], ['late_payment', 1_250, 'succeeded']);
      assert.deepEqual(others, []);
      assert.equal((await intentOf(scene, session)).status, 'expired');
    },
  },
  {
    name: 'a refund of a late payment is repeated until the provider accepts it',
    async run(scene) {
      for (let times = 0; times < 2; times += 1) scene.provider.inject('refund', { how: 'refused', when: 'before' });
      const session = await paidLate(scene);
      await untilRefundOpened(scene, session);
      await quiet(scene);
      const refunds = await refundsOf(scene, session);
      assert.deepEqual(
        refunds.map(({ status, reason, amount }) => [status, reason, amount]),
        [['succeeded', 'late_payment', 1_250]],
      );
    },
  },
  {
    name: 'a refund of a late payment that the provider keeps refusing fails visibly, and the merchant can refund it',
    async run(scene) {
      for (let times = 0; times < 100; times += 1) scene.provider.inject('refund', { how: 'refused', when: 'before' });
      const session = await paidLate(scene);
      await untilRefundOpened(scene, session);
      await quiet(scene);
      scene.provider.clearFaults();
      assert.equal((await intentOf(scene, session)).status, 'expired');
      must(201, await post(scene, session, 'refund', { reason: 'requested_by_customer' }));
      await quiet(scene);
      assert.deepEqual(
        (await refundsOf(scene, session)).map(({ status, reason }) => [status, reason]),
        [
          ['succeeded', 'requested_by_customer'],
          ['failed', 'late_payment'],
        ],
      );
    },
  },
  {
    name: 'a merchant who ends a session while the customer is at the provider ends the payment there',
    async run(scene) {
      const { session } = await atProvider(scene);
      must(200, await scene.merchant.test.post(`/checkout-sessions/${session.id}/expire`));
      assert.equal((await intentOf(scene, session)).status, 'expired');
    },
  },
  {
    name: 'a payment cannot be canceled while the customer is at the provider',
    async run(scene) {
      const { session, actionUrl } = await atProvider(scene);
      assertRefused(await post(scene, session, 'cancel'), { status: 409, code: 'payment_not_cancelable' });
      await returnFrom(scene, await scene.provider.act(actionUrl, 'pass'));
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'succeeded');
    },
  },
  {
    name: 'an authorisation lapses when the provider says, and is released there',
    async run(scene) {
      const session = await newSession(scene, { capture_method: 'manual' });
      await pay(scene, session);
      await quiet(scene);
      const intent = await intentOf(scene, session);
      assert.equal(intent.status, 'requires_capture');
      const { captureBefore } = await bookedFor(scene, session);
      const stored = await scene.paydesk.store.find('paymentIntents', scene.merchant.scope, String(intent.id));
      assert.ok(stored?.captureBefore != null);
      if (captureBefore !== null) assert.equal(stored.captureBefore, Math.floor(captureBefore / 1_000) * 1_000);
      scene.clock.advance(stored.captureBefore - scene.clock.now());
      await passTimeUntil(scene, session, 'canceled', 0);
      assert.equal((await intentOf(scene, session)).cancellation_reason, 'authorization_expired');
    },
  },
];
