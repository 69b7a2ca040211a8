// The index that searches use: what is indexed and when, and what is removed from it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withoutDetails } from '../../src/domain/erased-customer.ts';
import { paymentIntentEvent } from '../../src/domain/event.ts';
import type { Payment } from '../../src/domain/life-cycle.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import { indexedWords, numberOf } from '../../src/domain/payment-word.ts';
import { rollUpWork } from '../../src/jobs/roll-up.ts';
import type { Store } from '../../src/storage/store.ts';
import { eraseFromIndex, indexPayments, settledAfterMs } from '../../src/usecases/index-payments.ts';
import { listPayments } from '../../src/usecases/list-payments.ts';
import { changesOf, mustCommit, mustStore } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aMerchant, aMoment, aPayment, aScope } from '../support/records.ts';

const later = now + 2 * settledAfterMs;
const card = { type: 'card', card: { brand: 'visa', last4: '4444', exp_month: 12, exp_year: 2034 } } as const;

const inIndex = (store: Store, scope: Scope, word: string) =>
  store.payments.byWords(scope, [numberOf(word)], undefined, 100);

async function indexAll(store: Store, scope: Scope, time = later): Promise<void> {
  while (await indexPayments({ store, now: () => time }, scope));
}

async function found(store: Store, scope: Scope, word: string, time = later): Promise<string[]> {
  const wanted = { scope, filter: {}, search: { words: [word], amounts: [] } };
  const { payments } = await listPayments({ store, now: () => time }, wanted, { limit: 100 });
  return payments.map(({ intent }) => intent.id);
}

/** The payment with a card, and the event of its decline. */
function attempted({ intent, session }: Payment) {
  const paying = { ...intent, paymentMethod: card };
  return {
    ...changesOf({ intent: paying, session }),
    events: [paymentIntentEvent('payment_intent.payment_failed', paying, aMoment())],
  };
}

describeOnEachStore('The index of payments', (engine) => {
  it('has a payment some seconds after its creation, and its card after the attempt', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const payment = await mustStore(store, aPayment({ scope, terms: { customerEmail: 'ada@example.org' } }));
    const { id } = payment.intent;
    await indexAll(store, scope, now + 1_000);
    assert.deepEqual(await inIndex(store, scope, 'ada@example.org'), []);
    assert.deepEqual(await found(store, scope, 'ada@example.org', now + 1_000), [id]);
    await indexAll(store, scope);
    for (const word of ['ada@example.org', '1001', '12.50']) assert.deepEqual(await inIndex(store, scope, word), [id]);
    await mustCommit(store, attempted(payment));
    assert.deepEqual(await inIndex(store, scope, '4444'), []);
    assert.deepEqual(await found(store, scope, '4444'), [id], 'a search indexes first');
    assert.deepEqual(await inIndex(store, scope, '4444'), [id]);
    assert.deepEqual(await inIndex(store, { ...scope, livemode: true }, '4444'), []);
  });

  it('finds a payment that waits for its outcome by the card that is being tried', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const { intent, session } = await mustStore(store, aPayment({ scope }));
    await indexAll(store, scope);
    const waiting = { ...intent, status: 'processing', paymentMethod: card } as const;
    await mustCommit(store, changesOf({ intent: waiting, session }));
    assert.deepEqual(await found(store, scope, '4444'), [intent.id]);
  });

  it('does not show a payment by a word that it no longer has', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const { intent, session } = await mustStore(store, aPayment({ scope }));
    await indexAll(store, scope);
    await mustCommit(store, changesOf({ intent: { ...intent, metadata: { order: '1002' } }, session }));
    assert.deepEqual(await inIndex(store, scope, '1001'), [intent.id]);
    assert.deepEqual(await found(store, scope, '1001'), []);
  });

  it('has every payment and every card when several processes index while payments are made', async (t) => {
    const { store, openAnother } = await freshStore(t, engine);
    const scope = aScope();
    const stores = [store, await openAnother(), await openAnother()];
    let isOver = false;
    const indexing = stores.map(async (each) => {
      while (!isOver) {
        await indexPayments({ store: each, now: () => later }, scope);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    // All in order: until it is settled, a payment would be examined by itself.
    const ids: string[] = [];
    for (let at = 0; at < 40; at++) {
      const payment = await mustStore(store, aPayment({ scope, moment: aMoment(now + at) }));
      await mustCommit(store, attempted(payment));
      ids.unshift(payment.intent.id);
    }
    isOver = true;
    await Promise.all(indexing);
    await indexAll(store, scope);
    assert.deepEqual(await inIndex(store, scope, '4444'), ids);
    assert.deepEqual(await inIndex(store, scope, '1001'), ids);
  });

  it('has payments that are made after a clock that was ahead was set back', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const hour = 3_600_000;
    const ahead = await mustStore(store, aPayment({ scope, moment: aMoment(now + hour) }));
    await indexAll(store, scope, now + 2 * hour);
    const { intent } = await mustStore(store, aPayment({ scope, moment: aMoment(now) }));
    assert.deepEqual(await found(store, scope, '1001', now + 1_000), [ahead.intent.id, intent.id]);
    await indexAll(store, scope, later);
    assert.deepEqual(await inIndex(store, scope, '1001'), [ahead.intent.id, intent.id]);
  });

  it('returns pages over many periods, newest first', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const days = Array.from({ length: 60 }, (_, at) => now - (60 - at) * 86_400_000);
    const payments = days.map((time) => aPayment({ scope, moment: aMoment(time) }));
    await mustCommit(store, { paymentWords: payments.flatMap((payment) => indexedWords(payment)) });
    const ids = payments.map(({ intent }) => intent.id).reverse();
    const words = [numberOf('1001'), numberOf('12.50'), numberOf('nothing')];
    const first = await store.payments.byWords(scope, words, undefined, 25);
    assert.deepEqual(first, ids.slice(0, 25));
    assert.deepEqual(await store.payments.byWords(scope, words, first.at(-1), 100), ids.slice(25));
    assert.deepEqual(await store.payments.byWords(scope, [numberOf('nothing')], undefined, 100), []);
  });

  it('loses a payment that is erased by age, or with what is known about its customer', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const terms = { customerEmail: 'ada@example.org' };
    const { intent, session } = aPayment({ scope, terms });
    const expired = { intent: { ...intent, status: 'expired' }, session: { ...session, status: 'expired' } } as const;
    await mustCommit(store, changesOf(expired));
    const kept = await mustStore(store, aPayment({ scope, terms, moment: aMoment(now + 1) }));
    await indexAll(store, scope);
    const old = { scope, kind: 'abandoned', before: later, after: '', limit: 10 } as const;
    assert.equal((await store.prunePayments(old)).erased, 1);
    for (const word of ['ada@example.org', '1001', '12.50'])
      assert.deepEqual(await inIndex(store, scope, word), [kept.intent.id], word);
    await eraseFromIndex(store, kept, withoutDetails(kept));
    assert.deepEqual(await inIndex(store, scope, 'ada@example.org'), []);
    for (const word of ['1001', '12.50']) assert.deepEqual(await inIndex(store, scope, word), [kept.intent.id], word);
  });
});

describeOnEachStore('The roll-up', (engine) => {
  async function workOn(store: Store, clock: { time: number }, busy: () => number, pauses: number[] = []) {
    return rollUpWork({
      ...{ store, now: () => clock.time, steadyNow: () => performance.now(), busyShare: busy },
      pause: async (ms) => pauses.push(ms),
    });
  }

  it('adds up and indexes what was committed, without being asked', async (t) => {
    const { store } = await freshStore(t, engine);
    const clock = { time: now };
    const work = await workOn(store, clock, () => 0);
    const merchant = aMerchant();
    const scope = { merchantId: merchant.id, livemode: false };
    await mustCommit(store, { merchants: [merchant] });
    while (await work.run());
    const payment = aPayment({ scope, moment: aMoment(now) });
    const changes = {
      ...changesOf(payment),
      events: [paymentIntentEvent('payment_intent.succeeded', payment.intent, aMoment(now))],
    };
    await mustCommit(store, changes);
    work.committed(changes);
    assert.equal(await work.run(), false, 'not yet');
    clock.time += 6_000;
    while (await work.run());
    assert.equal((await store.list('paymentTotals', { scope, limit: 10 })).length, 1);
    assert.deepEqual(await inIndex(store, scope, '1001'), []);
    clock.time = later;
    while (await work.run());
    assert.deepEqual(await inIndex(store, scope, '1001'), [payment.intent.id]);
  });

  it('finds what a process that ended has left, and payments of earlier versions', async (t) => {
    const { store } = await freshStore(t, engine);
    const merchants = [aMerchant(), aMerchant()];
    await mustCommit(store, { merchants });
    const scopes = merchants.flatMap(({ id }) => [false, true].map((livemode) => ({ merchantId: id, livemode })));
    const payments = scopes.map((scope) => aPayment({ scope, moment: aMoment(now) }));
    await mustCommit(store, changesOf(...payments));
    const work = await workOn(store, { time: later }, () => 0);
    while (await work.run());
    for (const [at, scope] of scopes.entries())
      assert.deepEqual(await inIndex(store, scope, '1001'), [payments[at]?.intent.id]);
  });

  it('takes shorter steps while the process is busy', async (t) => {
    const { store } = await freshStore(t, engine);
    for (const [busy, expected] of [
      [1, 20],
      [0, 60],
    ] as const) {
      const scope = aScope();
      const payments = Array.from({ length: 60 }, (_, at) => aPayment({ scope, moment: aMoment(now + at) }));
      await mustCommit(store, changesOf(...payments));
      const clock = { time: now };
      const work = await workOn(store, clock, () => busy);
      work.committed(changesOf(...payments));
      clock.time = later;
      await work.run();
      assert.equal((await inIndex(store, scope, '1001')).length, expected);
      while (await work.run());
      assert.equal((await inIndex(store, scope, '1001')).length, 60);
    }
  });

  it('rests for most of the time while the process is busy', async (t) => {
    const { store } = await freshStore(t, engine);
    for (const [busy, expected] of [
      [1, 49],
      [0, 1],
    ] as const) {
      const pauses: number[] = [];
      const work = await workOn(store, { time: later }, () => busy, pauses);
      work.committed(changesOf(aPayment({ moment: aMoment(now) })));
      const clock = { time: later + 6_000 };
      const due = await workOn(store, clock, () => busy, pauses);
      due.committed(changesOf(aPayment({ moment: aMoment(now) })));
      clock.time += 6_000;
      const startedAt = performance.now();
      await due.run();
      const took = performance.now() - startedAt;
      assert.equal(pauses.length, 1);
      assert.ok((pauses[0] ?? 0) <= Math.min(1_000, took * expected) + 1);
      if (busy === 1) assert.ok((pauses[0] ?? 0) > 0);
    }
  });
});
