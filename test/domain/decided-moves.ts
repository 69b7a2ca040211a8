// The specified transitions of a payment, independent of the code that implements them.

import type { EventType } from '../../src/domain/event.ts';
import type { Trigger } from '../../src/domain/life-cycle.ts';
import type { PaymentIntentStatus } from '../../src/domain/payment-intent.ts';

export interface DecidedMove {
  readonly to: PaymentIntentStatus;
  /** The new status of an open session, with the event `checkout_session.<status>`. */
  readonly session?: 'completed' | 'expired';
  readonly event?: EventType;
  /** The transition ends the session, so it is impossible once the session has ended. */
  readonly needsOpenSession?: true;
}

export const decidedMoves: Record<PaymentIntentStatus, { readonly [T in Trigger]?: DecidedMove }> = {
  requires_payment_method: {
    pay: { to: 'processing' },
    action_needed: { to: 'requires_action' },
    cancel: { to: 'canceled', session: 'expired', event: 'payment_intent.canceled' },
    session_expired: { to: 'expired', session: 'expired', needsOpenSession: true },
  },
  requires_action: {
    action_passed: { to: 'processing' },
    action_failed: { to: 'requires_payment_method', event: 'payment_intent.payment_failed' },
    session_expired: { to: 'expired', session: 'expired', needsOpenSession: true },
  },
  processing: {
    action_needed: { to: 'requires_action' },
    declined: { to: 'requires_payment_method', event: 'payment_intent.payment_failed' },
    customer_done: { to: 'processing', session: 'completed' },
    captured: { to: 'succeeded', session: 'completed', event: 'payment_intent.succeeded' },
    authorised: { to: 'requires_capture', session: 'completed' },
  },
  requires_capture: {
    capture: { to: 'succeeded', event: 'payment_intent.succeeded' },
    cancel: { to: 'canceled', event: 'payment_intent.canceled' },
    authorisation_lapsed: { to: 'canceled', event: 'payment_intent.canceled' },
  },
  succeeded: {},
  canceled: {},
  expired: {},
};

/** A record, so that the compiler reports a new trigger that is missing here. */
const everyTrigger: Record<Trigger, true> = {
  pay: true,
  action_needed: true,
  action_passed: true,
  action_failed: true,
  declined: true,
  customer_done: true,
  authorised: true,
  captured: true,
  capture: true,
  cancel: true,
  authorisation_lapsed: true,
  session_expired: true,
};
export const triggers = Object.keys(everyTrigger) as readonly Trigger[];

export function decidedMove(
  status: PaymentIntentStatus,
  trigger: Trigger,
  sessionStatus: 'open' | 'completed' | 'expired',
): DecidedMove | null {
  const move = decidedMoves[status][trigger];
  if (move === undefined || (move.needsOpenSession && sessionStatus !== 'open')) return null;
  return move;
}
