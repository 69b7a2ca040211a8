// An acquirer is an outside party: it responds late, twice, wrongly or not at all. Here a test double plays that party;
// the use cases are the real ones, on real storage.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Acquirer, AcquirerSilent, type MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import { withDeadline } from '../../src/acquirers/with-deadline.ts';
import { capturePayment } from '../../src/usecases/capture-payment.ts';
import { refundPayment } from '../../src/usecases/refund-payment.ts';
import { settleOperation } from '../../src/usecases/settle-operation.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { failed, paid } from './scene.ts';
import { type Script, scriptedAcquirer } from './scripted-acquirer.ts';
import { scriptedScene } from './scripted-scene.ts';

const done: MoneyOutcome = { kind: 'done' };
const pending: MoneyOutcome = { kind: 'pending', customerDone: false };
const ready: MoneyOutcome = { kind: 'ready' };
const notMade: MoneyOutcome = { kind: 'not_made' };

const scene = (t: CleansUp, engine: Engine, acquirer: Acquirer, captureMethod: 'automatic' | 'manual') =>
  scriptedScene(t, engine, acquirer, { captureMethod });

describeOnEachEngine('An acquirer', (engine) => {
  it('that never acted makes the payment fail, and the customer may pay again', async (t) => {
    const silent = new AcquirerSilent('no reply');
    const acquirer = scriptedAcquirer({ authorise: [silent, done], inquire: [pending], close: [notMade] });
    const { pay: tryToPay, reconcileAfter, intent, events } = await scene(t, engine, acquirer, 'automatic');
    assert.equal((await tryToPay()).kind, 'moved');
    assert.equal((await intent()).status, 'processing');
    await reconcileAfter(999);
    assert.deepEqual(acquirer.calls, ['authorise'], 'not before its time');
    await reconcileAfter(1);
    const after = await intent();
    assert.equal(after.status, 'requires_payment_method');
    assert.equal(after.lastPaymentError?.code, 'processing_error');
    assert.deepEqual(await events(), failed);
    await reconcileAfter(1);
    await tryToPay();
    assert.equal((await intent()).status, 'succeeded');
    assert.deepEqual(await events(), [...failed, ...paid]);
    assert.deepEqual(acquirer.calls, ['authorise', 'inquire', 'close', 'authorise']);
  });

  it('that did not get the request gets it again, under the same id', async (t) => {
    const silent = new AcquirerSilent('no reply');
    const acquirer = scriptedAcquirer({ authorise: [silent, silent, done], inquire: [ready, ready] });
    const shop = await scene(t, engine, acquirer, 'automatic');
    await shop.pay();
    for (const ms of [1_000, 1_000]) await shop.reconcileAfter(ms);
    assert.equal((await shop.intent()).status, 'succeeded');
    assert.deepEqual(await shop.events(), paid);
    assert.deepEqual(acquirer.calls, ['authorise', 'inquire', 'authorise', 'inquire', 'authorise']);
    assert.equal(new Set(acquirer.operations.map(({ id }) => id)).size, 1);
  });

  it('that did not get the request before the session has expired is told to refuse it', async (t) => {
    const acquirer = scriptedAcquirer({ authorise: [new AcquirerSilent('no reply')], close: [notMade] });
    const shop = await scriptedScene(t, engine, acquirer, { expiresInSeconds: 300 });
    await shop.pay();
    await shop.reconcileAfter(300_000);
    assert.deepEqual(acquirer.calls, ['authorise', 'close']);
    assert.deepEqual(await shop.events(), failed);
  });

  it('that asks for a challenge in a response that was lost sends the customer there', async (t) => {
    const action: MoneyOutcome = { kind: 'action', url: 'https://bank.example/3ds' };
    const acquirer = scriptedAcquirer({ authorise: [new AcquirerSilent('no reply')], inquire: [action] });
    const shop = await scene(t, engine, acquirer, 'automatic');
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId);
    await shop.reconcileAfter(1_000);
    assert.equal((await shop.intent()).status, 'requires_action');
    assert.equal((await shop.operation(operationId)).actionUrl, action.url);
  });

  it('that fails with an unknown outcome leaves the payment to be reconciled', async (t) => {
    const acquirer = scriptedAcquirer({
      authorise: [new Error('socket hang up')],
      inquire: [new Error('again'), new AcquirerSilent('no reply'), pending, done],
      close: [pending],
    });
    const shop = await scene(t, engine, acquirer, 'automatic');
    await assert.rejects(shop.pay(), /socket hang up/);
    assert.equal((await shop.intent()).status, 'processing');
    await shop.reconcileAfter(15_000);
    assert.equal(shop.problems.length, 1);
    assert.equal((await shop.intent()).status, 'processing');
    // After an error on our side, the lease has to expire first.
    for (const ms of [30_000, 30_000, 30_000]) await shop.reconcileAfter(ms);
    assert.equal((await shop.intent()).status, 'succeeded');
    assert.deepEqual(await shop.events(), paid);
    await shop.reconcileAfter(86_400_000);
    assert.equal(acquirer.calls.length, 6, 'there are no inquiries about settled operations');
  });

  it('that responds too late gets an inquiry, and its late response changes nothing', async (t) => {
    const acquirer = scriptedAcquirer({ authorise: ['never'], inquire: [done] });
    const shop = await scene(t, engine, withDeadline(acquirer, 20), 'automatic');
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId);
    assert.equal((await shop.intent()).status, 'processing');
    await shop.reconcileAfter(1_000);
    assert.equal((await shop.intent()).status, 'succeeded');
    for (const late of [done, pending, notMade, { kind: 'declined', decline: { code: 'generic_decline' } } as const]) {
      await settleOperation(shop.deps, operationId, { outcome: late });
    }
    assert.equal((await shop.intent()).status, 'succeeded');
    assert.deepEqual(await shop.events(), paid);
  });

  it('that reports two outcomes at once is held to the first', async (t) => {
    const acquirer = scriptedAcquirer({ authorise: [new AcquirerSilent('no reply')] });
    const shop = await scene(t, engine, acquirer, 'automatic');
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId);
    const outcomes: MoneyOutcome[] = Array.from({ length: 10 }, (_, turn) => (turn % 2 === 0 ? done : notMade));
    await Promise.all(outcomes.map((outcome) => settleOperation(shop.deps, operationId, { outcome })));
    const { status, amountCaptured } = await shop.intent();
    assert.equal(amountCaptured, status === 'succeeded' ? 1250 : 0);
    assert.deepEqual(await shop.events(), status === 'succeeded' ? paid : failed);
  });

  it('that is silent about a capture gets an inquiry; a capture that was not made can be repeated', async (t) => {
    const silent = new AcquirerSilent('no reply');
    const acquirer = scriptedAcquirer({
      authorise: [{ kind: 'authorised' }],
      capture: [silent, { kind: 'declined', decline: { code: 'processing_error' } }, silent],
      close: [notMade, done],
      inquire: [authorised, authorised],
    });
    const shop = await scene(t, engine, acquirer, 'manual');
    await shop.pay();
    const capture = () => capturePayment(shop.deps, shop.scope, { paymentIntentId: shop.intentId, amount: 1000 });
    await capture();
    const second = await capture();
    assert.equal('refused' in second && second.refused, 'payment_in_progress');
    await shop.reconcileAfter(1_000);
    assert.equal((await shop.intent()).status, 'requires_capture');
    const declined = await capture();
    assert.equal('refused' in declined && declined.refused, 'payment_not_capturable');
    assert.equal((await shop.intent()).pendingOperationId, null);
    await capture();
    await shop.reconcileAfter(1_000);
    const { status, amountCaptured } = await shop.intent();
    assert.deepEqual([status, amountCaptured], ['succeeded', 1000]);
    assert.deepEqual(shop.unsettled, []);
    assert.deepEqual(await shop.events(), ['checkout_session.completed', 'payment_intent.succeeded']);
  });

  it('gets a lost refund again; if it refuses it, the amount is free again, and the merchant gets an event', async (t) => {
    const acquirer = scriptedAcquirer({
      authorise: [done],
      refund: [new AcquirerSilent('no reply'), new AcquirerSilent('no reply'), declined, done],
      inquire: [pending, pending],
    });
    const shop = await scene(t, engine, acquirer, 'automatic');
    await shop.pay();
    const refund = () => refundPayment(shop.deps, shop.scope, { paymentIntentId: shop.intentId, amount: 1250 });
    const outcome = await refund();
    assert.equal('done' in outcome && outcome.done.status, 'pending');
    assert.equal((await shop.intent()).amountRefunded, 1250);
    const early = await refund();
    assert.equal('refused' in early && early.refused, 'payment_not_refundable');
    await shop.reconcileAfter(1_000);
    await shop.reconcileAfter(30_000);
    assert.equal((await shop.intent()).amountRefunded, 0);
    assert.ok((await shop.events()).includes('refund.failed'));
    const again = await refund();
    assert.equal('done' in again && again.done.status, 'succeeded');
    assert.deepEqual((await shop.events()).filter((type) => type.startsWith('refund.')).toSorted(), [
      'refund.created',
      'refund.created',
      'refund.failed',
    ]);
  });
});

const sevenDaysMs = 7 * 24 * 60 * 60 * 1000;
const authorised: MoneyOutcome = { kind: 'authorised' };
const declined: MoneyOutcome = { kind: 'declined', decline: { code: 'processing_error' } };
const completed = 'checkout_session.completed';
const canceled = 'payment_intent.canceled';
const succeeded = 'payment_intent.succeeded';

describeOnEachEngine('An authorisation that lapses', (engine) => {
  async function heldFor7Days(t: CleansUp, replies: Script) {
    const acquirer = scriptedAcquirer({ authorise: [authorised], ...replies });
    const shop = await scene(t, engine, acquirer, 'manual');
    await shop.pay();
    const capture = () => capturePayment(shop.deps, shop.scope, { paymentIntentId: shop.intentId });
    return { ...shop, acquirer, capture };
  }
  async function assertCanceled(shop: Awaited<ReturnType<typeof heldFor7Days>>): Promise<void> {
    const { status, cancellationReason, pendingOperationId, captureBefore } = await shop.intent();
    assert.deepEqual(
      { status, cancellationReason, pendingOperationId, captureBefore },
      {
        status: 'canceled',
        cancellationReason: 'authorization_expired',
        pendingOperationId: null,
        captureBefore: null,
      },
    );
    assert.deepEqual(await shop.events(), [completed, canceled]);
  }

  it('is voided at the acquirer before it is canceled', async (t) => {
    const shop = await heldFor7Days(t, { void: [done] });
    await shop.lapseAfter(sevenDaysMs - 1);
    assert.deepEqual(shop.acquirer.calls, ['authorise']);
    await shop.lapseAfter(1);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'void']);
    await assertCanceled(shop);
    await shop.lapseAfter(sevenDaysMs);
    assert.equal(shop.acquirer.calls.length, 2);
  });

  it('is canceled once a silent acquirer reports the void, and not captured meanwhile', async (t) => {
    const shop = await heldFor7Days(t, { void: [new AcquirerSilent('no reply')], close: [pending, done] });
    await shop.lapseAfter(sevenDaysMs);
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['requires_capture', [completed]]);
    const late = await shop.capture();
    assert.equal('refused' in late && late.refused, 'payment_not_capturable');
    await shop.lapseAfter(10_000);
    await shop.reconcileAfter(1_000);
    await shop.reconcileAfter(30_000);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'void', 'close', 'close']);
    await assertCanceled(shop);
  });

  it('is voided again if the acquirer never got the void, and after a failure with unknown outcome', async (t) => {
    const shop = await heldFor7Days(t, {
      void: [new Error('socket hang up'), done],
      close: [notMade],
      inquire: [authorised],
    });
    await shop.lapseAfter(sevenDaysMs);
    await shop.reconcileAfter(15_000);
    assert.equal((await shop.intent()).status, 'requires_capture');
    await shop.lapseAfter(60_000);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'void', 'close', 'inquire', 'void']);
    await assertCanceled(shop);
    assert.deepEqual(shop.problems, []);
  });

  it('is canceled when the acquirer holds nothing any more', async (t) => {
    for (const gone of [notMade, declined]) {
      const shop = await heldFor7Days(t, { void: [declined], inquire: [gone] });
      await shop.lapseAfter(sevenDaysMs);
      assert.deepEqual(shop.acquirer.calls, ['authorise', 'void', 'inquire']);
      await assertCanceled(shop);
    }
  });

  it('is not canceled if the acquirer still holds it, and is checked again later', async (t) => {
    const held = Array.from({ length: 4 }, () => authorised);
    const shop = await heldFor7Days(t, { void: [declined, declined], inquire: held });
    await shop.lapseAfter(sevenDaysMs);
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['requires_capture', [completed]]);
    assert.equal(shop.problems.length, 1, 'the operator is notified');
    const callsOfOneRound = shop.acquirer.calls.length - 1;
    await shop.lapseAfter(60_000);
    assert.equal(shop.acquirer.calls.length, 1 + callsOfOneRound, 'not every minute');
    await shop.lapseAfter(3_600_000);
    assert.equal(shop.acquirer.calls.length, 1 + 2 * callsOfOneRound);
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['requires_capture', [completed]]);
  });

  async function assertCaptured(shop: Awaited<ReturnType<typeof heldFor7Days>>, amount: number): Promise<void> {
    const { status, amountCaptured, pendingOperationId, captureBefore } = await shop.intent();
    assert.deepEqual(
      { status, amountCaptured, pendingOperationId, captureBefore },
      { status: 'succeeded', amountCaptured: amount, pendingOperationId: null, captureBefore: null },
    );
    assert.deepEqual(await shop.events(), [completed, succeeded]);
  }

  it('is captured here if it was captured at the acquirer without a notification', async (t) => {
    const captured: MoneyOutcome = { kind: 'done', captured: 400 };
    const shop = await heldFor7Days(t, { void: [declined], inquire: [captured, captured] });
    await shop.lapseAfter(sevenDaysMs);
    await assertCaptured(shop, 400);
    assert.deepEqual(shop.problems, [], 'nothing is left to do for the operator');
    const { length } = shop.acquirer.calls;
    await shop.lapseAfter(sevenDaysMs);
    assert.equal(shop.acquirer.calls.length, length, 'it is not voided again');
  });

  it('is captured here if it was captured at the acquirer, which is silent at first about the void', async (t) => {
    const shop = await heldFor7Days(t, {
      void: [new AcquirerSilent('no reply')],
      close: [declined],
      inquire: [{ kind: 'done', captured: 400 }],
    });
    await shop.lapseAfter(sevenDaysMs);
    await shop.reconcileAfter(15_000);
    await assertCaptured(shop, 400);
  });

  it('is captured here at the next attempt if the acquirer does not tell at first that it was captured', async (t) => {
    const silent = new AcquirerSilent('no reply');
    const shop = await heldFor7Days(t, { void: [declined, declined], inquire: [done, silent, done, done] });
    await shop.lapseAfter(sevenDaysMs);
    assert.equal((await shop.intent()).status, 'requires_capture');
    assert.deepEqual(shop.unsettled, [silent]);
    await shop.lapseAfter(3_600_000);
    await assertCaptured(shop, 1250);
  });

  it('is captured if the capture was requested in time', async (t) => {
    const shop = await heldFor7Days(t, { capture: [new AcquirerSilent('no reply')], close: [done] });
    await shop.reconcileAfter(sevenDaysMs - 1);
    await shop.capture();
    await shop.lapseAfter(1);
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'capture']);
    await shop.reconcileAfter(1_000);
    assert.equal((await shop.intent()).status, 'succeeded');
    await shop.lapseAfter(sevenDaysMs);
    assert.deepEqual(await shop.events(), [completed, 'payment_intent.succeeded']);
  });
});
