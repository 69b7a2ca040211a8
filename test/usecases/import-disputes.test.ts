// Reports of disputes that arrive at the same time, late or twice: the latest stands, and each change has one event.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ProviderDispute } from '../../src/acquirers/provider.ts';
import { newOperation } from '../../src/domain/operation.ts';
import type { Store } from '../../src/storage/store.ts';
import { importDisputes } from '../../src/usecases/import-disputes.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { aMoment, aPayment } from '../support/records.ts';

const reported = (status: ProviderDispute['status']): ProviderDispute => ({
  ...{ reference: 'du_1', amount: 500, currency: 'EUR', reason: 'fraudulent', status, evidenceDueBy: null },
  ...{ isClosed: status === 'won' || status === 'lost', createdAt: startOfTests - 1_000 },
});

async function scene(store: Store) {
  const { intent, session } = aPayment();
  await mustCommit(store, changesOf({ intent, session }));
  const about = { kind: 'payment', paymentIntentId: intent.id, checkoutSessionId: session.id, amount: 1250 } as const;
  const operation = { ...newOperation(aMoment().newId('op'), intent, about, aMoment()), acquirerId: 'acq_1' };
  /** `truth`: what the provider answers when it is asked again. */
  const report = (first: ProviderDispute, truth: () => Promise<ProviderDispute> = async () => first) =>
    importDisputes(
      { store, moment: () => aMoment() },
      { operation, provider: 'stripe', readAgain: async () => [await truth()] },
      [first],
    );
  const disputes = () => store.list('disputes', { scope: intent, limit: 10 });
  const state = async () => ({
    disputes: (await disputes()).map(({ status }) => status),
    events: (await store.list('events', { scope: intent, limit: 100 })).map(
      ({ type, data }) => `${type} ${data.status}`,
    ),
  });
  return { intent, session, report, disputes, state };
}

describeOnEachEngine('A report of a dispute', (engine) => {
  it('is recorded under an id that depends only on the account and the reference', async (t) => {
    const { store } = await freshStore(t, engine);
    const { report, disputes, intent } = await scene(store);
    await report(reported('needs_response'));
    const [dispute] = await disputes();
    const { id, ...fields } = dispute ?? assert.fail();
    assert.match(id, /^dp_[0-9a-hjkmnp-tv-z]{30}$/);
    assert.deepEqual(fields, {
      ...{ merchantId: intent.merchantId, livemode: false, version: 1, paymentIntentId: intent.id },
      ...{ amount: 500, currency: 'EUR', reason: 'fraudulent', status: 'needs_response', evidenceDueBy: null },
      ...{ isClosed: false, acquirer: { provider: 'stripe', reference: 'du_1' }, createdAt: startOfTests - 1_000 },
    });
  });

  it('that says nothing new changes nothing and does not ask the provider again', async (t) => {
    const { store } = await freshStore(t, engine);
    const { report, state, intent } = await scene(store);
    await report(reported('under_review'));
    const before = await store.find('paymentIntents', intent, intent.id);
    await report(reported('under_review'), () => assert.fail('asked again'));
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), before);
    assert.deepEqual(await state(), { disputes: ['under_review'], events: ['dispute.created under_review'] });
  });

  it('never replaces a later one that was committed first', async (t) => {
    const { store } = await freshStore(t, engine);
    const { report, state } = await scene(store);
    await report(reported('needs_response'));
    let asked = 0;
    await report(reported('under_review'), async () => {
      asked += 1;
      if (asked > 1) return reported('lost');
      // While our answer is on its way, the bank decides, and another process commits that.
      await report(reported('lost'));
      return reported('under_review');
    });
    assert.equal(asked, 2, 'after the conflict, the provider was asked again');
    const { disputes, events } = await state();
    assert.deepEqual(disputes, ['lost']);
    assert.deepEqual(events.toSorted(), ['dispute.closed lost', 'dispute.created needs_response']);
  });

  it('is recorded once if many processes have it at the same time', async (t) => {
    const { store } = await freshStore(t, engine);
    const { report, state } = await scene(store);
    await Promise.all(Array.from({ length: 10 }, () => report(reported('lost'))));
    const { disputes, events } = await state();
    assert.deepEqual(disputes, ['lost']);
    assert.deepEqual(events.toSorted(), ['dispute.closed lost', 'dispute.created lost']);
  });

  it('is ignored if the payment was erased', async (t) => {
    const { store } = await freshStore(t, engine);
    const { report, state, session, intent } = await scene(store);
    const expired = {
      intent: { ...intent, version: 1, status: 'expired' },
      session: { ...session, version: 1, status: 'expired' },
    } as const;
    await mustCommit(store, { paymentIntents: [expired.intent], checkoutSessions: [expired.session] });
    await report(reported('needs_response'), async () => {
      const old = {
        scope: intent,
        kind: 'abandoned',
        before: startOfTests + 1_000,
        after: '',
        limit: 10,
      } as const;
      assert.equal((await store.prunePayments(old)).erased, 1);
      return reported('needs_response');
    });
    assert.deepEqual(await state(), { disputes: [], events: [] });
  });
});
