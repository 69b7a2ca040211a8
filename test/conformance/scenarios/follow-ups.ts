// After the authorisation: captures, voids and refunds.

import assert from 'node:assert/strict';
import { assertRefused, type Fields, must } from '../../support/api-client.ts';
import type { Scenario } from '../scenario.ts';
import { intentOf, newSession, operationsOf, pay, post, quiet, type Scene } from '../scene.ts';

async function authorised(scene: Scene): Promise<Fields> {
  const session = await newSession(scene, { capture_method: 'manual' });
  await pay(scene, session);
  await quiet(scene);
  assert.equal((await intentOf(scene, session)).status, 'requires_capture');
  return session;
}

async function paid(scene: Scene, way: 'plain' | 'refund_pends' = 'plain'): Promise<Fields> {
  const session = await newSession(scene);
  await pay(scene, session, way);
  await quiet(scene);
  assert.equal((await intentOf(scene, session)).status, 'succeeded');
  return session;
}

export const followUpScenarios: readonly Scenario[] = [
  {
    name: 'a session with manual capture offers only methods that can be captured later',
    async run(scene) {
      const { test } = scene.merchant;
      const manual = { amount: 1_250, currency: 'EUR', capture_method: 'manual' };
      const { payment_method_types: offered } = must(201, await test.post('/checkout-sessions', manual));
      assert.ok(Array.isArray(offered) && offered.includes('card'));
      const refused = { status: 400, code: 'parameter_invalid', param: 'capture_method' };
      for (const method of scene.provider.account?.methods ?? []) {
        const response = await test.post('/checkout-sessions', { ...manual, payment_method_types: [method] });
        if (offered.includes(method)) must(201, response);
        else assertRefused(response, refused);
      }
    },
  },
  {
    name: 'an authorisation is captured in full',
    async run(scene) {
      const session = await authorised(scene);
      assert.equal(must(200, await post(scene, session, 'capture')).status, 'succeeded');
    },
  },
  {
    name: 'a partial capture releases the rest',
    async run(scene) {
      const session = await authorised(scene);
      const intent = must(200, await post(scene, session, 'capture', { amount_to_capture: 999 }));
      assert.deepEqual([intent.status, intent.amount_captured], ['succeeded', 999]);
      assertRefused(await post(scene, session, 'capture'), { status: 409, code: 'payment_not_capturable' });
    },
  },
  {
    name: 'more than what is authorised cannot be captured',
    async run(scene) {
      const session = await authorised(scene);
      const refused = { status: 400, code: 'parameter_invalid', param: 'amount_to_capture' };
      assertRefused(await post(scene, session, 'capture', { amount_to_capture: 1_251 }), refused);
    },
  },
  {
    name: 'a void releases the authorisation',
    async run(scene) {
      const session = await authorised(scene);
      assert.equal(must(200, await post(scene, session, 'cancel')).status, 'canceled');
      assertRefused(await post(scene, session, 'capture'), { status: 409, code: 'payment_not_capturable' });
    },
  },
  {
    name: 'a capture and a void at the same time have one effect',
    async run(scene) {
      const session = await authorised(scene);
      const responses = await Promise.all([
        post(scene, session, 'capture'),
        post(scene, session, 'cancel'),
        post(scene, session, 'capture'),
      ]);
      assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    },
  },
  {
    name: 'several refunds add up to the last unit, and one more is refused',
    async run(scene) {
      const session = await paid(scene);
      for (const amount of [1, 400, 848]) must(201, await post(scene, session, 'refund', { amount }));
      assertRefused(await post(scene, session, 'refund', { amount: 2 }), {
        ...{ status: 400, code: 'parameter_invalid', param: 'amount' },
      });
      must(201, await post(scene, session, 'refund', { amount: 1 }));
      assertRefused(await post(scene, session, 'refund', { amount: 1 }), {
        ...{ status: 409, code: 'payment_not_refundable' },
      });
      assert.equal((await intentOf(scene, session)).amount_refunded, 1_250);
    },
  },
  {
    name: 'concurrent refunds never exceed what was captured',
    async run(scene) {
      const session = await paid(scene);
      const amounts = [400, 400, 400, 400, 400];
      const responses = await Promise.all(amounts.map((amount) => post(scene, session, 'refund', { amount })));
      assert.equal(responses.filter(({ status }) => status === 201).length, 3);
    },
  },
  {
    name: 'a partial capture can be refunded, and no more than that',
    async run(scene) {
      const session = await authorised(scene);
      must(200, await post(scene, session, 'capture', { amount_to_capture: 500 }));
      const refused = { status: 400, code: 'parameter_invalid', param: 'amount' };
      assertRefused(await post(scene, session, 'refund', { amount: 501 }), refused);
      must(201, await post(scene, session, 'refund', { amount: 500 }));
    },
  },
  {
    name: 'a refund that only is accepted succeeds later',
    async run(scene) {
      const session = await paid(scene, 'refund_pends');
      const refund = must(201, await post(scene, session, 'refund', { amount: 250 }));
      assert.equal(refund.status, 'pending');
      await scene.provider.settlePending();
      await quiet(scene);
      assert.equal(must(200, await scene.merchant.test.get(`/refunds/${refund.id}`)).status, 'succeeded');
    },
  },
  {
    name: 'a refund that fails after it had succeeded is reported',
    async run(scene) {
      const session = await paid(scene);
      const refund = must(201, await post(scene, session, 'refund', { amount: 250 }));
      assert.equal(refund.status, 'succeeded');
      await quiet(scene);
      const [operation] = (await operationsOf(scene)).filter(({ kind }) => kind === 'refund');
      scene.provider.dashboard?.failRefund?.(operation?.acquirerReference ?? '');
      await quiet(scene);
      assert.equal(must(200, await scene.merchant.test.get(`/refunds/${refund.id}`)).status, 'failed');
      assert.equal((await intentOf(scene, session)).amount_refunded, 0);
    },
  },
];
