// The money that arrives too late may be that of an earlier attempt, at another account than the last one.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Answer, MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import type { ProviderFact } from '../../src/acquirers/provider.ts';
import { processNotice } from '../../src/usecases/process-notice.ts';
import { refundPayment } from '../../src/usecases/refund-payment.ts';
import { scriptedProvider, testCredentials } from '../acquirers/scripted-provider.ts';
import { mustCommit } from '../support/committing.ts';
import { type CleansUp, describeOnEachEngine } from '../support/engines.ts';
import { anAcquirerAccount, anAcquirerNotice, plainLook } from '../support/records.ts';
import { type Script, scriptedAcquirer } from './scripted-acquirer.ts';
import { scriptedScene } from './scripted-scene.ts';

const done: MoneyOutcome = { kind: 'done' };
const refused: MoneyOutcome = { kind: 'declined', decline: { code: 'processing_error' } };
const expiresInSeconds = 300;
const dayMs = 24 * 3_600_000;

describeOnEachEngine('An earlier attempt that turns out to be paid after the session has expired', (engine) => {
  /** Two attempts fail, the first at Mollie and the last in the sandbox, and the session expires. */
  async function expired(t: CleansUp, script: Script) {
    const declined = (reference: string): Answer => ({ outcome: refused, reference });
    const acquirer = scriptedAcquirer({ authorise: [declined('tr_1'), declined('tr_2')], ...script });
    const shop = await scriptedScene(t, engine, acquirer, { expiresInSeconds });
    const { deps, scope } = shop;
    const account = anAcquirerAccount({
      ...{ merchantId: scope.merchantId, livemode: scope.livemode, provider: 'mollie', methods: ['ideal'] },
    });
    await mustCommit(deps.store, { acquirerAccounts: [account] });
    const merchant = { ...plainLook.merchant, acquirers: [account] };
    const [first, last] = [deps.moment().newId('op'), deps.moment().newId('op')];
    await shop.pay(first, { method: 'ideal', merchant });
    await shop.pay(last, { method: 'card', merchant });
    await shop.expireAfter(expiresInSeconds * 1_000);
    assert.equal((await shop.intent()).status, 'expired');
    assert.equal((await shop.intent()).operationId, last);
    const fact: ProviderFact = { kind: 'payment', reference: 'tr_1', operation: first, refunds: [], disputes: [] };
    const connected = scriptedProvider({ acquirer, resolve: () => fact }).provider.connect({
      ...{ livemode: false, credentials: testCredentials, apiUrl: '', now: shop.clock.now },
      door: { send: () => assert.fail(), close: async () => {} },
    });
    async function notify(): Promise<void> {
      const notice = anAcquirerNotice({
        ...{ merchantId: scope.merchantId, livemode: scope.livemode, accountId: account.id, subject: 'tr_1' },
      });
      await mustCommit(deps.store, { acquirerNotices: [notice] });
      const sandbox = { resolveNotice: async () => null };
      await processNotice({ ...deps, sandbox, connected: async () => connected }, scope, notice.id);
    }
    return { ...shop, acquirer, first, last, notify };
  }

  it('is what the payment refers to, and what the merchant refunds if we could not', async (t) => {
    const shop = await expired(t, { inquire: [done], refund: [refused, refused, done] });
    await shop.notify();
    const { operationId, acquirer, paymentMethod, status, amountCaptured } = await shop.intent();
    assert.deepEqual([operationId, acquirer], [shop.first, { provider: 'mollie', reference: 'tr_1' }]);
    assert.deepEqual([paymentMethod?.type, status, amountCaptured], ['ideal', 'expired', 1250]);
    await shop.reconcileAfter(0);
    await shop.reconcileAfter(dayMs);
    const outcome = await refundPayment(shop.deps, shop.scope, { paymentIntentId: shop.intentId });
    assert.ok('done' in outcome);
    assert.deepEqual(
      (await shop.refunds()).map(({ status: now, reason }) => [now, reason]),
      [
        ['succeeded', null],
        ['failed', 'late_payment'],
      ],
    );
    const sent = shop.acquirer.operations.at(-1);
    assert.ok(sent !== undefined && 'payment' in sent);
    assert.deepEqual([sent.payment.id, sent.payment.reference], [shop.first, 'tr_1']);
  });

  it('is not what the payment refers to if it was only authorised', async (t) => {
    const shop = await expired(t, { inquire: [{ kind: 'authorised' }], void: [done] });
    await shop.notify();
    await shop.reconcileAfter(0);
    assert.equal((await shop.intent()).operationId, shop.last);
    const sent = shop.acquirer.operations.at(-1);
    assert.equal(sent !== undefined && 'payment' in sent ? sent.payment.id : null, shop.first, 'it is released');
  });
});
