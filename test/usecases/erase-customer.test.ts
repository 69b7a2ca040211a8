// What erasing a customer leaves of requests to a provider that contained their address.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eraseCustomer } from '../../src/usecases/erase-customer.ts';
import { mollieShop } from '../paying/mollie-shop.ts';
import { paymentState, untilStatus } from '../paying/scene.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';

const description = 'Order 7 for Jane.Doe@example.com';

describeOnEachEngine('Erasing a customer whose address was sent to a provider', (engine) => {
  it('erases it from requests that were answered, and leaves one that may have to be repeated', async (t) => {
    const { paydesk, merchant, customer, simulator } = await mollieShop(t, engine);
    const shop = { merchant };
    const paid = await merchant.newSession({ description });
    await customer.payBy(paid.id, 'ideal');
    const [payment] = simulator.books.payments;
    assert.ok(payment !== undefined);
    await simulator.choose(`${simulator.url}/checkout/${payment.id}`, 'paid');
    await customer.get(`/checkout/${String(paid.id)}/return`);
    await untilStatus(shop, paid, 'succeeded');
    const open = await merchant.newSession({ description });
    await customer.payBy(open.id, 'ideal');
    simulator.faults.add({ method: 'POST', when: 'after', how: 'reset' });
    const lost = await merchant.newSession({ description });
    await customer.payBy(lost.id, 'ideal');

    const { store, secretBox, clock } = paydesk;
    const deps = { store, secretBox, actor: 'test', moment: () => aMoment(clock.now()) };
    const request = { email: 'jane.doe@example.com', merchantId: merchant.merchant.id };
    const dryRun = await eraseCustomer(deps, { ...request, dryRun: true });
    const found = await eraseCustomer(deps, { ...request, dryRun: false });
    assert.deepEqual(dryRun, found);
    assert.deepEqual([found.sessions, found.reasons], [3, 0]);
    const sentFor = async (session: typeof paid) => {
      const operations = await store.list('operations', { scope: merchant.scope, limit: 10 });
      const [operation] = operations.filter(({ checkoutSessionId }) => checkoutSessionId === session.id);
      return operation?.acquirerState?.create as Record<string, unknown> | undefined;
    };
    for (const session of [paid, open]) assert.equal((await sentFor(session))?.description, 'Order 7 for [erased]');
    assert.equal((await sentFor(lost))?.description, description);

    await until('the lost one goes on', async () => {
      clock.advance(1_000);
      return (await paymentState(shop, lost)).intent.status === 'requires_action';
    });
    assert.equal(simulator.books.payments.length, 3);
    await eraseCustomer(deps, { ...request, dryRun: false });
    assert.doesNotMatch(JSON.stringify(await store.list('operations', { scope: merchant.scope, limit: 10 })), /jane/i);
  });
});
