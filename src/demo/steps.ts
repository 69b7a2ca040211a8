// What happens to a purchase of the demo shop after its session was created: steps of customer, merchant, bank and time.

import { settleAfterMs } from '../acquirers/sandbox/books.ts';
import type { SandboxChoice } from '../acquirers/sandbox/payment-rules.ts';
import { methodSettlesLater, type PaymentMethodType } from '../domain/payment-methods.ts';
import type { Sampler } from './sampler.ts';
import type { CardBehaviour } from './test-cards.ts';

export type Step = { readonly at: number } & (
  | { readonly kind: 'pay'; readonly method: PaymentMethodType; readonly card: CardBehaviour | null }
  /** At the bank, and back. */
  | { readonly kind: 'act'; readonly choice: SandboxChoice }
  /** A method that settles later does. */
  | { readonly kind: 'settle' }
  /** The time of the session is up. */
  | { readonly kind: 'expire' }
  | { readonly kind: 'cancel'; readonly reason: string }
  /** `share`: of the amount, from 0 to 1. */
  | { readonly kind: 'capture'; readonly share: number }
  | { readonly kind: 'lapse' }
  | { readonly kind: 'refund'; readonly share: number; readonly reason: string }
  /** The customer's bank opens a dispute, or goes on with it. */
  | { readonly kind: 'dispute' }
);

export const secondMs = 1_000;
export const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** Longer than the sandbox takes, from when it was asked. */
const settlesWithinMs = { least: settleAfterMs + 4_000, most: settleAfterMs + 9_000 };

/** What the steps of a purchase depend on. */
export interface Purchase {
  readonly openedAt: number;
  readonly expiresAt: number;
  /** The method that the customer prefers. */
  readonly method: PaymentMethodType;
  /** The end of the demo month: what would happen later has not happened yet. */
  readonly until: number;
  readonly sampler: Sampler;
}

/** Most customers pay within two minutes, some take longer. */
export function timeToPay(sampler: Sampler): number {
  const spread = sampler.number() ** 3;
  return Math.round((20 + 460 * spread) * secondMs) + sampler.integer(0, 999);
}

export function msBetween(sampler: Sampler, leastMs: number, mostMs: number): number {
  return sampler.integer(Math.round(leastMs), Math.round(mostMs));
}

/** A payment that works: by card, at a bank, or by a debit that settles later. */
export function paid({ method, sampler }: Purchase, at: number): Step[] {
  const pay: Step = { at, kind: 'pay', method, card: method === 'card' ? 'approved' : null };
  if (method === 'card') return [pay];
  const actedAt = at + msBetween(sampler, 12 * secondMs, 75 * secondMs);
  const act: Step = { at: actedAt, kind: 'act', choice: 'pass' };
  if (!methodSettlesLater(method)) return [pay, act];
  return [pay, act, settled(sampler, actedAt)];
}

export function settled(sampler: Sampler, actedAt: number): Step {
  return { at: actedAt + msBetween(sampler, settlesWithinMs.least, settlesWithinMs.most), kind: 'settle' };
}

export function payByCard(at: number, card: CardBehaviour): Step {
  return { at, kind: 'pay', method: 'card', card };
}

export function expired({ expiresAt, sampler }: Purchase): Step {
  // The job that does it looks four times per second.
  return { at: expiresAt + sampler.integer(0, 250), kind: 'expire' };
}

export function endOf(steps: readonly Step[]): number {
  return steps.at(-1)?.at ?? 0;
}
