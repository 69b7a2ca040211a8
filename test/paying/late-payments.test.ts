// Expiry asks first: what was paid at the provider is paid here. Money that arrives after that is returned by itself.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AcquirerSilent, type MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import { isRefusal } from '../../src/domain/errors.ts';
import {
  importedRefundId,
  importReason,
  latePaymentReason,
  newOperation,
  ofPayment,
} from '../../src/domain/operation.ts';
import { expireCheckoutSession } from '../../src/usecases/expire-checkout-session.ts';
import { importRefund } from '../../src/usecases/import-refund.ts';
import { returned } from '../../src/usecases/return-late-payment.ts';
import { settleOperation } from '../../src/usecases/settle-operation.ts';
import { mustCommit } from '../support/committing.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { failed, paid } from './scene.ts';
import { type Script, scriptedAcquirer } from './scripted-acquirer.ts';
import { type SceneTerms, type ScriptedScene, scriptedScene } from './scripted-scene.ts';

const action: MoneyOutcome = { kind: 'action', url: 'https://bank.example/pay' };
const done: MoneyOutcome = { kind: 'done' };
const notMade: MoneyOutcome = { kind: 'not_made' };
const silent = new AcquirerSilent('no reply');
const expiresInSeconds = 300;
const lifeMs = expiresInSeconds * 1000;

/** The customer is at the provider, and the session's time is up. */
async function atTheProvider(t: CleansUp, engine: Engine, script: Script, terms: SceneTerms = {}) {
  const acquirer = scriptedAcquirer({ authorise: [{ outcome: action, reference: 'tr_1' }], ...script });
  const shop = await scriptedScene(t, engine, acquirer, { expiresInSeconds, ...terms });
  const operationId = shop.deps.moment().newId('op');
  await shop.pay(operationId, { method: 'ideal' });
  return { ...shop, acquirer, operationId };
}

describeOnEachEngine('A session whose time is up while the customer pays', (engine) => {
  it('expires once the acquirer has closed the payment', async (t) => {
    const shop = await atTheProvider(t, engine, { close: [notMade] });
    await shop.expireAfter(lifeMs - 1);
    assert.deepEqual(shop.acquirer.calls, ['authorise'], 'not before its time');
    await shop.expireAfter(1);
    assert.deepEqual([(await shop.intent()).status, (await shop.session()).status], ['expired', 'expired']);
    assert.deepEqual(await shop.events(), ['checkout_session.expired']);
    assert.equal((await shop.operation(shop.operationId)).status, 'failed');
    await shop.reconcileAfter(3_600_000);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'close'], 'it is not asked about any more');
  });

  it('is paid if the acquirer has the money', async (t) => {
    const shop = await atTheProvider(t, engine, { close: [done] });
    await shop.expireAfter(lifeMs);
    assert.deepEqual([(await shop.intent()).status, (await shop.session()).status], ['succeeded', 'completed']);
    assert.deepEqual(await shop.events(), paid);
    assert.deepEqual(await shop.refunds(), []);
  });

  it('waits if the bank still decides', async (t) => {
    const pending: MoneyOutcome = { kind: 'pending', customerDone: false };
    const shop = await atTheProvider(t, engine, { close: [pending, done] });
    await shop.expireAfter(lifeMs);
    assert.deepEqual([(await shop.intent()).status, (await shop.session()).status], ['processing', 'open']);
    await shop.reconcileAfter(15_000);
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['succeeded', paid]);
  });

  it('stays as it is while the acquirer is silent, and is asked about again, but not all the time', async (t) => {
    const shop = await atTheProvider(t, engine, { close: [silent, silent, notMade] });
    await shop.expireAfter(lifeMs);
    assert.deepEqual([(await shop.intent()).status, (await shop.session()).status], ['requires_action', 'open']);
    await shop.expireAfter(1_000);
    assert.equal(shop.acquirer.calls.length, 2, 'not again at once');
    await shop.expireAfter(30_000);
    assert.equal((await shop.intent()).status, 'requires_action');
    await shop.expireAfter(30_000);
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['expired', ['checkout_session.expired']]);
    assert.deepEqual(shop.problems, []);
  });

  it('expires even if the acquirer cannot end the payment, and money that still arrives is returned', async (t) => {
    const script: Script = { close: [action, { kind: 'ready' }, done], refund: [done] };
    const shop = await atTheProvider(t, engine, script);
    await shop.expireAfter(lifeMs);
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['expired', ['checkout_session.expired']]);
    await shop.reconcileAfter(1_000);
    assert.deepEqual(await shop.refunds(), []);
    await shop.reconcileAfter(30_000);
    await shop.reconcileAfter(0);
    assert.deepEqual(
      (await shop.refunds()).map(({ reason, status }) => [reason, status]),
      [['late_payment', 'succeeded']],
    );
    assert.deepEqual(await shop.events(), ['checkout_session.expired', 'refund.created']);
    assert.equal((await shop.intent()).status, 'expired');
  });

  it('is left to that: the job that asks about operations does not interfere', async (t) => {
    const shop = await atTheProvider(t, engine, { close: [notMade] });
    await shop.reconcileAfter(lifeMs);
    assert.deepEqual(shop.acquirer.calls, ['authorise']);
    await shop.expireAfter(0);
    assert.deepEqual(await shop.events(), ['checkout_session.expired']);
  });

  it('expires once if the notification of its own cancellation comes first', async (t) => {
    const shop = await atTheProvider(t, engine, { close: [notMade] });
    shop.clock.advance(lifeMs);
    await settleOperation(shop.deps, shop.operationId, { outcome: { kind: 'abandoned', reason: 'canceled' } });
    assert.deepEqual([(await shop.intent()).status, (await shop.session()).status], ['expired', 'expired']);
    assert.equal((await shop.operation(shop.operationId)).status, 'failed');
    await shop.expireAfter(0);
    assert.deepEqual(await shop.events(), ['checkout_session.expired']);
    assert.deepEqual(shop.problems, []);
  });

  it('reports a decline that arrives then, and expires after it', async (t) => {
    const shop = await atTheProvider(t, engine, {});
    shop.clock.advance(lifeMs);
    const declined: MoneyOutcome = { kind: 'declined', decline: { code: 'insufficient_funds' } };
    await settleOperation(shop.deps, shop.operationId, { outcome: declined });
    await shop.expireAfter(0);
    assert.deepEqual(await shop.events(), ['payment_intent.payment_failed', 'checkout_session.expired']);
  });

  it('can be expired by the merchant only when the acquirer has closed the payment', async (t) => {
    const shop = await atTheProvider(t, engine, { close: [silent, notMade] });
    const expire = () => expireCheckoutSession(shop.deps, shop.scope, shop.sessionId);
    const early = await expire();
    assert.ok(isRefusal(early));
    assert.equal(early.refused, 'payment_in_progress');
    const outcome = await expire();
    assert.equal('done' in outcome && outcome.done.status, 'expired');
    assert.deepEqual(await shop.events(), ['checkout_session.expired']);
  });

  it('is not expired by the merchant if it was paid', async (t) => {
    const shop = await atTheProvider(t, engine, { close: [done] });
    const outcome = await expireCheckoutSession(shop.deps, shop.scope, shop.sessionId);
    assert.equal(isRefusal(outcome) && outcome.refused, 'session_not_open');
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['succeeded', paid]);
  });
});

describeOnEachEngine('A payment that arrives after its session has expired', (engine) => {
  /** Expired without asking, as earlier versions did. */
  async function expiredWithoutAsking(t: CleansUp, script: Script, terms: SceneTerms = {}) {
    const shop = await atTheProvider(t, engine, script, terms);
    const [intent, session] = [await shop.intent(), await shop.session()];
    await mustCommit(shop.deps.store, {
      paymentIntents: [{ ...intent, status: 'expired' }],
      checkoutSessions: [{ ...session, status: 'expired' }],
    });
    return shop;
  }

  it('is recorded, and refunded in full by itself', async (t) => {
    const shop = await expiredWithoutAsking(t, { close: [done], refund: [{ outcome: done, reference: 're_1' }] });
    await shop.reconcileAfter(15_000);
    const [refund, ...others] = await shop.refunds();
    assert.deepEqual(
      { amount: refund?.amount, reason: refund?.reason, status: refund?.status, others },
      { amount: 1250, reason: 'late_payment', status: 'pending', others: [] },
    );
    const { status, amountCaptured, amountRefunded } = await shop.intent();
    assert.deepEqual([status, amountCaptured, amountRefunded], ['expired', 1250, 1250]);
    await shop.reconcileAfter(0);
    assert.deepEqual(
      (await shop.refunds()).map(({ status: now }) => now),
      ['succeeded'],
    );
    assert.deepEqual(await shop.events(), ['refund.created']);
    const sent = shop.acquirer.operations.at(-1);
    assert.equal(sent !== undefined && 'payment' in sent ? sent.payment.reference : null, 'tr_1');
    await shop.reconcileAfter(3_600_000);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'close', 'refund'], 'once');
  });

  it('is refunded under the same id until the acquirer responds', async (t) => {
    const missing: MoneyOutcome = { kind: 'pending', customerDone: true };
    const script: Script = { close: [done], refund: [silent, silent, done], inquire: [missing, missing] };
    const shop = await expiredWithoutAsking(t, script);
    await shop.reconcileAfter(15_000);
    for (const ms of [0, 60_000, 60_000]) await shop.reconcileAfter(ms);
    assert.deepEqual(
      (await shop.refunds()).map(({ status }) => status),
      ['succeeded'],
    );
    const ids = shop.acquirer.operations.slice(-5).map(({ id }) => id);
    assert.equal(new Set(ids).size, 1);
    assert.deepEqual(shop.problems, []);
  });

  it('is not refunded again if the acquirer made the refund without responding', async (t) => {
    const made = { outcome: done, reference: 're_1' };
    const shop = await expiredWithoutAsking(t, { close: [done], refund: [silent], inquire: [made] });
    await shop.reconcileAfter(15_000);
    for (const ms of [0, 60_000]) await shop.reconcileAfter(ms);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'close', 'refund', 'inquire']);
    assert.deepEqual(
      (await shop.refunds()).map(({ status }) => status),
      ['succeeded'],
    );
  });

  it('is released if it was only authorised', async (t) => {
    const script: Script = { close: [{ kind: 'authorised' }], void: [done] };
    const shop = await expiredWithoutAsking(t, script, { captureMethod: 'manual' });
    await shop.reconcileAfter(15_000);
    await shop.reconcileAfter(0);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'close', 'void']);
    const { status, amountCaptured } = await shop.intent();
    assert.deepEqual([status, amountCaptured, await shop.events()], ['expired', 0, []]);
    await shop.reconcileAfter(3_600_000);
    assert.equal(shop.acquirer.calls.length, 3);
  });

  it('that was not made changes nothing, and neither does any other outcome', async (t) => {
    const outcomes: MoneyOutcome[] = [
      notMade,
      { kind: 'declined', decline: { code: 'generic_decline' } },
      { kind: 'abandoned', reason: 'canceled' },
    ];
    for (const outcome of outcomes) {
      const shop = await expiredWithoutAsking(t, { close: [outcome] });
      await shop.comeBack(shop.operationId);
      assert.deepEqual([(await shop.intent()).status, await shop.events()], ['expired', []]);
      assert.equal((await shop.operation(shop.operationId)).status, 'failed');
    }
  });

  it('is refunded once, however often and however it is reported', async (t) => {
    const shop = await expiredWithoutAsking(t, { refund: [done] });
    const report = () => settleOperation(shop.deps, shop.operationId, { outcome: done });
    await Promise.all(Array.from({ length: 10 }, report));
    await shop.reconcileAfter(0);
    assert.deepEqual(
      (await shop.refunds()).map(({ amount, status }) => [amount, status]),
      [[1250, 'succeeded']],
    );
    assert.deepEqual(await shop.events(), ['refund.created']);
  });

  it('is tried again under a new id if the acquirer refuses to return it, rarer and rarer', async (t) => {
    const refused: MoneyOutcome = { kind: 'declined', decline: { code: 'processing_error' } };
    const shop = await expiredWithoutAsking(t, { close: [done], refund: [refused, refused, done] });
    await shop.reconcileAfter(15_000);
    for (const ms of [0, 59_999, 1, 60_000]) await shop.reconcileAfter(ms);
    assert.deepEqual(
      (await shop.refunds()).map(({ status }) => status),
      ['succeeded'],
    );
    const ids = shop.acquirer.operations.slice(-3).map(({ id }) => id);
    assert.equal(new Set(ids).size, 3, 'a refusal is kept under the id');
    assert.deepEqual(await shop.events(), ['refund.created']);
    const { amountCaptured, amountRefunded } = await shop.intent();
    assert.deepEqual([amountCaptured, amountRefunded], [1250, 1250]);
  });

  it('is released again if the acquirer refuses to release it', async (t) => {
    const refused: MoneyOutcome = { kind: 'declined', decline: { code: 'processing_error' } };
    const held: MoneyOutcome = { kind: 'authorised' };
    const script: Script = { close: [held], void: [refused, done], inquire: [held] };
    const shop = await expiredWithoutAsking(t, script, { captureMethod: 'manual' });
    await shop.reconcileAfter(15_000);
    for (const ms of [0, 60_000]) await shop.reconcileAfter(ms);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'close', 'void', 'inquire', 'void']);
  });

  it('tells the merchant after a day if the acquirer does not make the refund', async (t) => {
    const refused: MoneyOutcome = { kind: 'declined', decline: { code: 'processing_error' } };
    const shop = await expiredWithoutAsking(t, { close: [done], refund: [refused, refused] });
    await shop.reconcileAfter(15_000);
    await shop.reconcileAfter(1);
    assert.deepEqual(await shop.events(), ['refund.created']);
    await shop.reconcileAfter(24 * 3_600_000);
    assert.deepEqual(await shop.events(), ['refund.created', 'refund.failed']);
    const { amountCaptured, amountRefunded } = await shop.intent();
    assert.deepEqual([amountCaptured, amountRefunded], [1250, 0]);
  });

  const refused: MoneyOutcome = { kind: 'declined', decline: { code: 'processing_error' } };
  type Reported = 'pending' | 'succeeded' | 'failed';

  /** Reports a refund that the merchant has made at the provider; returns those that are known here, oldest first. */
  function reportTo(shop: ScriptedScene & { readonly operationId: string }) {
    return async (status: Reported, amount = 1250): Promise<unknown[]> => {
      await importRefund(shop.deps, shop.operationId, { reference: 're_9', operation: null, amount, status });
      return (await shop.refunds()).map((refund) => [refund.amount, refund.status]).reverse();
    };
  }

  const amountsOf = async (shop: ScriptedScene): Promise<number[]> => {
    const { amountCaptured, amountRefunded } = await shop.intent();
    return [amountCaptured, amountRefunded];
  };

  it('is returned once if the merchant refunds it at the provider while that refuses ours', async (t) => {
    const shop = await expiredWithoutAsking(t, { close: [done], refund: [refused] });
    await shop.reconcileAfter(15_000);
    await shop.reconcileAfter(1);
    const report = reportTo(shop);
    assert.deepEqual(await report('failed'), [[1250, 'pending']], 'an attempt that failed there says nothing');
    assert.deepEqual(await report('succeeded'), [[1250, 'succeeded']]);
    assert.deepEqual(await report('succeeded'), [[1250, 'succeeded']]);
    await shop.reconcileAfter(24 * 3_600_000);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'close', 'refund'], 'nothing is sent any more');
    assert.deepEqual(await amountsOf(shop), [1250, 1250]);
    assert.deepEqual(await shop.events(), ['refund.created']);
    assert.deepEqual(await report('failed'), [[1250, 'failed']], 'the money came back');
    assert.deepEqual(await shop.events(), ['refund.created', 'refund.failed']);
  });

  it('is asked about, and not returned again, while the refund of the merchant is pending', async (t) => {
    const shop = await expiredWithoutAsking(t, { close: [done], refund: [refused], inquire: [done] });
    await shop.reconcileAfter(15_000);
    await shop.reconcileAfter(1);
    assert.deepEqual(await reportTo(shop)('pending'), [[1250, 'pending']]);
    await shop.reconcileAfter(60_000);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'close', 'refund', 'inquire']);
    assert.deepEqual(
      (await shop.refunds()).map(({ status }) => status),
      ['succeeded'],
    );
  });

  it('is refunded in part if the merchant refunds a part of it at the provider', async (t) => {
    const shop = await expiredWithoutAsking(t, { close: [done], refund: [refused] });
    await shop.reconcileAfter(15_000);
    await shop.reconcileAfter(1);
    const report = reportTo(shop);
    assert.deepEqual(await report('pending', 500), [[1250, 'pending']]);
    for (const _ of [1, 2])
      assert.deepEqual(await report('succeeded', 500), [
        [1250, 'failed'],
        [500, 'succeeded'],
      ]);
    assert.deepEqual(await amountsOf(shop), [1250, 500]);
    assert.deepEqual(await shop.events(), ['refund.created', 'refund.failed', 'refund.created']);
    await shop.reconcileAfter(24 * 3_600_000);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'close', 'refund'], 'ours is not sent any more');
  });

  /** The first payment arrives after the second, and is on its way back. */
  async function paidTwice(t: CleansUp) {
    const shop = await atTheProvider(t, engine, {
      authorise: [
        { outcome: action, reference: 'tr_1' },
        { outcome: done, reference: 'tr_2' },
      ],
      inquire: [{ kind: 'abandoned', reason: 'canceled' }],
      refund: [refused, refused],
    });
    await shop.comeBack(shop.operationId);
    shop.clock.advance(1);
    await shop.pay();
    const { store, moment } = shop.deps;
    const arrived = { ...(await shop.operation(shop.operationId)), status: 'succeeded' } as const;
    const payment = { intent: await shop.intent(), session: await shop.session() };
    await mustCommit(store, returned(arrived, payment, { kind: 'done' }, moment()).changes);
    await shop.reconcileAfter(1);
    return shop;
  }

  for (const [what, amount, waitMs, ours] of [
    ['in full', 1250, 0, []],
    ['in part', 500, 0, [[1250, 'failed']]],
    ['after ours has failed', 1250, 24 * 3_600_000, [[1250, 'failed']]],
  ] as const) {
    it(`that was a second one is no refund of the first if the merchant refunds it ${what}`, async (t) => {
      const shop = await paidTwice(t);
      await shop.reconcileAfter(waitMs);
      for (const _ of [1, 2])
        assert.deepEqual(await reportTo(shop)('succeeded', amount), [...ours, [amount, 'succeeded']]);
      assert.deepEqual(await amountsOf(shop), [1250, 0]);
    });
  }

  it('is imported once if a process of an earlier version has imported it', async (t) => {
    const shop = await paidTwice(t);
    const { store, moment } = shop.deps;
    const payment = await shop.operation(shop.operationId);
    const about = { ...ofPayment(payment), kind: 'refund', amount: 1250, acquirerReference: 're_9' } as const;
    const { paymentIntentId, checkoutSessionId } = payment;
    const fields = { ...about, paymentIntentId, checkoutSessionId, reason: importReason };
    const imported = newOperation(importedRefundId(payment, 're_9'), payment, fields, moment());
    await mustCommit(store, { operations: [{ ...imported, status: 'succeeded', dueAt: null }] });
    assert.deepEqual(await reportTo(shop)('succeeded'), [[1250, 'pending']], 'ours is left as it is');
  });

  it('is returned without changing a payment that was made another way meanwhile', async (t) => {
    const first = await atTheProvider(t, engine, {
      authorise: [
        { outcome: action, reference: 'tr_1' },
        { outcome: done, reference: 'tr_2' },
      ],
      inquire: [{ kind: 'abandoned', reason: 'canceled' }],
    });
    await first.comeBack(first.operationId);
    first.clock.advance(1);
    await first.pay();
    first.clock.advance(1);
    for (const _ of [1, 2]) await settleOperation(first.deps, first.operationId, { outcome: done });
    const { status, amountCaptured, amountRefunded, acquirer } = await first.intent();
    assert.deepEqual([status, amountCaptured, amountRefunded], ['succeeded', 1250, 0], 'an outcome is final');
    assert.equal(acquirer?.reference, 'tr_2');
    assert.deepEqual(await first.events(), [...failed, ...paid, 'refund.created']);
    assert.deepEqual(
      (await first.refunds()).map(({ amount, reason }) => [amount, reason]),
      [[1250, latePaymentReason]],
    );
  });
});
