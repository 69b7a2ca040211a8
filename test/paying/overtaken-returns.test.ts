// The provider's notification of an action comes at the same moment as the customer, and may be first. The customer still
// sees the outcome, and not a payment that is being processed.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AcquirerSilent, type Answer, type MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import type { Store } from '../../src/storage/store.ts';
import { returnedActions } from '../../src/usecases/complete-returned-action.ts';
import { reconcileOperation } from '../../src/usecases/reconcile-operation.ts';
import { mustFindPayment } from '../support/committing.ts';
import { formOf, textOfPage } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { manyDeclines, openShop, paid, paymentState } from './scene.ts';
import { type Script, scriptedAcquirer } from './scripted-acquirer.ts';
import { scriptedScene } from './scripted-scene.ts';

const action: MoneyOutcome = { kind: 'action', url: 'https://bank.example/pay' };
const ready: MoneyOutcome = { kind: 'ready' };

/** Holds the commit of a payment's outcome until the operation is looked at for the second time since. */
function heldOutcomes() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const seen = { isHeld: false, looks: 0 };
  const storage = (store: Store): Store => ({
    ...store,
    async commit(changes) {
      if (changes.operations?.some(({ status }) => status === 'succeeded')) {
        seen.isHeld = true;
        await released;
      }
      return store.commit(changes);
    },
    async findBy(name, ...by) {
      const found = await store.findBy(name, ...by);
      if (name === 'operations' && seen.isHeld) seen.looks += 1;
      if (seen.looks === 2) release();
      return found;
    },
  });
  return { seen, release, storage };
}

describeOnEachEngine('A customer who returns while the notification is acted on', (engine) => {
  for (const { title, pay } of [
    { title: 'a challenge', pay: { method: 'card', card: '4000000000003220' } },
    { title: 'a bank', pay: { method: 'ideal', card: null } },
  ])
    it(`from ${title} sees the outcome`, async (t) => {
      const { seen, release, storage } = heldOutcomes();
      t.after(() => release());
      const paydesk = await startPaydesk(t, engine, { settings: manyDeclines, storage });
      const shop = await openShop(paydesk);
      const session = await shop.merchant.newSession();
      const { customer } = shop;
      const sent =
        pay.card === null ? customer.payBy(session.id, pay.method) : customer.payByCard(session.id, pay.card);
      const { action: choice } = formOf(await customer.follow(await sent));
      const back = await customer.post(choice, { result: 'pass' });
      await until('the outcome is about to be committed', () => seen.isHeld);
      const page = await customer.follow(await customer.follow(back));
      assert.match(textOfPage(page), /Payment successful/);
      const { intent, events } = await paymentState(shop, session);
      assert.equal(intent.status, 'succeeded');
      assert.deepEqual(events, paid);
    });
});

describeOnEachEngine('A visit to the return URL that a notification has overtaken', (engine) => {
  /** The notification is acted on first, as another process would. */
  async function overtaken(t: CleansUp, script: Script) {
    const acquirer = scriptedAcquirer({
      inquire: [ready],
      ...script,
      authorise: [action, ...(script.authorise ?? [])],
    });
    const shop = await scriptedScene(t, engine, acquirer);
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId, { method: 'ideal' });
    const before = await mustFindPayment(shop.deps.store, shop.scope, shop.sessionId);
    const notified = reconcileOperation(shop.deps, operationId, { scheduled: false });
    let pausedMs = 0;
    const pause = async (ms: number): Promise<void> => {
      pausedMs += ms;
      shop.clock.advance(ms);
    };
    const visit = (provider: string, pausing = pause) => {
      const payment = { ...before, intent: { ...before.intent, acquirer: { provider, reference: 'tr_1' } } };
      const complete = returnedActions({ ...shop.deps, steadyClock: shop.clock.steady, pause: pausing });
      return complete(operationId, payment);
    };
    return { ...shop, acquirer, operationId, notified, visit, pausedMs: () => pausedMs };
  }

  for (const provider of ['sandbox', 'mollie'])
    it(`waits for the outcome at ${provider}, and asks nothing itself`, async (t) => {
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const shop = await overtaken(t, { authorise: [promise] });
      await until('the payment is sent', () => shop.acquirer.calls.length === 3);
      const visited = await shop.visit(provider, async () => {
        resolve({ outcome: { kind: 'done' } });
        await shop.notified;
      });
      assert.equal(visited, 'moved');
      assert.equal((await shop.intent()).status, 'succeeded');
      assert.deepEqual(shop.acquirer.calls, ['authorise', 'inquire', 'authorise']);
    });

  it('waits for two seconds at most', async (t) => {
    const shop = await overtaken(t, { authorise: ['never'] });
    await until('the payment is sent', () => shop.acquirer.calls.length === 3);
    assert.equal(await shop.visit('sandbox'), 'moved');
    assert.equal(shop.pausedMs(), 2_000);
    assert.equal(await shop.visit('sandbox'), 'moved');
    assert.equal(shop.pausedMs(), 2_000, 'a later visit does not wait again');
    assert.equal((await shop.intent()).status, 'processing');
  });

  for (const { title, reply } of [
    { title: 'the customer is done and the bank decides later', reply: { kind: 'pending', customerDone: true } },
    { title: 'the provider is silent', reply: new AcquirerSilent('no reply') },
    { title: 'another challenge follows', reply: action },
    { title: 'the payment was declined', reply: { kind: 'declined', decline: { code: 'generic_decline' } } },
  ] as const)
    it(`does not wait if ${title}`, async (t) => {
      const shop = await overtaken(t, { authorise: [reply], inquire: [ready, action] });
      await shop.notified;
      await shop.visit('sandbox');
      assert.equal(shop.pausedMs(), 0);
    });
});
