// Notifications are a reason to ask, and nothing else: duplicates, any order, delays, forgeries and their absence change
// nothing about the result. What was done at the provider without us appears here.

import assert from 'node:assert/strict';
import { entriesOf, type Fields, must } from '../../support/api-client.ts';
import { until } from '../../support/until.ts';
import { passTimeUntil } from '../passing-time.ts';
import type { ProviderNotifications } from '../provider-under-test.ts';
import type { Scenario } from '../scenario.ts';
import { finish, intentOf, newSession, operationsOf, passTime, pay, post, quiet, type Scene } from '../scene.ts';

function notificationsOf({ provider }: Scene): ProviderNotifications {
  return provider.notifications ?? assert.fail('the provider sends no notifications: the table must say so');
}

/** Pays one, has a challenge failed and then passed for another, captures a third in part, and refunds. */
async function muchHappens(scene: Scene): Promise<void> {
  const plain = await newSession(scene);
  await pay(scene, plain);
  await passTimeUntil(scene, plain, 'succeeded');
  const challenged = await newSession(scene);
  scene.failures.set(challenged.id, 1);
  for (const choice of ['fail', 'pass'] as const) {
    const { actionUrl } = await pay(scene, challenged, 'challenge');
    await finish(scene, actionUrl ?? assert.fail('there is no challenge'), choice);
    await passTimeUntil(scene, challenged, choice === 'pass' ? 'succeeded' : 'requires_payment_method');
  }
  const manual = await newSession(scene, { capture_method: 'manual' });
  await pay(scene, manual);
  await passTimeUntil(scene, manual, 'requires_capture');
  must(200, await post(scene, manual, 'capture', { amount_to_capture: 700 }));
  must(201, await post(scene, manual, 'refund', { amount: 100 }));
  must(201, await post(scene, plain, 'refund', { amount: 1_250 }));
  await scene.provider.settlePending();
}

/** What a notification could have changed. */
async function stateOf(scene: Scene, session: Fields): Promise<unknown> {
  const operations = await operationsOf(scene);
  return {
    intent: await intentOf(scene, session),
    operations: operations.map(({ id, status, acquirerReference }) => [id, status, acquirerReference]),
    events: (await scene.merchant.events()).map(({ id }) => id),
  };
}

async function referenceOf(scene: Scene, session: Fields): Promise<string> {
  const { acquirer } = await intentOf(scene, session);
  return String((acquirer as Fields | null)?.reference);
}

async function refundsOf({ merchant }: Scene, session: Fields): Promise<readonly Fields[]> {
  return entriesOf(await merchant.test.get(`/refunds?payment_intent=${session.payment_intent}`));
}

export const notificationScenarios: readonly Scenario[] = [
  {
    name: 'duplicate notifications change nothing',
    async run(scene) {
      notificationsOf(scene).mode('duplicate');
      await muchHappens(scene);
      await quiet(scene);
      await notificationsOf(scene).repeatAll();
      await quiet(scene);
    },
  },
  {
    name: 'notifications in any order give the same result',
    async run(scene) {
      const notifications = notificationsOf(scene);
      notifications.mode('hold');
      const [session, failing] = [await newSession(scene), await newSession(scene)];
      scene.failures.set(failing.id, 1);
      const urls: string[] = [];
      for (const one of [session, failing]) {
        const { actionUrl } = await pay(scene, one, 'challenge');
        urls.push(actionUrl ?? assert.fail('there is no challenge'));
      }
      const [first = '', second = ''] = urls;
      await scene.provider.act(first, 'pass');
      await scene.provider.act(second, 'fail');
      await notifications.release('newest_first');
      await quiet(scene);
      await notifications.release('newest_first');
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'succeeded');
      assert.equal((await intentOf(scene, failing)).status, 'requires_payment_method');
    },
  },
  {
    name: 'delayed notifications change nothing',
    async run(scene) {
      const notifications = notificationsOf(scene);
      notifications.mode('hold');
      await muchHappens(scene);
      await quiet(scene);
      scene.clock.advance(3_600_000);
      await notifications.release('newest_first');
      await quiet(scene);
    },
  },
  {
    name: 'without notifications, the payment is found out about',
    async run(scene) {
      notificationsOf(scene).mode('drop');
      await muchHappens(scene);
    },
  },
  {
    name: 'forged notifications are refused and change nothing',
    async run(scene) {
      const session = await newSession(scene);
      const { actionUrl } = await pay(scene, session, 'challenge');
      assert.ok(actionUrl !== null);
      await quiet(scene);
      const before = await stateOf(scene, session);
      for (const { got, expected } of await notificationsOf(scene).forge(scene.notificationUrl)) {
        assert.equal(got, expected);
      }
      const unknown = scene.notificationUrl.replace(/acq_[^/]+/, 'acq_00000000000000000000000000');
      assert.equal((await fetch(unknown, { method: 'POST', body: 'id=tr_1' })).status, 404);
      await quiet(scene);
      assert.deepEqual(await stateOf(scene, session), before);
    },
  },
  {
    name: 'a refund made at the provider appears here',
    async run(scene) {
      const session = await newSession(scene);
      await pay(scene, session);
      await quiet(scene);
      scene.provider.dashboard?.refund(await referenceOf(scene, session), 350);
      await until('it is imported', async () => (await refundsOf(scene, session)).length === 1);
      await scene.provider.settlePending();
      await quiet(scene);
      const [refund] = await refundsOf(scene, session);
      assert.deepEqual([refund?.reason, refund?.amount, refund?.status], ['acquirer', 350, 'succeeded']);
      assert.equal((await intentOf(scene, session)).amount_refunded, 350);
    },
  },
  {
    name: 'what a partial capture releases is no refund, and one of the same amount at the provider is',
    async run(scene) {
      const session = await newSession(scene, { capture_method: 'manual' });
      await pay(scene, session);
      await quiet(scene);
      must(200, await post(scene, session, 'capture', { amount_to_capture: 750 }));
      await quiet(scene);
      assert.deepEqual(await refundsOf(scene, session), []);
      scene.provider.dashboard?.refund(await referenceOf(scene, session), 500);
      await until('it is imported', async () => (await refundsOf(scene, session)).length === 1);
      await scene.provider.settlePending();
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).amount_refunded, 500);
      must(201, await post(scene, session, 'refund', { amount: 250 }));
    },
  },
  {
    name: 'refunds made here and at the provider at the same time add up',
    async run(scene) {
      const session = await newSession(scene);
      await pay(scene, session);
      await quiet(scene);
      const reference = await referenceOf(scene, session);
      const here = post(scene, session, 'refund', { amount: 250 });
      scene.provider.dashboard?.refund(reference, 500);
      must(201, await here);
      await until('both are known', async () => (await refundsOf(scene, session)).length === 2);
      must(201, await post(scene, session, 'refund', { amount: 500 }));
      assert.equal((await intentOf(scene, session)).amount_refunded, 1_250);
      assert.equal((await post(scene, session, 'refund', { amount: 1 })).status, 409);
    },
  },
  {
    name: 'a refund made at the provider is settled without notifications',
    async run(scene) {
      const session = await newSession(scene);
      await pay(scene, session, 'refund_pends');
      await quiet(scene);
      scene.provider.dashboard?.refund(await referenceOf(scene, session), 350);
      await until('it is imported', async () => (await refundsOf(scene, session)).length === 1);
      notificationsOf(scene).mode('drop');
      await scene.provider.settlePending();
      await until('it is settled', async () => {
        await passTime(scene, 5_000);
        return (await refundsOf(scene, session))[0]?.status === 'succeeded';
      });
    },
  },
];
