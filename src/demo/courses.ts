// The courses that purchases take, with their share of the shop's business. Every kind of outcome occurs, each about as
// often as in a real shop.

import { evidenceWithinMs, disputeStepMs as quickStepMs } from '../acquirers/sandbox/disputes.ts';
import { authorisationLifeMs } from '../domain/payment-intent.ts';
import { methodSettlesLater, type PaymentMethodType } from '../domain/payment-methods.ts';
import {
  dayMs,
  endOf,
  expired,
  minuteMs,
  msBetween,
  type Purchase,
  paid,
  payByCard,
  type Step,
  secondMs,
  settled,
  timeToPay,
} from './steps.ts';

export interface Course {
  readonly name: string;
  readonly share: number;
  /** Which methods it can happen with. */
  readonly fits: (method: PaymentMethodType) => boolean;
  readonly isManual?: true;
  readonly steps: (purchase: Purchase) => Step[];
}

const any = (): boolean => true;
const card = (method: PaymentMethodType): boolean => method === 'card';
const bank = (method: PaymentMethodType): boolean => method !== 'card' && !methodSettlesLater(method);
const debit = (method: PaymentMethodType): boolean => methodSettlesLater(method);

const refundReasons = ['Returned', 'Arrived damaged', 'Ordered twice', 'Out of stock', 'Changed their mind'] as const;

export const courses: readonly Course[] = [
  { name: 'paid', share: 0.642, fits: any, steps: (purchase) => paid(purchase, firstAttempt(purchase)) },
  {
    ...{ name: 'paid after a challenge', share: 0.06, fits: card },
    steps: (purchase) => challenged(purchase, 'challenged', 'pass'),
  },
  {
    ...{ name: 'paid with another card', share: 0.05, fits: card },
    steps: (purchase) => {
      const declined = declines(purchase, 1);
      return [...declined, ...paid(purchase, nextAttempt(purchase, declined))];
    },
  },
  {
    ...{ name: 'paid after leaving the bank', share: 0.008, fits: bank },
    steps: (purchase) => {
      const left = atBank(purchase, 'cancel');
      return [...left, ...paid(purchase, nextAttempt(purchase, left))];
    },
  },
  { name: 'abandoned', share: 0.07, fits: any, steps: (purchase) => [expired(purchase)] },
  {
    ...{ name: 'declined', share: 0.045, fits: card },
    steps: (purchase) => [...declines(purchase, purchase.sampler.integer(1, 3)), expired(purchase)],
  },
  {
    ...{ name: 'declined after a challenge', share: 0.008, fits: card },
    steps: (purchase) => [...challenged(purchase, 'declined_after_challenge', 'pass'), expired(purchase)],
  },
  {
    ...{ name: 'failed a challenge', share: 0.007, fits: card },
    steps: (purchase) => [...challenged(purchase, 'challenged', 'fail'), expired(purchase)],
  },
  {
    ...{ name: 'left at a challenge', share: 0.008, fits: card },
    steps: (purchase) => [payByCard(firstAttempt(purchase), 'challenged'), expired(purchase)],
  },
  {
    ...{ name: 'canceled at the bank', share: 0.012, fits: bank },
    steps: (purchase) => [...atBank(purchase, purchase.sampler.happens(0.7) ? 'cancel' : 'fail'), expired(purchase)],
  },
  {
    ...{ name: 'debit failed', share: 0.004, fits: debit },
    steps: (purchase) => {
      const acted = atBank(purchase, 'fail_later');
      return [...acted, settled(purchase.sampler, endOf(acted))];
    },
  },
  {
    ...{ name: 'canceled by the merchant', share: 0.01, fits: any },
    steps: ({ openedAt, sampler }) => [
      {
        at: openedAt + msBetween(sampler, minuteMs, 25 * minuteMs),
        kind: 'cancel',
        reason: sampler.pick(['Out of stock', 'Ordered twice', 'Asked for by the customer']),
      },
    ],
  },
  { name: 'refunded', share: 0.03, fits: any, steps: (purchase) => refunded(purchase, [1]) },
  { name: 'partly refunded', share: 0.016, fits: any, steps: (purchase) => refunded(purchase, [0.4]) },
  { name: 'refunded in two parts', share: 0.003, fits: any, steps: (purchase) => refunded(purchase, [0.3, 0.25]) },
  {
    ...{ name: 'refund failed', share: 0.001, fits: card },
    steps: (purchase) => {
      const pay = payByCard(firstAttempt(purchase), 'refund_fails');
      return [pay, refund(purchase, pay.at, 1)];
    },
  },
  { name: 'captured', share: 0.013, fits: card, isManual: true, steps: (purchase) => captured(purchase, 1) },
  { name: 'partly captured', share: 0.003, fits: card, isManual: true, steps: (purchase) => captured(purchase, 0.75) },
  {
    ...{ name: 'authorisation canceled', share: 0.003, fits: card, isManual: true },
    steps: (purchase) => {
      const pay = payByCard(firstAttempt(purchase), 'approved');
      const at = pay.at + msBetween(purchase.sampler, dayMs / 24, 3 * dayMs);
      return [pay, { at, kind: 'cancel', reason: purchase.sampler.pick(['Out of stock', 'Not reachable']) }];
    },
  },
  {
    ...{ name: 'authorisation lapsed', share: 0.001, fits: card, isManual: true },
    steps: (purchase) => {
      const pay = payByCard(firstAttempt(purchase), 'approved');
      // Authorising takes a moment, and the job runs every ten seconds.
      return [pay, { at: pay.at + authorisationLifeMs + msBetween(purchase.sampler, 5_000, 15_000), kind: 'lapse' }];
    },
  },
  { name: 'dispute lost', share: 0.003, fits: card, steps: lostDispute },
  { name: 'dispute won', share: 0.002, fits: card, steps: wonDispute },
];

function firstAttempt({ openedAt, sampler }: Purchase): number {
  return openedAt + timeToPay(sampler);
}

function nextAttempt({ sampler }: Purchase, earlier: readonly Step[]): number {
  return endOf(earlier) + msBetween(sampler, 20 * secondMs, 150 * secondMs);
}

function declines(purchase: Purchase, count: number): Step[] {
  const steps: Step[] = [];
  for (let attempt = 0; attempt < count; attempt++) {
    const at = attempt === 0 ? firstAttempt(purchase) : nextAttempt(purchase, steps);
    steps.push(payByCard(at, 'declined'));
  }
  return steps;
}

function challenged(
  purchase: Purchase,
  behaviour: 'challenged' | 'declined_after_challenge',
  choice: 'pass' | 'fail',
): Step[] {
  const at = firstAttempt(purchase);
  const acted = at + msBetween(purchase.sampler, 8 * secondMs, 60 * secondMs);
  return [payByCard(at, behaviour), { at: acted, kind: 'act', choice }];
}

function atBank(purchase: Purchase, choice: 'cancel' | 'fail' | 'fail_later'): Step[] {
  const at = firstAttempt(purchase);
  const acted = at + msBetween(purchase.sampler, 10 * secondMs, 90 * secondMs);
  return [
    { at, kind: 'pay', method: purchase.method, card: null },
    { at: acted, kind: 'act', choice },
  ];
}

function refunded(purchase: Purchase, shares: readonly number[]): Step[] {
  const steps = paid(purchase, firstAttempt(purchase));
  for (const share of shares) steps.push(refund(purchase, endOf(steps), share));
  return steps;
}

function refund({ sampler }: Purchase, paidAt: number, share: number): Step {
  // Soon after the order, or when the parcel has arrived.
  const afterMs = sampler.happens(0.3)
    ? msBetween(sampler, 10 * minuteMs, dayMs / 4)
    : msBetween(sampler, 2 * dayMs, 12 * dayMs);
  return { at: paidAt + afterMs, kind: 'refund', share, reason: sampler.pick(refundReasons) };
}

function captured(purchase: Purchase, share: number): Step[] {
  const pay = payByCard(firstAttempt(purchase), 'approved');
  const at = pay.at + msBetween(purchase.sampler, dayMs, 5 * dayMs);
  return [pay, { at, kind: 'capture', share }];
}

/** When the bank opens the dispute: before the end of the month, because a service would do it at once then. */
function disputedAt({ sampler, until }: Purchase, paidAt: number): number {
  const longestMs = Math.min(9 * dayMs, until - paidAt);
  return paidAt + Math.max(quickStepMs + secondMs, Math.round(longestMs * (0.2 + 0.6 * sampler.number())));
}

function lostDispute(purchase: Purchase): Step[] {
  const pay = payByCard(firstAttempt(purchase), 'dispute_lost');
  const at = disputedAt(purchase, pay.at);
  const lostAt = at + evidenceWithinMs + purchase.sampler.integer(0, 500);
  return [pay, { at, kind: 'dispute' }, { at: lostAt, kind: 'dispute' }];
}

/** The sandbox decides within seconds. Here it takes days, if there are enough left for all steps. */
function wonDispute(purchase: Purchase): Step[] {
  const pay = payByCard(firstAttempt(purchase), 'dispute_won');
  const at = disputedAt(purchase, pay.at);
  const stepMs = Math.max(quickStepMs, Math.min(2 * dayMs, (purchase.until - at) * 0.45));
  const steps = [0, 1, 2].map((step): Step => ({ at: at + Math.ceil(step * stepMs), kind: 'dispute' }));
  return [pay, ...steps];
}
