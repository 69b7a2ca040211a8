// A customer returns from a challenge or a bank page before there is a result, once or repeatedly: the schedule of
// inquiries to the acquirer does not change.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeOnEachEngine } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { manyDeclines, openShop, paymentState } from './scene.ts';

describeOnEachEngine('A visit to the return URL while an action is pending', (engine) => {
  it('does not delay the scheduled inquiry, however often it happens', async (t) => {
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

    // Nor do visits change the schedule of the job.
    clock.set(before.dueAt ?? assert.fail());
    await until('the job has inquired', async () => (await operation()).inquiries === 1);
    const inquired = await operation();
    assert.ok(inquired.dueAt !== null && inquired.dueAt - clock.now() <= 2_000);
    for (const _ of Array(15)) await visit();
    assert.deepEqual(await operation(), inquired);
    assert.equal((await paymentState(shop, session)).intent.status, 'requires_action');
  });
});
