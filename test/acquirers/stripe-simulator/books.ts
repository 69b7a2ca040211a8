// What Stripe knows of one account: its own records, kept apart from ours.

import { randomBytes } from 'node:crypto';
import type { TestCard } from './cards.ts';
import { notFound } from './stripe-error.ts';

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled';

export interface Method {
  readonly id: string;
  readonly card: TestCard;
}

export interface Intent {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly captureMethod: string;
  readonly confirmationMethod: string;
  readonly methodTypes: readonly string[];
  readonly description: string | null;
  metadata: Readonly<Record<string, string>>;
  status: IntentStatus;
  method: Method | null;
  /** The customer passed the challenge. */
  authenticated: boolean;
  challenge: { readonly token: string; readonly returnUrl: string } | null;
  lastError: Readonly<Record<string, unknown>> | null;
  charge: Charge | null;
  canceledAt: number | null;
  cancellationReason: string | null;
}

export interface Charge {
  readonly id: string;
  readonly created: number;
  readonly intent: Intent;
  readonly method: Method;
  readonly captureBefore: number | null;
  status: 'succeeded' | 'failed';
  failureCode: string | null;
  captured: number;
  released: boolean;
}

export interface Refund {
  readonly id: string;
  readonly created: number;
  readonly intent: Intent;
  readonly amount: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly reason: string | null;
  /** What was authorised and not captured, which Stripe lists as a refund of the charge: nothing is paid back. */
  readonly isRelease: boolean;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  failureReason: string | null;
}

export interface Dispute {
  readonly id: string;
  readonly created: number;
  readonly intent: Intent;
  readonly amount: number;
  readonly reason: string;
  readonly dueBy: number | null;
  status: string;
}

export interface Books {
  readonly intents: Map<string, Intent>;
  readonly charges: Map<string, Charge>;
  readonly refunds: Map<string, Refund>;
  readonly disputes: Map<string, Dispute>;
  newId(prefix: string): string;
  intent(id: string): Intent;
}

export function emptyBooks(): Books {
  const intents = new Map<string, Intent>();
  const series = randomBytes(4).toString('hex');
  let last = 0;
  return {
    intents,
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    newId(prefix) {
      last += 1;
      return `${prefix}_3Sim${series}${String(last).padStart(8, '0')}`;
    },
    intent(id) {
      const intent = intents.get(id);
      if (intent === undefined) throw notFound('payment_intent', id, 'intent');
      return intent;
    },
  };
}

/** Those that pay money back. */
export function refundsOf(books: Books, intent: Intent): Refund[] {
  return [...books.refunds.values()].filter((refund) => refund.intent === intent && !refund.isRelease);
}

export function releasedOf(books: Books, intent: Intent): number {
  return [...books.refunds.values()]
    .filter((refund) => refund.intent === intent && refund.isRelease)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** Failed and canceled refunds give the money back to the account. */
export function refundedOf(books: Books, intent: Intent): number {
  return refundsOf(books, intent)
    .filter(({ status }) => status === 'succeeded' || status === 'pending')
    .reduce((sum, { amount }) => sum + amount, 0);
}
