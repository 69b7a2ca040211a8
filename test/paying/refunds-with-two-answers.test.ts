// A process that stalls for longer than its lease sends a refund that another process sends too. If the provider refuses
// one request and accepts the other, the refund is made, and is recorded here.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Answer, MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import { importRefund } from '../../src/usecases/import-refund.ts';
import { refundPayment } from '../../src/usecases/refund-payment.ts';
import { settleOperation } from '../../src/usecases/settle-operation.ts';
import { mustCommit } from '../support/committing.ts';
import { type CleansUp, describeOnEachEngine } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { type Script, scriptedAcquirer } from './scripted-acquirer.ts';
import { type ScriptedScene, scriptedScene } from './scripted-scene.ts';

const done: MoneyOutcome = { kind: 'done' };
const refused: Answer = { outcome: { kind: 'declined', decline: { code: 'processing_error' } } };
const accepted: Answer = { outcome: { kind: 'pending', customerDone: true }, reference: 're_1' };
const made: Answer = { outcome: done, reference: 're_1' };
const leaseMs = 30_000;

describeOnEachEngine('A refund that the provider refuses in one request and accepts in another', (engine) => {
  async function open(t: CleansUp, script: Script) {
    const acquirer = scriptedAcquirer({ authorise: [{ outcome: done, reference: 'tr_1' }], ...script });
    const shop = await scriptedScene(t, engine, acquirer);
    const paymentId = shop.deps.moment().newId('op');
    const refundOperations = async () => {
      const { store } = shop.deps;
      const operations = await store.list('operations', { scope: shop.scope, limit: 100 });
      return operations.filter(({ kind }) => kind === 'refund').reverse();
    };
    return { ...shop, acquirer, paymentId, refundOperations };
  }

  const statusesOf = async (shop: ScriptedScene) => (await shop.refunds()).map(({ status }) => status).reverse();
  const amountsOf = async (shop: ScriptedScene) => {
    const { amountCaptured, amountRefunded } = await shop.intent();
    return [amountCaptured, amountRefunded];
  };

  const refundEventsOf = async (shop: ScriptedScene) =>
    (await shop.events()).filter((type) => type.startsWith('refund.')).toSorted();

  /** A late payment whose refund is sent by a process that stalls, and, when its lease is over, by another one. */
  async function sentTwice(t: CleansUp, { second, inquire = [] }: { second: Answer; inquire?: Answer[] }) {
    const stalled = Promise.withResolvers<Answer>();
    const shop = await open(t, { refund: [stalled.promise, second], inquire });
    await shop.pay(shop.paymentId, { method: 'ideal' });
    const [intent, session] = [await shop.intent(), await shop.session()];
    await mustCommit(shop.deps.store, {
      paymentIntents: [{ ...intent, status: 'expired', amountCaptured: 0 }],
      checkoutSessions: [{ ...session, status: 'expired' }],
      operations: [{ ...(await shop.operation(shop.paymentId)), status: 'pending' }],
    });
    await settleOperation(shop.deps, shop.paymentId, { outcome: done });
    const first = shop.reconcileAfter(0);
    await until('the first request is sent', async () => shop.acquirer.calls.includes('refund'));
    await shop.reconcileAfter(leaseMs);
    return {
      ...shop,
      async firstIsAnswered(answer: Answer) {
        stalled.resolve(answer);
        await first;
      },
    };
  }

  for (const [outcome, answer] of [
    ['made', made],
    ['accepted', accepted],
  ] as const) {
    it(`is ${outcome} if the refusal comes first, and not sent again`, async (t) => {
      const shop = await sentTwice(t, { second: refused, inquire: [made] });
      assert.equal((await shop.refundOperations()).length, 2, 'it is to be sent again');
      await shop.firstIsAnswered(answer);
      await shop.reconcileAfter(3_600_000);
      assert.deepEqual(await statusesOf(shop), ['succeeded']);
      assert.deepEqual(await amountsOf(shop), [1250, 1250]);
      assert.deepEqual(await refundEventsOf(shop), ['refund.created']);
      await shop.reconcileAfter(24 * 3_600_000);
      assert.equal(shop.acquirer.calls.filter((call) => call === 'refund').length, 2);
      assert.deepEqual(shop.problems, []);
    });
  }

  it('is made if the refusal comes last', async (t) => {
    const shop = await sentTwice(t, { second: accepted, inquire: [made] });
    await shop.firstIsAnswered(refused);
    assert.deepEqual(await statusesOf(shop), ['pending']);
    assert.equal((await shop.refundOperations()).length, 1, 'it is not sent again');
    await shop.reconcileAfter(3_600_000);
    assert.deepEqual(await statusesOf(shop), ['succeeded']);
    assert.deepEqual(await amountsOf(shop), [1250, 1250]);
    assert.deepEqual(shop.problems, []);
  });

  it('fails all the same if it is refused when asked about by its reference', async (t) => {
    const shop = await sentTwice(t, { second: accepted, inquire: [refused] });
    await shop.firstIsAnswered(accepted);
    await shop.reconcileAfter(3_600_000);
    assert.deepEqual(
      (await shop.refundOperations()).map(({ status }) => status),
      ['failed', 'pending'],
    );
  });

  for (const status of ['succeeded', 'pending'] as const) {
    it(`is made if only its notification tells that it is ${status}`, async (t) => {
      const shop = await sentTwice(t, { second: refused, inquire: [made] });
      const [first] = await shop.refundOperations();
      assert.ok(first !== undefined);
      const report = { reference: 're_1', operation: first.id, amount: 1250, status };
      for (const _ of [1, 2]) await importRefund(shop.deps, shop.paymentId, report);
      await shop.reconcileAfter(3_600_000);
      assert.deepEqual(await statusesOf(shop), ['succeeded']);
      await shop.firstIsAnswered(made);
      assert.deepEqual(await amountsOf(shop), [1250, 1250]);
      assert.equal(shop.acquirer.calls.filter((call) => call === 'refund').length, 2);
    });
  }

  it('is not counted beyond what was captured if the provider has made the retry as well', async (t) => {
    const shop = await sentTwice(t, { second: refused });
    const [first, retry] = await shop.refundOperations();
    assert.ok(first !== undefined && retry !== undefined);
    const report = { amount: 1250, status: 'succeeded' } as const;
    for (const _ of [1, 2]) {
      await importRefund(shop.deps, shop.paymentId, { ...report, reference: 're_1', operation: first.id });
      await importRefund(shop.deps, shop.paymentId, { ...report, reference: 're_2', operation: retry.id });
    }
    assert.deepEqual([await statusesOf(shop), await amountsOf(shop)], [['succeeded'], [1250, 1250]]);
  });

  it('appears as a refund of its own if the merchant was told that theirs has failed', async (t) => {
    const shop = await open(t, { refund: [refused] });
    await shop.pay(shop.paymentId);
    const outcome = await refundPayment(shop.deps, shop.scope, { paymentIntentId: shop.intentId, amount: 500 });
    assert.ok('done' in outcome);
    assert.deepEqual([await statusesOf(shop), await amountsOf(shop)], [['failed'], [1250, 0]]);
    const [operation] = await shop.refundOperations();
    assert.ok(operation !== undefined);
    const report = { reference: 're_1', operation: operation.id, amount: 500 };
    await importRefund(shop.deps, shop.paymentId, { ...report, status: 'failed' });
    assert.deepEqual(await statusesOf(shop), ['failed'], 'nothing is new');
    for (const status of ['pending', 'succeeded', 'succeeded'] as const) {
      shop.clock.advance(1);
      await importRefund(shop.deps, shop.paymentId, { ...report, status });
      await settleOperation(shop.deps, operation.id, made);
    }
    assert.deepEqual(
      [await statusesOf(shop), await amountsOf(shop)],
      [
        ['failed', 'succeeded'],
        [1250, 500],
      ],
    );
    assert.deepEqual(await refundEventsOf(shop), ['refund.created', 'refund.created', 'refund.failed']);
  });

  it('that failed at the provider stays failed, whatever an outdated report says', async (t) => {
    const shop = await open(t, { refund: [accepted], inquire: [{ ...refused, reference: 're_1' }] });
    await shop.pay(shop.paymentId);
    await refundPayment(shop.deps, shop.scope, { paymentIntentId: shop.intentId });
    const [operation] = await shop.refundOperations();
    assert.ok(operation !== undefined);
    await shop.reconcileAfter(3_600_000);
    const report = { reference: 're_1', operation: operation.id, amount: 1250, status: 'succeeded' } as const;
    await importRefund(shop.deps, shop.paymentId, report);
    await settleOperation(shop.deps, operation.id, made);
    assert.deepEqual([await statusesOf(shop), await amountsOf(shop)], [['failed'], [1250, 0]]);
  });
});
