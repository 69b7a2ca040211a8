// Expires a session without payment, because its time is up or because the merchant requests it. A payment that the
// customer may still complete is closed at the acquirer first: what was paid there is paid here.

import { type CheckoutSession, isOpen } from '../domain/checkout-session.ts';
import { type Refusal, refuse, refuseForNow } from '../domain/errors.ts';
import { move, type Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { inquiredOnSchedule, type Operation } from '../domain/operation.ts';
import { type AcquirerDeps, answerOrSilence, closeAt, readOperation, withAnswer } from './ask-acquirer.ts';
import { type Decision, decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { sessionNotFound, sessionNotOpen } from './refusals.ts';
import { settleOperation } from './settle-operation.ts';
import { closed } from './settlement.ts';
import { ifFresh, readEarly } from './subscriptions.ts';

/** The merchant ends an open session now. */
export function expireCheckoutSession(
  deps: AcquirerDeps,
  scope: Scope,
  sessionId: string,
  receipt?: Receipt<CheckoutSession>,
): Promise<Outcome<CheckoutSession>> {
  return closeAndExpire(deps, scope, sessionId, {
    receipt,
    refusal: ({ session }, now) => (isOpen(session, now) ? null : sessionNotOpen(session)),
  });
}

/** The session's time is up. Refused if it was extended, paid or ended meanwhile. */
export function expireOverdueSession(
  deps: AcquirerDeps,
  scope: Scope,
  sessionId: string,
): Promise<Outcome<CheckoutSession>> {
  return closeAndExpire(deps, scope, sessionId, {
    refusal({ session }, now) {
      if (session.status !== 'open') return sessionNotOpen(session);
      return session.expiresAt > now ? refuse('payment_in_progress', 'The session was extended.') : null;
    },
  });
}

interface Expiring {
  /** Why the session cannot expire; null if it can. */
  readonly refusal: (payment: Payment, now: number) => Refusal | null;
  readonly receipt?: Receipt<CheckoutSession> | undefined;
}

/** A customer who starts one payment after the other cannot keep this busy for ever. */
const maxTries = 5;

async function closeAndExpire(
  deps: AcquirerDeps,
  scope: Scope,
  sessionId: string,
  expiring: Expiring,
): Promise<Outcome<CheckoutSession>> {
  for (let tries = 1; ; tries++) {
    const outcome = await closeAndExpireOnce(deps, scope, sessionId, expiring);
    if (outcome !== startedMeanwhile || tries === maxTries) return outcome;
  }
}

async function closeAndExpireOnce(
  deps: AcquirerDeps,
  scope: Scope,
  sessionId: string,
  { refusal, receipt }: Expiring,
): Promise<Outcome<CheckoutSession>> {
  const { store, moment } = deps;
  const earlySubscriptions = readEarly(deps, scope);
  const found = await store.find('paymentsBySession', scope, sessionId);
  const canExpire = found !== null && refusal(found, moment().now) === null;
  const actionId = canExpire ? actionOf(found) : null;
  const ended = actionId === null ? null : await closeAtAcquirer(deps, actionId);
  return decideAndCommit(
    store,
    async (round) => {
      const payment =
        round === 0 && actionId === null ? found : await store.find('paymentsBySession', scope, sessionId);
      if (payment === null) return sessionNotFound(sessionId);
      const at = moment();
      const refused = refusal(payment, at.now);
      if (refused !== null) return refused;
      const stillOpenId = actionOf(payment);
      const subscriptions = round === 0 ? ifFresh(earlySubscriptions, at.now) : undefined;
      if (stillOpenId === null) return expire(payment, null, at, subscriptions);
      if (stillOpenId !== actionId) return startedMeanwhile;
      if (ended === null) return notClosed;
      const operation = ended.stored(await store.findBy('operations', 'id', stillOpenId), at.now);
      return expire(payment, operation, at, subscriptions);
    },
    receipt,
  );
}

/** The operation whose action the customer may still complete. */
function actionOf({ intent }: Payment): string | null {
  return intent.status === 'requires_action' ? intent.operationId : null;
}

/** An operation for which the acquirer has no money, and has ended it if it could. */
interface Ended {
  /** The operation as it is to be stored. */
  readonly stored: (operation: Operation | null, now: number) => Operation | null;
}

/** Null if nothing is known about it, or if it has an outcome, which is committed then. */
async function closeAtAcquirer(deps: AcquirerDeps, operationId: string): Promise<Ended | null> {
  const opened = await readOperation(deps.store, operationId);
  if (opened === null) return { stored: () => null };
  const answer = await answerOrSilence(() => closeAt(deps, opened));
  if (answer === null) return null;
  const { outcome } = answer;
  switch (outcome.kind) {
    case 'declined':
    case 'abandoned':
    case 'not_made':
      return {
        stored: (operation, now) =>
          operation && { ...closed(withAnswer(operation, answer), outcome, now), attempt: null },
      };
    // It cannot be ended there: it is asked about until it is over, and money that still arrives is returned.
    case 'action':
    case 'ready':
      return {
        stored: (operation, now) =>
          operation && inquiredOnSchedule({ ...withAnswer(operation, answer), inquiries: 0 }, now),
      };
    default:
      await settleOperation(deps, operationId, answer);
      return null;
  }
}

const retryAfterSeconds = 30;

const notClosed = refuseForNow(
  'payment_in_progress',
  retryAfterSeconds,
  'The customer is paying, and the acquirer does not say whether it was paid. Retrieve the session to see whether it was paid, or try again later.',
);

/** The acquirer has yet to be asked about that payment. */
const startedMeanwhile = refuseForNow(
  'payment_in_progress',
  retryAfterSeconds,
  'The customer has started another payment in the meantime. Retrieve the session to see whether it was paid, or try again later.',
);

function expire(
  payment: Payment,
  operation: Operation | null,
  moment: Moment,
  subscriptions: Decision<CheckoutSession>['subscriptions'],
): Decision<CheckoutSession> | Refusal {
  const moved = move(payment, 'session_expired', moment);
  if (moved === null) {
    return refuse(
      'payment_in_progress',
      `The session cannot expire while its payment is \`${payment.intent.status}\`. Wait for the outcome.`,
    );
  }
  return {
    changes: {
      paymentIntents: [moved.intent],
      checkoutSessions: [moved.session],
      ...(operation === null ? {} : { operations: [operation] }),
      events: moved.events,
    },
    result: moved.session,
    subscriptions,
  };
}
