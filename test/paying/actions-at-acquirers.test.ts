// Acquirers that ask for a challenge when the money is requested, and money that moves while the customer is at the
// provider: the outcome is the acquirer's, whichever way it becomes known.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AcquirerSilent, type MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import { counterKeys } from '../../src/domain/attempt-counts.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { failed, paid } from './scene.ts';
import { scriptedAcquirer } from './scripted-acquirer.ts';
import { scriptedScene } from './scripted-scene.ts';

const url = 'https://bank.example/challenge';
const action: MoneyOutcome = { kind: 'action', url };
const done: MoneyOutcome = { kind: 'done' };
const ready: MoneyOutcome = { kind: 'ready' };

describeOnEachEngine('A payment whose acquirer was not called', (engine) => {
  const notSent = () => new AcquirerSilent('down', { notSent: true });

  it('gives the customer the form back, if nothing was begun there', async (t) => {
    const shop = await scriptedScene(t, engine, scriptedAcquirer({ authorise: [notSent()] }));
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId);
    assert.equal((await shop.intent()).status, 'requires_payment_method');
    assert.equal((await shop.operation(operationId)).status, 'failed');
  });

  it('goes on when it is called again, if it was begun there, or the customer has done their part', async (t) => {
    const begun = scriptedAcquirer({
      begin: [{ next: 'authorise', reference: 'pi_1' }],
      authorise: [notSent()],
    });
    const challenged = scriptedAcquirer({ authorise: [action, notSent()], inquire: [ready] });
    for (const acquirer of [begun, challenged]) {
      const shop = await scriptedScene(t, engine, acquirer);
      const operationId = shop.deps.moment().newId('op');
      await shop.pay(operationId);
      await shop.comeBack(operationId);
      assert.equal((await shop.intent()).status, 'processing');
      assert.equal((await shop.operation(operationId)).status, 'pending');
    }
  });
});

describeOnEachEngine('A challenge that comes with the authorisation', (engine) => {
  it('sends the customer there, and the payment goes on when the acquirer says so', async (t) => {
    const acquirer = scriptedAcquirer({
      begin: [{ next: 'authorise', reference: 'pi_1', state: { step: 'created' } }],
      authorise: [{ outcome: action, state: { step: 'challenged' } }, done],
      inquire: [action, { outcome: ready, state: { step: 'confirmed' } }],
    });
    const shop = await scriptedScene(t, engine, acquirer);
    const operationId = shop.deps.moment().newId('op');
    assert.deepEqual(await shop.pay(operationId), { kind: 'action', url });
    assert.equal((await shop.intent()).status, 'requires_action');
    assert.deepEqual(await shop.events(), []);
    const { status, actionUrl, acquirerReference, acquirerState } = await shop.operation(operationId);
    assert.deepEqual([status, actionUrl], ['action_needed', url]);
    assert.deepEqual([acquirerReference, acquirerState], ['pi_1', { step: 'challenged' }]);

    assert.equal(await shop.comeBack(operationId), 'waiting');
    assert.equal((await shop.intent()).status, 'requires_action');
    assert.equal(await shop.comeBack(operationId), 'moved');
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['succeeded', paid]);
    assert.deepEqual(acquirer.calls, ['authorise', 'inquire', 'inquire', 'authorise']);
    assert.deepEqual(
      acquirer.operations.map(({ id, reference, state, amount, currency }) => [id, reference, state, amount, currency]),
      [{ step: 'created' }, { step: 'challenged' }, { step: 'challenged' }, { step: 'confirmed' }].map((state) => [
        ...[operationId, 'pi_1', state, 1250, 'EUR'],
      ]),
    );
  });

  it('is not a declined attempt: after it, the attempt counts again', async (t) => {
    const acquirer = scriptedAcquirer({ authorise: [action, action, done], inquire: [ready, ready] });
    const shop = await scriptedScene(t, engine, acquirer);
    const declineLimits = { windowMs: 600_000, perSession: 1, perAddress: 1, perCard: 1 };
    const strict = { ...shop, deps: Object.assign(shop.deps, { declineLimits }) };
    const operationId = shop.deps.moment().newId('op');
    await strict.pay(operationId);
    const { attempt } = await shop.operation(operationId);
    assert.ok(attempt !== null);
    const counters = await shop.deps.store.attemptCounters(counterKeys(attempt.keys));
    assert.deepEqual(
      counters.filter(({ slots }) => Object.keys(slots).length > 0),
      [],
    );
    await strict.comeBack(operationId);
    assert.equal((await shop.intent()).status, 'requires_action', 'it may be asked for twice');
    await strict.comeBack(operationId);
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['succeeded', paid]);
  });

  it('that fails or is left shows the form again', async (t) => {
    for (const [reason, code] of [
      ['failed', 'authentication_failed'],
      ['canceled', 'customer_canceled'],
    ] as const) {
      const acquirer = scriptedAcquirer({ authorise: [action], inquire: [{ kind: 'abandoned', reason }] });
      const shop = await scriptedScene(t, engine, acquirer);
      const operationId = shop.deps.moment().newId('op');
      await shop.pay(operationId);
      await shop.comeBack(operationId);
      const { status, lastPaymentError } = await shop.intent();
      assert.deepEqual([status, lastPaymentError?.code], ['requires_payment_method', code]);
      assert.deepEqual(await shop.events(), failed);
      assert.equal((await shop.operation(operationId)).status, 'failed');
    }
  });
});

describeOnEachEngine('Money that moves while the customer is at the provider', (engine) => {
  const redirected = (script: Parameters<typeof scriptedAcquirer>[0]) =>
    scriptedAcquirer({ authorise: [{ outcome: action, reference: 'tr_1' }], ...script });

  it('is a payment when they come back', async (t) => {
    const shop = await scriptedScene(t, engine, redirected({ inquire: [done] }));
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId, { method: 'ideal' });
    assert.equal((await shop.intent()).status, 'requires_action');
    await shop.comeBack(operationId);
    const { status, amountCaptured } = await shop.intent();
    assert.deepEqual([status, amountCaptured, await shop.events()], ['succeeded', 1250, paid]);
  });

  it('is a payment even if they never come back', async (t) => {
    const shop = await scriptedScene(t, engine, redirected({ inquire: [done] }));
    await shop.pay(undefined, { method: 'ideal' });
    await shop.reconcileAfter(15_000);
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['succeeded', paid]);
  });

  it('can be authorised only, until the time that the provider says', async (t) => {
    const captureBefore = Date.UTC(2027, 0, 1);
    const acquirer = redirected({ inquire: [{ kind: 'authorised', captureBefore }], void: [done] });
    const shop = await scriptedScene(t, engine, acquirer, { captureMethod: 'manual' });
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId);
    await shop.comeBack(operationId);
    const { status, captureBefore: before } = await shop.intent();
    assert.deepEqual([status, before], ['requires_capture', captureBefore]);
    await shop.lapseAfter(captureBefore - shop.clock.now() - 1);
    assert.equal((await shop.intent()).status, 'requires_capture');
    await shop.lapseAfter(1);
    assert.equal((await shop.intent()).status, 'canceled');
    assert.deepEqual(acquirer.operations.at(-1), {
      ...(acquirer.operations.at(-1) ?? assert.fail()),
      kind: 'void',
      payment: { ...(acquirer.operations[0] ?? assert.fail()), reference: 'tr_1' },
    });
  });

  it('completes the session while the bank decides, which is not interrupted, and the outcome follows', async (t) => {
    const pending: MoneyOutcome = { kind: 'pending', customerDone: true };
    const acquirer = redirected({ inquire: [pending, pending, done] });
    const shop = await scriptedScene(t, engine, acquirer);
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId, { method: 'ideal' });
    await shop.comeBack(operationId);
    assert.deepEqual([(await shop.intent()).status, (await shop.session()).status], ['processing', 'completed']);
    await shop.reconcileAfter(15_000);
    await shop.reconcileAfter(60_000);
    assert.deepEqual(await shop.events(), ['checkout_session.completed', 'payment_intent.succeeded']);
    assert.deepEqual(acquirer.calls, ['authorise', 'inquire', 'inquire', 'inquire'], 'it is never closed');
    assert.deepEqual(shop.problems, []);
  });

  it('is declined with the code of the provider', async (t) => {
    const decline = { code: 'generic_decline', providerCode: 'card_velocity_exceeded' } as const;
    const shop = await scriptedScene(t, engine, redirected({ inquire: [{ kind: 'declined', decline }] }));
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId);
    await shop.comeBack(operationId);
    const { status, lastPaymentError } = await shop.intent();
    assert.equal(status, 'requires_payment_method');
    const { code, decline_code: declineCode } = lastPaymentError ?? assert.fail();
    assert.deepEqual([code, declineCode], ['card_declined', 'card_velocity_exceeded']);
    assert.deepEqual(await shop.events(), failed);
  });

  it('is not known while the provider is silent: the customer can still act', async (t) => {
    const silent = new AcquirerSilent('no reply');
    const shop = await scriptedScene(t, engine, redirected({ inquire: [silent, silent, done] }));
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId);
    assert.equal(await shop.comeBack(operationId), 'waiting');
    await shop.reconcileAfter(15_000);
    assert.equal((await shop.intent()).status, 'requires_action');
    await shop.reconcileAfter(30_000);
    assert.equal((await shop.intent()).status, 'succeeded');
    assert.deepEqual(shop.problems, []);
  });
});

describeOnEachEngine('The provider', (engine) => {
  it('names the payment, and merchants see the name', async (t) => {
    const acquirer = scriptedAcquirer({ authorise: [{ outcome: done, reference: 'tr_7' }] });
    const shop = await scriptedScene(t, engine, acquirer);
    assert.equal((await shop.intent()).acquirer, null);
    const operationId = shop.deps.moment().newId('op');
    await shop.pay(operationId);
    assert.equal((await shop.intent()).acquirer?.reference, 'tr_7');
    assert.equal((await shop.operation(operationId)).acquirerReference, 'tr_7');
  });

  it('that refuses the card at once declines it', async (t) => {
    const acquirer = scriptedAcquirer({ begin: [{ next: 'declined', decline: { code: 'expired_card' } }] });
    const shop = await scriptedScene(t, engine, acquirer);
    await shop.pay();
    const { status, lastPaymentError } = await shop.intent();
    assert.deepEqual([status, lastPaymentError?.code], ['requires_payment_method', 'expired_card']);
    assert.deepEqual([await shop.events(), acquirer.calls], [failed, []]);
  });

  it('that cannot be reached has begun nothing, and the customer can pay another way', async (t) => {
    const acquirer = scriptedAcquirer({
      begin: [new AcquirerSilent('no reply'), { next: 'unavailable' }],
      authorise: [done],
    });
    const shop = await scriptedScene(t, engine, acquirer);
    for (const _ of [1, 2]) assert.deepEqual(await shop.pay(), { kind: 'unavailable' });
    assert.deepEqual([(await shop.intent()).status, await shop.events()], ['requires_payment_method', []]);
    await shop.pay();
    assert.equal((await shop.intent()).status, 'succeeded');
  });
});
