// Visits to the return URL share inquiries at the provider, so that nobody can use up the limit of a merchant's account.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AcquirerSilent, type Answer, type MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import { returnedActions } from '../../src/usecases/complete-returned-action.ts';
import { mustFindPayment } from '../support/committing.ts';
import { type CleansUp, describeOnEachEngine } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { openProviderScene } from './provider-scene.ts';
import { untilStatus } from './scene.ts';
import { type Script, scriptedAcquirer } from './scripted-acquirer.ts';
import { scriptedScene } from './scripted-scene.ts';

const action: MoneyOutcome = { kind: 'action', url: 'https://bank.example/pay' };
const done: MoneyOutcome = { kind: 'done' };
const silent = new AcquirerSilent('no reply');
const restMs = 2_000;

function heldAnswer() {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  return { promise, answer: (outcome: MoneyOutcome) => resolve({ outcome }) };
}

describeOnEachEngine('Visits to the return URL', (engine) => {
  for (const { title, fields, path, headers } of [
    { title: 'of the hosted page', fields: {}, path: 'checkout/:id/return', headers: {} },
    {
      title: 'of an embedded checkout',
      fields: { ui_mode: 'embedded', return_url: 'https://shop.example' },
      path: 'embed/:id/return',
      headers: { 'Sec-Fetch-Dest': 'document' },
    },
  ])
    it(`${title} share one inquiry, however many they are, and the customer learns what was paid`, async (t) => {
      const first = heldAnswer();
      let visitsFound = 0;
      const scene = await openProviderScene(
        t,
        engine,
        { authorise: [action], inquire: [first.promise, done] },
        (store) => ({
          ...store,
          async findBy(name, ...by) {
            const found = await store.findBy(name, ...by);
            if (name === 'checkouts') visitsFound += 1;
            return found;
          },
        }),
      );
      const session = await scene.sentToProvider(fields);
      const visit = () => scene.customer.get(`/${path.replace(':id', String(session.id))}`, { headers });
      visitsFound = 0;
      const visits = Promise.all(Array.from({ length: 30 }, visit));
      await until('all of them have arrived', () => visitsFound >= 30);
      first.answer(action);
      for (const { status } of await visits) assert.equal(status, 200);
      assert.deepEqual(scene.acquirer.calls, ['authorise', 'inquire']);

      scene.paydesk.clock.advance(restMs);
      await visit();
      // The job may ask then too.
      assert.deepEqual(scene.acquirer.calls.slice(0, 3), ['authorise', 'inquire', 'inquire']);
      await untilStatus(scene, session, 'succeeded');
    });
});

describeOnEachEngine('A visit to the return URL', (engine) => {
  async function sentToProvider(t: CleansUp, script: Script) {
    const acquirer = scriptedAcquirer({ authorise: [{ outcome: action, reference: 'tr_1' }], ...script });
    const shop = await scriptedScene(t, engine, acquirer);
    const pauses: { ms: number; end: () => void }[] = [];
    const pause = (ms: number) => new Promise<void>((end) => pauses.push({ ms, end }));
    const complete = returnedActions({ ...shop.deps, steadyClock: shop.clock.steady, pause });
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId, { method: 'ideal' });
    const payment = await mustFindPayment(shop.deps.store, shop.scope, shop.sessionId);
    const acquirerOf = { provider: 'mollie', reference: 'tr_1' };
    const atProvider = { ...payment, intent: { ...payment.intent, acquirer: acquirerOf } };
    return { ...shop, acquirer, pauses, visit: () => complete(operationId, atProvider) };
  }

  it('soon after an answer waits for the rest of two seconds, and then learns what was paid meanwhile', async (t) => {
    const shop = await sentToProvider(t, { inquire: [action, done] });
    assert.equal(await shop.visit(), 'waiting');
    shop.clock.advance(500);
    const visits = [shop.visit(), shop.visit(), shop.visit()];
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'inquire']);
    assert.deepEqual(
      shop.pauses.map(({ ms }) => ms),
      [1_500],
    );
    shop.clock.advance(1_500);
    shop.pauses[0]?.end();
    assert.deepEqual(await Promise.all(visits), ['moved', 'moved', 'moved']);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'inquire', 'inquire']);
    assert.equal((await shop.intent()).status, 'succeeded');
  });

  it('does not inquire after that wait if the outcome has arrived by then', async (t) => {
    const shop = await sentToProvider(t, { inquire: [action, done] });
    await shop.visit();
    const visit = shop.visit();
    await shop.reconcileAfter(15_000);
    assert.equal((await shop.intent()).status, 'succeeded');
    shop.pauses[0]?.end();
    assert.equal(await visit, 'moved');
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'inquire', 'inquire']);
  });

  it('asks at once if two seconds have passed, also since the provider was silent', async (t) => {
    const shop = await sentToProvider(t, { inquire: [silent, action, done] });
    for (const expected of ['waiting', 'waiting', 'moved']) {
      assert.equal(await shop.visit(), expected);
      shop.clock.advance(restMs);
    }
    assert.deepEqual(shop.pauses, []);
  });

  it('counts from the answer, not from the question', async (t) => {
    const slow = heldAnswer();
    const shop = await sentToProvider(t, { inquire: [slow.promise, done] });
    const first = shop.visit();
    shop.clock.advance(10_000);
    slow.answer(action);
    await first;
    const second = shop.visit();
    assert.equal(shop.pauses[0]?.ms, restMs);
    shop.pauses[0]?.end();
    assert.equal(await second, 'moved');
  });

  it('also waits after an inquiry that failed, and then asks again', async (t) => {
    const shop = await sentToProvider(t, { inquire: [new Error('nonsense'), done] });
    await assert.rejects(shop.visit(), /nonsense/);
    const again = shop.visit();
    assert.equal(shop.pauses[0]?.ms, restMs);
    shop.pauses[0]?.end();
    assert.equal(await again, 'moved');
  });

  it('asks at once after a challenge that another challenge followed', async (t) => {
    const ready: MoneyOutcome = { kind: 'ready' };
    const next: MoneyOutcome = { kind: 'action', url: 'https://bank.example/again' };
    const shop = await sentToProvider(t, { authorise: [action, next, done], inquire: [ready, ready] });
    assert.equal(await shop.visit(), 'moved');
    assert.equal((await shop.intent()).status, 'requires_action');
    assert.equal(await shop.visit(), 'moved');
    assert.deepEqual(shop.pauses, []);
    assert.equal((await shop.intent()).status, 'succeeded');
  });
});
