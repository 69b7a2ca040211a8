// Kept totals: they equal the sum of the payments, however many processes change payments and add them up at the same time.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ChangeSet } from '../../src/domain/change-set.ts';
import { type Event, paymentIntentEvent, refundEvent } from '../../src/domain/event.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import type { PaymentIntent } from '../../src/domain/payment-intent.ts';
import { type CurrencyTotals, type Sum, sumOf } from '../../src/domain/payment-totals.ts';
import type { Refund } from '../../src/domain/refund.ts';
import { type Home, homeRoutes } from '../../src/http/dashboard/home-routes.ts';
import type { Store } from '../../src/storage/store.ts';
import { rollUpTotals } from '../../src/usecases/roll-up-totals.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { aMoment, aPayment, aScope } from '../support/records.ts';
import { bodyOf, call } from './calling.ts';

/** Noon, so that an hour later is the same day. */
const now = Math.floor(startOfTests / 86_400_000) * 86_400_000 + 43_200_000;
const dayMs = 86_400_000;

interface Paid {
  readonly amount?: number;
  readonly captured?: number;
  readonly currency?: string;
  readonly at?: number;
}

function paid(scope: Scope, { amount = 1250, captured = amount, currency = 'EUR', at = now }: Paid = {}) {
  const { intent, session } = aPayment({ scope, terms: { amount, currency }, moment: aMoment(at) });
  const succeeded: PaymentIntent = { ...intent, status: 'succeeded', amountCaptured: captured };
  const event = paymentIntentEvent('payment_intent.succeeded', succeeded, aMoment(at));
  return { payment: { intent: succeeded, session }, event };
}

function declined(scope: Scope, code: string, at = now): Event {
  const { intent } = aPayment({ scope });
  const lastPaymentError = { code: 'card_declined', decline_code: code, message: 'declined' };
  return paymentIntentEvent('payment_intent.payment_failed', { ...intent, lastPaymentError }, aMoment(at));
}

function refund(intent: PaymentIntent, amount: number, overrides: Partial<Refund> = {}): Refund {
  const { merchantId, livemode, currency } = intent;
  const about = { merchantId, livemode, currency, paymentIntentId: intent.id, amount };
  return {
    ...about,
    id: aMoment().newId('re'),
    version: 0,
    status: 'pending',
    reason: null,
    createdAt: now,
    ...overrides,
  };
}

async function rollUpAll(store: Store, scope: Scope): Promise<void> {
  while (await rollUpTotals({ store }, scope));
}

async function stored(store: Store, scope: Scope): Promise<Sum> {
  return sumOf(await store.list('paymentTotals', { scope, limit: 10_000 }));
}

const home = (store: Store, scope: Scope, query: Readonly<Record<string, string>> = {}, time = now) =>
  bodyOf<Home>(call(homeRoutes({ store, now: () => time }), scope, '/home', query));

const euros = (totals: Partial<CurrencyTotals>) => ({
  EUR: { gross: 0, succeeded: 0, refunded: 0, refunds: 0, ...totals },
});

describeOnEachStore('The totals of payments', (engine) => {
  it('have what was captured and refunded, by currency, and why attempts failed', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const full = paid(scope);
    const partial = paid(scope, { amount: 500, captured: 300 });
    const yen = paid(scope, { amount: 1_000, currency: 'JPY' });
    const given = refund(full.payment.intent, 250);
    await mustCommit(store, {
      ...changesOf(full.payment, partial.payment, yen.payment),
      events: [
        ...[full.event, partial.event, yen.event],
        ...[declined(scope, 'insufficient_funds'), declined(scope, 'insufficient_funds'), declined(scope, 'lost_card')],
        refundEvent('refund.created', given, aMoment(now)),
      ],
    });
    await rollUpAll(store, scope);
    assert.deepEqual(await stored(store, scope), {
      byCurrency: {
        ...euros({ gross: 1_550, succeeded: 2, refunded: 250, refunds: 1 }),
        JPY: { gross: 1_000, succeeded: 1, refunded: 0, refunds: 0 },
      },
      failed: 3,
      declines: { insufficient_funds: 2, lost_card: 1 },
    });
  });

  it('take a failed refund back, and count late money only if it stays here', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const { payment, event } = paid(scope);
    const failing = refund(payment.intent, 100);
    const late = refund(aPayment({ scope }).intent, 700, { reason: 'late_payment' });
    const [created, failed] = ['refund.created', 'refund.failed'] as const;
    const events = [event, ...[failing, late].map((one) => refundEvent(created, one, aMoment(now)))];
    await mustCommit(store, { ...changesOf(payment), events });
    await rollUpAll(store, scope);
    const before = euros({ gross: 1_250, succeeded: 1, refunded: 100, refunds: 1 });
    assert.deepEqual((await stored(store, scope)).byCurrency, before);
    await mustCommit(store, { events: [failing, late].map((one) => refundEvent(failed, one, aMoment(now))) });
    await rollUpAll(store, scope);
    assert.deepEqual((await stored(store, scope)).byCurrency, euros({ gross: 1_950, succeeded: 1 }));
  });

  it('count every event once while payments are committed and several processes add them up', async (t) => {
    const { store, openAnother } = await freshStore(t, engine);
    const stores = [store, await openAnother(), await openAnother()];
    const scope = aScope();
    const all = Array.from({ length: 120 }, (_, at) => paid(scope, { amount: 100 + at, at: now + (at % 7) * 600_000 }));
    let isOver = false;
    const adding = stores.map(async (each) => {
      while (!isOver) {
        await rollUpTotals({ store: each }, scope);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const commit = ({ payment, event }: (typeof all)[number]): Promise<void> => {
      const changes: ChangeSet = { ...changesOf(payment), events: [event] };
      return mustCommit(store, changes);
    };
    for (let at = 0; at < all.length; at += 10) await Promise.all(all.slice(at, at + 10).map(commit));
    isOver = true;
    await Promise.all(adding);
    await rollUpAll(store, scope);
    const gross = all.reduce((sum, { payment }) => sum + payment.intent.amountCaptured, 0);
    assert.deepEqual((await stored(store, scope)).byCurrency, euros({ gross, succeeded: 120 }));
  });

  it('stay when the payments and events that they came from are erased', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const { payment, event } = paid(scope, { at: now - 10 * dayMs });
    const last = paid(scope).event;
    const session = { ...payment.session, status: 'completed' } as const;
    await mustCommit(store, { ...changesOf({ ...payment, session }), events: [event, last] });
    await rollUpAll(store, scope);
    const before = await stored(store, scope);
    const old = { scope, kind: 'completed', before: now - dayMs, after: '', limit: 10 } as const;
    assert.equal((await store.prunePayments(old)).erased, 1);
    await store.prune('events', now - dayMs, 10);
    await rollUpAll(store, scope);
    assert.deepEqual(await stored(store, scope), before);
  });

  it('lose no event that is old enough to be pruned but has not been counted', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const old = paid(scope, { at: now - 10 * dayMs });
    await mustCommit(store, { ...changesOf(old.payment), events: [old.event, paid(scope).event] });
    assert.equal(await store.prune('events', now - dayMs, 10), 0);
    await rollUpAll(store, scope);
    assert.equal(await store.prune('events', now - dayMs, 10), 1);
    assert.deepEqual((await stored(store, scope)).byCurrency.EUR?.succeeded, 2);
  });
});

describeOnEachStore('Home', (engine) => {
  it('compares today with yesterday and shows every day, also those without payments', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const payments = [
      ...[paid(scope), paid(scope, { amount: 50 }), paid(scope, { at: now - dayMs - 3_600_000, amount: 10 })],
      ...[paid(scope, { at: now - dayMs + 7_200_000, amount: 20 }), paid(scope, { at: now - 40 * dayMs })],
    ];
    const events = [...payments.map(({ event }) => event), declined(scope, 'lost_card')];
    await mustCommit(store, { ...changesOf(...payments.map(({ payment }) => payment)), events });
    const shown = await home(store, scope, { days: '30' });
    assert.equal(shown.days.length, 30);
    const date = new Date(now).toISOString().slice(0, 10);
    assert.equal(shown.days.at(-1)?.date, date);
    assert.deepEqual(shown.days.filter(({ payments: count }) => count > 0).length, 2);
    const { today, yesterday, yesterday_until_now: untilNow, total } = shown;
    assert.deepEqual([today.payments, today.succeeded, today.failed, today.success_rate], [3, 2, 1, 2 / 3]);
    assert.deepEqual(today.by_currency[0], { currency: 'EUR', gross: 1_300, succeeded: 2, refunded: 0, refunds: 0 });
    assert.deepEqual([yesterday.by_currency[0]?.gross, untilNow.by_currency[0]?.gross], [30, 10]);
    assert.deepEqual([total.by_currency[0]?.gross, shown.currencies], [1_330, ['EUR']]);
    assert.deepEqual(shown.declines, [{ code: 'lost_card', count: 1 }]);
    assert.deepEqual([shown.is_empty, shown.is_catching_up, shown.checklist.has_payment], [false, false, true]);
  });

  it('has days that begin at midnight of the viewer', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const midnight = now - 43_200_000;
    const { payment, event } = paid(scope, { at: midnight - 3_600_000 });
    await mustCommit(store, { ...changesOf(payment), events: [event] });
    for (const [zone, count] of [
      ['UTC', 0],
      ['Europe/Berlin', 1],
      ['Asia/Kolkata', 1],
      ['America/New_York', 0],
    ] as const)
      assert.equal((await home(store, scope, { time_zone: zone })).today.payments, count, zone);
  });

  it('compares with yesterday until the same time on the clock when the clocks have changed', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    // Until the next morning, Berlin is two hours ahead of UTC, and then one.
    const payments = ['06:30', '07:30'].map((time) => paid(scope, { at: Date.parse(`2026-10-24T${time}Z`) }));
    const events = payments.map(({ event }) => event);
    await mustCommit(store, { ...changesOf(...payments.map(({ payment }) => payment)), events });
    const at = (time: string) => home(store, scope, { time_zone: 'Europe/Berlin' }, Date.parse(`2026-10-25T${time}Z`));
    assert.equal((await at('08:10')).yesterday_until_now.payments, 1, 'at 09:10 without that of 09:30');
    assert.equal((await at('08:40')).yesterday_until_now.payments, 2);
  });

  it('takes a failed refund back on the day on which it was counted', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const { payment, event } = paid(scope, { at: now - dayMs });
    const id = aMoment(now - dayMs).newId('re');
    const failing = refund(payment.intent, 1_250, { id, createdAt: now - dayMs });
    const created = refundEvent('refund.created', failing, aMoment(now - dayMs));
    const failed = refundEvent('refund.failed', { ...failing, status: 'failed' }, aMoment(now));
    await mustCommit(store, { ...changesOf(payment), events: [event, created] });
    assert.equal((await home(store, scope)).yesterday.by_currency[0]?.refunds, 1);
    await mustCommit(store, { events: [failed] });
    const { today, yesterday } = await home(store, scope);
    assert.deepEqual(today.by_currency, []);
    assert.deepEqual([yesterday.by_currency[0]?.refunds, yesterday.by_currency[0]?.refunded], [0, 0]);
  });

  it('is empty for a merchant without sessions, and shows nothing of another merchant or mode', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const others = [aScope(), { ...scope, livemode: true }].map((other) => paid(other));
    for (const { payment, event } of others) await mustCommit(store, { ...changesOf(payment), events: [event] });
    const shown = await home(store, scope);
    assert.deepEqual([shown.is_empty, shown.total.payments, shown.currencies], [true, 0, []]);
    assert.equal(shown.total.success_rate, null);
  });

  it('says so while the events of an older version are still being added up', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    for (let group = 0; group < 21; group++) {
      const payments = Array.from({ length: 210 }, () => paid(scope, { amount: 1 }));
      const events = payments.map(({ event }) => event);
      await mustCommit(store, { ...(group === 0 ? changesOf(...payments.map(({ payment }) => payment)) : {}), events });
    }
    const first = await home(store, scope);
    assert.deepEqual([first.is_catching_up, first.total.succeeded], [true, 4_000]);
    const second = await home(store, scope);
    assert.deepEqual([second.is_catching_up, second.total.succeeded], [false, 4_410]);
  });
});
