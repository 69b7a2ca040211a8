// A payment at Mollie whose request was lost, in a profile with many other payments: it goes on, or it ends.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { mollieShop } from './mollie-shop.ts';
import { paymentState } from './scene.ts';

async function scene(t: CleansUp, engine: Engine) {
  const shop = await mollieShop(t, engine);
  const { simulator } = shop;
  const about = {
    amount: 100,
    currency: 'EUR',
    method: 'ideal',
    description: 'other',
    redirectUrl: 'https://o.example',
  };
  const request = { ...about, metadata: null, captureMode: 'automatic', webhookUrl: null, locale: null } as const;
  const addOthers = (count: number): void => {
    for (let other = 0; other < count; other += 1) simulator.books.create(request, 'test');
  };
  const made = () => simulator.books.payments.filter(({ metadata }) => metadata !== null);
  const requests = (method: 'GET' | 'POST') =>
    simulator.requests.filter((line) => new RegExp(`^${method} /v2/payments(\\?|$)`).test(line)).length;
  return { ...shop, addOthers, made, requests };
}

const lost = { method: 'POST', path: /^\/v2\/payments$/, when: 'before', how: 'reset' } as const;

describeOnEachEngine('A lost request in a busy profile', (engine) => {
  it('is repeated, even if the list of payments cannot be read', async (t) => {
    const shop = await scene(t, engine);
    const { simulator, merchant, paydesk } = shop;
    simulator.faults.add(lost);
    simulator.faults.add({ method: 'GET', path: /^\/v2\/payments$/, when: 'before', how: 500, times: 1_000 });
    const session = await merchant.newSession();
    await shop.customer.payBy(session.id, 'ideal');
    assert.equal((await paymentState(shop, session)).intent.status, 'processing');
    await until('the customer can go on', async () => {
      paydesk.clock.advance(1_000);
      return (await paymentState(shop, session)).intent.status === 'requires_action';
    });
    assert.equal(shop.made().length, 1);
  });

  it('is looked for over several inquiries once it may no longer be repeated, and then ends', async (t) => {
    const shop = await scene(t, engine);
    const { simulator, merchant, paydesk } = shop;
    simulator.faults.add({ ...lost, times: 1_000 });
    const session = await merchant.newSession({ expires_in: 86_400 });
    await shop.customer.payBy(session.id, 'ideal');
    const [operation] = await paydesk.store.list('operations', { scope: merchant.scope, limit: 1 });
    assert.equal(operation?.status, 'pending');
    shop.addOthers(1_234);
    paydesk.clock.advance(3_600_000);
    simulator.faults.clear();
    const posts = shop.requests('POST');
    const startedAt = paydesk.clock.now();
    await until('the payment can be tried again', async () => {
      paydesk.clock.advance(1_000);
      return (await paymentState(shop, session)).intent.status === 'requires_payment_method';
    });
    assert.ok(paydesk.clock.now() - startedAt < 1_800_000, 'the search does not wait for hours');
    assert.equal(shop.requests('POST'), posts, 'nothing was sent again');
    assert.ok(shop.requests('GET') >= 25, 'all others were looked at');
    assert.deepEqual(shop.made(), []);
  });
});
