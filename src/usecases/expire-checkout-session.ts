// Expires a session without payment, because its time is up or because the merchant requests it.

import { type CheckoutSession, isOpen } from '../domain/checkout-session.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import { move, type Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { type Decision, decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { sessionNotFound, sessionNotOpen } from './refusals.ts';

interface Deps {
  readonly store: Store;
  readonly moment: () => Moment;
}

/** The merchant ends an open session now. */
export function expireCheckoutSession(
  { store, moment }: Deps,
  scope: Scope,
  sessionId: string,
  receipt?: Receipt<CheckoutSession>,
): Promise<Outcome<CheckoutSession>> {
  return decideAndCommit(
    store,
    async () => {
      const payment = await store.find('paymentsBySession', scope, sessionId);
      if (payment === null) return sessionNotFound(sessionId);
      const at = moment();
      return isOpen(payment.session, at.now) ? expire(payment, at) : sessionNotOpen(payment.session);
    },
    receipt,
  );
}

/** The session's time is up. Refused if it was extended, paid or ended meanwhile. */
export function expireOverdueSession({ store, moment }: Deps, scope: Scope, sessionId: string) {
  return decideAndCommit(store, async () => {
    const payment = await store.find('paymentsBySession', scope, sessionId);
    if (payment === null) return sessionNotFound(sessionId);
    const at = moment();
    if (payment.session.status !== 'open') return sessionNotOpen(payment.session);
    if (payment.session.expiresAt > at.now) return refuse('payment_in_progress', 'The session was extended.');
    return expire(payment, at);
  });
}

function expire(payment: Payment, moment: Moment): Decision<CheckoutSession> | Refusal {
  const moved = move(payment, 'session_expired', moment);
  if (moved === null) {
    return refuse(
      'payment_in_progress',
      `The session cannot expire while its payment is \`${payment.intent.status}\`. Wait for the outcome.`,
    );
  }
  return {
    changes: { paymentIntents: [moved.intent], checkoutSessions: [moved.session], events: moved.events },
    result: moved.session,
  };
}
