// The life cycle of a payment: which transitions exist, what each does to the Payment Intent and its Checkout Session,
// and which events it causes. This table is the only place that changes a status; any transition not listed here is
// refused.

import type { CheckoutSession } from './checkout-session.ts';
import { checkoutSessionEvent, type Event, type EventType, paymentIntentEvent } from './event.ts';
import type { Moment } from './moment.ts';
import type { PaymentError, PaymentIntent, PaymentIntentStatus, PaymentMethod } from './payment-intent.ts';

export type Trigger =
  | 'pay'
  | 'action_needed'
  | 'action_passed'
  | 'action_failed'
  | 'declined'
  | 'customer_done'
  | 'authorised'
  | 'captured'
  | 'capture'
  | 'cancel'
  | 'authorisation_lapsed'
  | 'session_expired';

interface Row {
  readonly from: PaymentIntentStatus;
  readonly on: Trigger;
  readonly to: PaymentIntentStatus;
  readonly event?: Extract<EventType, `payment_intent.${string}`>;
  /** The new status of the session if it is still open. */
  readonly session?: 'completed' | 'expired';
}

export const lifeCycle: readonly Row[] = [
  { from: 'requires_payment_method', on: 'pay', to: 'processing' },
  { from: 'requires_payment_method', on: 'action_needed', to: 'requires_action' },
  // Many acquirers ask for the challenge only when the money is requested.
  { from: 'processing', on: 'action_needed', to: 'requires_action' },
  { from: 'requires_action', on: 'action_passed', to: 'processing' },
  {
    from: 'requires_action',
    on: 'action_failed',
    to: 'requires_payment_method',
    event: 'payment_intent.payment_failed',
  },
  { from: 'processing', on: 'declined', to: 'requires_payment_method', event: 'payment_intent.payment_failed' },
  // A method that settles later: the customer has done their part, and the outcome follows.
  { from: 'processing', on: 'customer_done', to: 'processing', session: 'completed' },
  { from: 'processing', on: 'authorised', to: 'requires_capture', session: 'completed' },
  { from: 'processing', on: 'captured', to: 'succeeded', event: 'payment_intent.succeeded', session: 'completed' },
  { from: 'requires_capture', on: 'capture', to: 'succeeded', event: 'payment_intent.succeeded' },
  { from: 'requires_capture', on: 'cancel', to: 'canceled', event: 'payment_intent.canceled' },
  { from: 'requires_capture', on: 'authorisation_lapsed', to: 'canceled', event: 'payment_intent.canceled' },
  {
    from: 'requires_payment_method',
    on: 'cancel',
    to: 'canceled',
    event: 'payment_intent.canceled',
    session: 'expired',
  },
  { from: 'requires_payment_method', on: 'session_expired', to: 'expired', session: 'expired' },
  { from: 'requires_action', on: 'session_expired', to: 'expired', session: 'expired' },
];

/** A Payment Intent and its session, which are read and changed together. */
export interface Payment {
  readonly intent: PaymentIntent;
  readonly session: CheckoutSession;
}

/** Changes that a transition makes in addition to the status. */
export interface MoveDetails {
  readonly paymentMethod?: PaymentMethod;
  readonly lastPaymentError?: PaymentError | null;
  readonly amountCaptured?: number;
  readonly cancellationReason?: string | null;
  readonly pendingOperationId?: null;
  readonly captureBefore?: number | null;
}

export interface Moved extends Payment {
  readonly sessionMoved: boolean;
  readonly events: readonly Event[];
}

/** Null if the table has no such transition. */
export function move(payment: Payment, trigger: Trigger, moment: Moment, details: MoveDetails = {}): Moved | null {
  const row = lifeCycle.find((candidate) => candidate.from === payment.intent.status && candidate.on === trigger);
  if (row === undefined) return null;
  // A session that has ended cannot expire, even if its payment has failed since and needs another method.
  if (trigger === 'session_expired' && payment.session.status !== 'open') return null;
  const intent: PaymentIntent = {
    ...payment.intent,
    ...details,
    status: row.to,
    canceledAt: row.to === 'canceled' ? moment.now : payment.intent.canceledAt,
  };
  const sessionMoves = row.session !== undefined && payment.session.status === 'open';
  const session = sessionMoves ? endSession(payment.session, row.session, moment.now) : payment.session;
  const events: Event[] = [];
  if (row.event !== undefined) events.push(paymentIntentEvent(row.event, intent, moment));
  if (sessionMoves) events.push(checkoutSessionEvent(`checkout_session.${row.session}`, session, moment));
  return { intent, session, sessionMoved: sessionMoves, events };
}

function endSession(session: CheckoutSession, status: 'completed' | 'expired', now: number): CheckoutSession {
  if (status === 'completed') return { ...session, status, completedAt: now };
  // A session that the merchant ends early expires now, not at its original time.
  return { ...session, status, expiresAt: Math.min(session.expiresAt, now) };
}
