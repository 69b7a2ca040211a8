// Paying: at once, after a challenge, after a decline, and not at all.

import assert from 'node:assert/strict';
import { passTimeUntil } from '../passing-time.ts';
import type { Scenario } from '../scenario.ts';
import { finish, intentOf, newSession, pay, quiet } from '../scene.ts';

export const payingScenarios: readonly Scenario[] = [
  {
    name: 'a payment succeeds once',
    async run(scene) {
      const session = await newSession(scene);
      await pay(scene, session);
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'succeeded');
    },
  },
  {
    name: 'a declined customer pays another way',
    async run(scene) {
      const session = await newSession(scene);
      scene.failures.set(session.id, 1);
      await pay(scene, session, 'declined');
      await quiet(scene);
      const declined = await intentOf(scene, session);
      assert.equal(declined.status, 'requires_payment_method');
      assert.ok(declined.last_payment_error !== null);
      await pay(scene, session);
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'succeeded');
    },
  },
  {
    name: 'a challenge that is passed leads to the payment',
    async run(scene) {
      const session = await newSession(scene);
      const { actionUrl } = await pay(scene, session, 'challenge');
      assert.ok(actionUrl !== null);
      assert.equal((await intentOf(scene, session)).status, 'requires_action');
      await finish(scene, actionUrl, 'pass');
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'succeeded');
    },
  },
  {
    name: 'a challenge that is passed leads to an authorisation if capture is manual',
    async run(scene) {
      const session = await newSession(scene, { capture_method: 'manual' });
      const { actionUrl } = await pay(scene, session, 'challenge');
      assert.ok(actionUrl !== null);
      await finish(scene, actionUrl, 'pass');
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'requires_capture');
    },
  },
  {
    name: 'a challenge that fails shows the form again, and another try can succeed',
    async run(scene) {
      const session = await newSession(scene);
      scene.failures.set(session.id, 1);
      const { actionUrl } = await pay(scene, session, 'challenge');
      assert.ok(actionUrl !== null);
      await finish(scene, actionUrl, 'fail');
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'requires_payment_method');
      const again = await pay(scene, session, 'challenge');
      assert.ok(again.actionUrl !== null);
      await finish(scene, again.actionUrl, 'pass');
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'succeeded');
    },
  },
  {
    name: 'a customer who cancels at the provider gets the form again',
    async run(scene) {
      const session = await newSession(scene);
      scene.failures.set(session.id, 1);
      const { actionUrl } = await pay(scene, session, 'challenge');
      assert.ok(actionUrl !== null);
      await finish(scene, actionUrl, 'cancel');
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'requires_payment_method');
      await pay(scene, session);
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'succeeded');
    },
  },
  {
    name: 'a customer who passes the challenge and never returns has paid all the same',
    async run(scene) {
      const session = await newSession(scene);
      const { actionUrl } = await pay(scene, session, 'challenge');
      assert.ok(actionUrl !== null);
      await scene.provider.act(actionUrl, 'pass');
      await passTimeUntil(scene, session, 'succeeded');
    },
  },
  {
    name: 'a customer who returns several times at once pays once',
    async run(scene) {
      const session = await newSession(scene);
      const { actionUrl } = await pay(scene, session, 'challenge');
      assert.ok(actionUrl !== null);
      const returnUrl = await scene.provider.act(actionUrl, 'pass');
      const { pathname, search } = new URL(returnUrl);
      await Promise.all(Array.from({ length: 5 }, () => scene.customer.get(`${pathname}${search}`)));
      await quiet(scene);
      assert.equal((await intentOf(scene, session)).status, 'succeeded');
    },
  },
];
