// The figures of a merchant's day and month, from kept totals. Events since the last roll-up are added up first, so that the
// figures are those of this moment.

import type { Scope } from '../domain/merchant.ts';
import { type PaymentTotals, type Sum, startOf, sumOf } from '../domain/payment-totals.ts';
import type { Store } from '../storage/store.ts';
import { rollUpTotals } from './roll-up-totals.ts';

export interface HomeDeps {
  readonly store: Store;
  readonly now: () => number;
}

export interface HomeFigures {
  readonly today: Sum;
  readonly yesterday: Sum;
  /** Yesterday until this time of the day, to the half hour. */
  readonly yesterdayUntilNow: Sum;
  /** Oldest first, without gaps; the last one is today. */
  readonly days: readonly (Sum & { readonly date: string })[];
  /** Of these days. */
  readonly total: Sum;
  /** Whether old events are still being added up, as after an upgrade. */
  readonly isCatchingUp: boolean;
}

const dayMs = 86_400_000;
const halfHoursOfDay = 48;
/** Steps of a roll-up that a request waits for. */
const maxSteps = 20;

/** What clocks and calendars show at a time, in the viewer's zone. */
export interface Calendar {
  /** Such as 2026-11-16. */
  readonly dateAt: (time: number) => string;
  /** Such as 09:30. */
  readonly clockAt: (time: number) => string;
}

export async function homeFigures(
  { store, now }: HomeDeps,
  scope: Scope,
  dayCount: number,
  { dateAt, clockAt }: Calendar,
): Promise<HomeFigures> {
  let isCatchingUp = true;
  for (let step = 0; step < maxSteps && isCatchingUp; step++) isCatchingUp = await rollUpTotals({ store }, scope);
  const time = now();
  const totals = await store.list('paymentTotals', { scope, limit: (dayCount + 1) * halfHoursOfDay });
  const byDate = Map.groupBy(totals, (one) => dateAt(startOf(one)));
  const dates = lastDates(dayCount, time, dateAt);
  const of = (date: string | undefined): readonly PaymentTotals[] => byDate.get(date ?? '') ?? [];
  const yesterday = of(dates.at(-2));
  return {
    today: sumOf(of(dates.at(-1))),
    yesterday: sumOf(yesterday),
    yesterdayUntilNow: sumOf(yesterday.filter((one) => clockAt(startOf(one)) <= clockAt(time))),
    days: dates.map((date) => ({ date, ...sumOf(of(date)) })),
    total: sumOf(dates.flatMap(of)),
    isCatchingUp,
  };
}

/** Steps of half a day, so that days of 23 and 25 hours appear once. */
function lastDates(count: number, time: number, dateAt: (time: number) => string): string[] {
  const dates = Array.from({ length: 2 * count + 2 }, (_, at) => dateAt(time - at * (dayMs / 2)));
  return [...new Set(dates)].slice(0, count).reverse();
}

export interface FirstSteps {
  readonly hasUsedKey: boolean;
  readonly hasSession: boolean;
  readonly hasPayment: boolean;
  readonly hasWebhook: boolean;
  readonly hasAcquirer: boolean;
}

const maxKeys = 100;

/** What a new merchant has done already. */
export async function firstSteps({ store }: { readonly store: Store }, scope: Scope): Promise<FirstSteps> {
  const where = { status: 'succeeded' } as const;
  const [keys, sessions, paid, endpoints, accounts] = await Promise.all([
    store.list('apiKeys', { where: { merchantId: scope.merchantId }, limit: maxKeys }),
    store.list('checkoutSessions', { scope, limit: 1 }),
    store.list('paymentIntents', { scope, where, limit: 1 }),
    store.list('subscriptions', { scope, limit: 1 }),
    store.list('acquirerAccounts', { scope, limit: 1 }),
  ]);
  return {
    hasUsedKey: keys.some(({ livemode, lastUsedAt }) => livemode === scope.livemode && lastUsedAt !== null),
    hasSession: sessions.length > 0,
    hasPayment: paid.length > 0,
    hasWebhook: endpoints.length > 0,
    hasAcquirer: accounts.length > 0,
  };
}
