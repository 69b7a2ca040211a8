// A customer comes back from a challenge or a bank's page before there is a result, once or again and again: when the
// acquirer is asked by itself stays as it was.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeOnEachEngine } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { manyDeclines, openShop, standing } from './scene.ts';

describeOnEachEngine('A visit to the return address while an action waits', (engine) => {
  it('does not put off when the acquirer is asked by itself, however often', async (t) => {
    const clock = fakeClock();
    const paydesk = await startPaydesk(t, engine, { settings: manyDeclines, runningClock: clock });
    const shop = await openShop(paydesk);
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4000000000003220');
    const operation = async () => {
      const intent = await paydesk.store.find('paymentIntents', shop.merchant.scope, String(session.payment_intent));
      return (await paydesk.store.findBy('operations', 'id', intent?.operationId ?? '')) ?? assert.fail();
    };
    const visit = async () => {
      const page = await shop.customer.get(`/checkout/${session.id}/return`);
      assert.equal(page.location, `/checkout/${session.id}`);
    };
    const before = await operation();
    for (const _ of Array(15)) await visit();
    await Promise.all(Array.from({ length: 15 }, visit));
    assert.deepEqual(await operation(), before);

    // The job has its own pace, which visits do not change either.
    clock.set(before.dueAt ?? assert.fail());
    await until('the job has asked', async () => (await operation()).inquiries === 1);
    const asked = await operation();
    assert.ok(asked.dueAt !== null && asked.dueAt - clock.now() <= 2_000);
    for (const _ of Array(15)) await visit();
    assert.deepEqual(await operation(), asked);
    assert.equal((await standing(shop, session)).intent.status, 'requires_action');
  });
});
