// The endpoints of a merchant are read while the acquirer is asked, and again if that took long or they could not be read.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer, MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import { firstInquiryAfterMs } from '../../src/domain/operation.ts';
import { capturePayment } from '../../src/usecases/capture-payment.ts';
import { expireCheckoutSession } from '../../src/usecases/expire-checkout-session.ts';
import { subscriptionsOf } from '../../src/usecases/subscriptions.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, postgres } from '../support/engines.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aWebhookEndpoint } from '../support/records.ts';
import { until } from '../support/until.ts';
import { type Call, type Script, scriptedAcquirer } from './scripted-acquirer.ts';
import { type SceneTerms, type ScriptedScene, scriptedScene } from './scripted-scene.ts';

interface Asking {
  readonly terms?: SceneTerms;
  /** What the acquirer replies before. */
  readonly replies?: () => Script;
  readonly call: Call;
  readonly outcome: MoneyOutcome;
  readonly prepare?: (shop: ScriptedScene) => Promise<unknown>;
  readonly act: (shop: ScriptedScene) => Promise<unknown>;
}

const pay = (shop: ScriptedScene): Promise<unknown> => shop.pay();
const done: MoneyOutcome = { kind: 'done' };
const pending: MoneyOutcome = { kind: 'pending', customerDone: true };
const challenge: MoneyOutcome = { kind: 'action', url: 'https://bank.example/challenge' };

const paying: Asking = { call: 'authorise', outcome: done, act: pay };
const capturing: Asking = {
  ...{ terms: { captureMethod: 'manual' }, replies: () => ({ authorise: [{ kind: 'authorised' }] }), prepare: pay },
  ...{ call: 'capture', outcome: done },
  act: ({ deps, scope, intentId }) => capturePayment(deps, scope, { paymentIntentId: intentId }),
};
const reconciling: Asking = {
  ...{ replies: () => ({ authorise: [pending] }), prepare: pay },
  ...{ call: 'inquire', outcome: done },
  act: (shop) => shop.reconcileAfter(firstInquiryAfterMs),
};
const expiring: Asking = {
  ...{ replies: () => ({ authorise: [challenge] }), prepare: pay },
  ...{ call: 'close', outcome: { kind: 'not_made' } },
  act: ({ deps, scope, sessionId }) => expireCheckoutSession(deps, scope, sessionId),
};

describeOnEachEngine('An endpoint that is created while the acquirer is asked gets the outcome', (engine) => {
  for (const [what, ms, asking] of [
    ['of a payment, if that takes long', 100, paying],
    ['of a payment, if the clock is set back meanwhile', -1, paying],
    ['of a capture', 100, capturing],
    ['of an inquiry', 100, reconciling],
    ['of an expiry that closes the payment first', 100, expiring],
  ] as const) {
    it(what, async (t) => {
      const { replies, call, outcome, prepare, act, terms } = asking;
      const answered = Promise.withResolvers<Answer>();
      const acquirer = scriptedAcquirer({ ...replies?.(), [call]: [answered.promise] });
      const shop = await scriptedScene(t, engine, acquirer, terms);
      const { deps, scope, clock } = shop;
      await prepare?.(shop);
      const acted = act(shop);
      await until('the acquirer is asked', () => acquirer.calls.at(-1) === call);
      // After the read that goes on meanwhile: equal reads do not overtake each other.
      assert.deepEqual(await subscriptionsOf(deps.store, scope), []);
      const endpoint = aWebhookEndpoint({ merchantId: scope.merchantId, livemode: scope.livemode });
      await mustCommit(deps.store, { webhookEndpoints: [endpoint] });
      clock.advance(ms);
      answered.resolve({ outcome });
      await acted;
      const deliveries = await deps.store.list('deliveries', { scope, limit: 9 });
      assert.deepEqual(new Set(deliveries.map(({ endpointId }) => endpointId)), new Set([endpoint.id]));
    });
  }
});

describe('The outcome of a payment, on PostgreSQL', () => {
  it('is committed with its deliveries although the endpoints could not be read at first', async (t) => {
    const answered = Promise.withResolvers<Answer>();
    const acquirer = scriptedAcquirer({ authorise: [answered.promise] });
    const { deps, address, scope, pay } = await scriptedScene(t, postgres, acquirer);
    assert.ok(address.engine === 'postgres');
    const { merchantId, livemode } = scope;
    await mustCommit(deps.store, { webhookEndpoints: [aWebhookEndpoint({ merchantId, livemode })] });
    await withClient(address.url, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE webhook_endpoints IN ACCESS EXCLUSIVE MODE');
      const paid = pay();
      await until('the acquirer is asked', () => acquirer.calls.length === 1);
      await assert.rejects(subscriptionsOf(deps.store, scope), /lock timeout/);
      await client.query('COMMIT');
      answered.resolve({ outcome: { kind: 'done' } });
      assert.equal((await paid).kind, 'moved');
    });
    const deliveries = await deps.store.list('deliveries', { scope, limit: 9 });
    assert.equal(deliveries.length, (await deps.store.list('events', { scope, limit: 9 })).length);
    assert.ok(deliveries.length > 0);
  });
});
