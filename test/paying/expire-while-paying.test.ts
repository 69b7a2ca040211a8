// A merchant expires a session at the moment at which its customer starts a challenge: the payment is closed at the
// acquirer, and the session expires.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Begun, MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import type { Store } from '../../src/storage/store.ts';
import { expireCheckoutSession } from '../../src/usecases/expire-checkout-session.ts';
import { must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { atAcquirer, manyDeclines, openShop, paymentState } from './scene.ts';
import { scriptedAcquirer } from './scripted-acquirer.ts';
import { scriptedScene } from './scripted-scene.ts';

/** Holds the first commit of an expired session. */
function heldExpiry() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const seen = { isHeld: false };
  const storage = (store: Store): Store => ({
    ...store,
    async commit(changes) {
      if (changes.checkoutSessions?.some(({ status }) => status === 'expired')) {
        seen.isHeld = true;
        await released;
      }
      return store.commit(changes);
    },
  });
  return { seen, release: () => release(), storage };
}

describeOnEachEngine('A session that expires while its customer starts to pay', (engine) => {
  it('is expired, and the payment can no longer be made', async (t) => {
    const { seen, release, storage } = heldExpiry();
    t.after(release);
    const shop = await openShop(await startPaydesk(t, engine, { settings: manyDeclines, storage }));
    const session = await shop.merchant.newSession();
    const expiring = shop.merchant.test.post(`/checkout-sessions/${session.id}/expire`);
    await until('it is about to expire', () => seen.isHeld);
    const sent = await shop.customer.payByCard(session.id, '4000000000003220');
    assert.match(String(sent.location), /sandbox-challenge/);
    release();
    assert.equal(must(200, await expiring).status, 'expired');
    const { intent, session: after, events } = await paymentState(shop, session);
    assert.deepEqual([intent.status, after.status], ['expired', 'expired']);
    assert.deepEqual(events, ['checkout_session.expired']);
    assert.equal((await atAcquirer(shop, session)).status, 'closed');
  });

  it('is refused with the reason if the customer starts one payment after the other', async (t) => {
    const begun: Begun = { next: 'action', url: 'https://bank.example/pay' };
    const abandoned: MoneyOutcome = { kind: 'abandoned', reason: 'canceled' };
    const many = <T>(item: T): T[] => Array.from({ length: 100 }, () => item);
    const acquirer = scriptedAcquirer({ begin: many(begun), inquire: many(abandoned), close: many(abandoned) });
    const shop = await scriptedScene(t, engine, acquirer);
    const { store, moment } = shop.deps;
    let operationId: string | null = null;
    async function startAnother(): Promise<void> {
      if (operationId !== null) await shop.comeBack(operationId);
      operationId = moment().newId('op');
      await shop.pay(operationId);
    }
    const raced: Store = {
      ...store,
      async find(name, ...by) {
        const found = await store.find(name, ...by);
        if (name === 'paymentsBySession') await startAnother();
        return found;
      },
    };
    const outcome = await expireCheckoutSession({ ...shop.deps, store: raced }, shop.scope, shop.sessionId);
    assert.ok('refused' in outcome && outcome.refused === 'payment_in_progress', JSON.stringify(outcome));
    assert.match(outcome.message, /has started another payment in the meantime/);
    assert.equal((await shop.session()).status, 'open');
  });
});
