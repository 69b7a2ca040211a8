// The customer pays: the card or method is sent to the acquirer, the attempt is committed, the payment is authorised,
// and the outcome is committed. After a crash or a timeout between the steps, `reconcile-operation` continues.

import { type AttemptKeys, attemptKeys, start } from '../domain/attempt-counts.ts';
import { committed } from '../domain/change-set.ts';
import { isOpen } from '../domain/checkout-session.ts';
import { type DeclineLimits, uncountedTestCard } from '../domain/decline-limits.ts';
import { move, type Payment } from '../domain/life-cycle.ts';
import type { MerchantLook, Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { newOperation } from '../domain/operation.ts';
import type { PaymentMethod } from '../domain/payment-intent.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { Begun, CardDetails } from '../processors/processor.ts';
import { type Full, full, limitedBy, whenCapacityAllows } from './count-attempt.ts';
import { type Decision, decideAndCommit } from './decide-and-commit.ts';
import { type AcquirerDeps, authorise, type OpenedOperation } from './settle-operation.ts';

export interface PayDeps extends AcquirerDeps {
  readonly secretBox: SecretBox;
}

export interface PayRequest {
  readonly sessionId: string;
  /** The single-use token of the form: one form, one operation. */
  readonly operationId: string;
  /** The amount that the page showed. */
  readonly amount: number;
  readonly method: PaymentMethodType;
  readonly card?: CardDetails & { readonly brand: string };
  readonly address: string;
  readonly returnUrl: string;
  /** Shown to the customer at the acquirer: the merchant, and the language. */
  readonly merchant: MerchantLook;
  readonly locale: string;
}

export type PayResult =
  /** The payment has changed, now or earlier: check its status. `payment`: as it is now, where that is known. */
  | { readonly kind: 'moved'; readonly payment?: Payment }
  | { readonly kind: 'action'; readonly url: string }
  | { readonly kind: 'not_open' }
  | { readonly kind: 'amount_changed' }
  | { readonly kind: 'method_not_offered' }
  /** This form was sent before, with another card or amount. */
  | { readonly kind: 'form_used' }
  /** No acquirer is configured for this mode. */
  | { readonly kind: 'not_served' }
  | { readonly kind: 'slow_down'; readonly seconds: number }
  | { readonly kind: 'too_many_attempts' };

/** `payment`: as it was read for this request. */
export async function pay(deps: PayDeps, payment: Payment, request: PayRequest): Promise<PayResult> {
  const { processor, moment, secretBox } = deps;
  const scope: Scope = payment.session;
  const reason = reasonNotToPay(payment, request, moment().now);
  if (reason !== null) return reason;

  const counters = countersOf(secretBox, scope, request);
  const limited = counters === null ? null : await limitedBy(deps, counters);
  if (limited !== null) return limited;

  const begun = await processor.begin({
    reference: request.operationId,
    livemode: scope.livemode,
    amount: payment.intent.amount,
    currency: payment.intent.currency,
    captureMethod: payment.intent.captureMethod,
    method: request.method,
    ...(request.card === undefined ? {} : { card: request.card }),
    returnUrl: request.returnUrl,
    merchant: request.merchant,
    locale: request.locale,
  });
  if (begun.next === 'refused') return { kind: 'form_used' };
  if (begun.next === 'not_served') return { kind: 'not_served' };
  // Local methods cannot be used to test cards, so they do not count.
  const keys = request.card === undefined ? null : counters;
  const outcome = await whenCapacityAllows(deps, keys, () => commitAttempt(deps, payment, request, begun, keys));
  if (outcome.kind !== 'ready') return outcome;
  const { intent, session } = await authorise(deps, outcome.opened);
  return { kind: 'moved', payment: { intent, session } };
}

/** Null: a test card that may be declined any number of times. */
function countersOf(box: SecretBox, scope: Scope, { sessionId, address, card }: PayRequest): AttemptKeys | null {
  if (!scope.livemode && card?.number === uncountedTestCard) return null;
  return attemptKeys(box, scope, { sessionId, address, cardNumber: card?.number ?? null });
}

async function commitAttempt(
  { store, moment, declineLimits }: PayDeps,
  known: Payment,
  request: PayRequest,
  begun: Begun & { next: 'authorise' | 'action' },
  keys: AttemptKeys | null,
): Promise<PayResult | Ready | Full> {
  // If it has changed since, or the form was submitted before, the commit conflicts: then both are read.
  const outcome = await decideAndCommit<PayResult | Ready | Full>(store, async (round) => {
    if (round > 0 && (await store.findBy('operations', 'id', request.operationId)) !== null)
      return { changes: {}, result: { kind: 'moved' } };
    const current = round === 0 ? known : await store.find('paymentsBySession', known.session, request.sessionId);
    const reason = reasonNotToPay(current, request, moment().now);
    if (reason !== null || current === null) return { changes: {}, result: reason ?? { kind: 'not_open' } };
    return attempt(current, request, begun, keys, declineLimits, moment());
  });
  if (!('done' in outcome)) throw new Error('paying was refused by storage');
  return outcome.done;
}

/** Committed: the payment can be authorised. */
interface Ready {
  readonly kind: 'ready';
  readonly opened: OpenedOperation;
}

/** Null if the customer may pay. */
function reasonNotToPay(payment: Payment | null, request: PayRequest, now: number): PayResult | null {
  if (payment === null) return { kind: 'not_open' };
  const { intent, session } = payment;
  // Another tab is paying, or has paid: show the result of that.
  if (intent.status !== 'requires_payment_method') return { kind: 'moved' };
  if (!isOpen(session, now)) return { kind: 'not_open' };
  if (intent.amount !== request.amount) return { kind: 'amount_changed' };
  return session.paymentMethodTypes.includes(request.method) ? null : { kind: 'method_not_offered' };
}

function attempt(
  payment: Payment,
  request: PayRequest,
  begun: Begun & { next: 'authorise' | 'action' },
  keys: AttemptKeys | null,
  limits: DeclineLimits,
  moment: Moment,
): Decision<PayResult | Ready | Full> {
  const paymentMethod = describeMethod(request);
  const needsAction = begun.next === 'action';
  const moved = move(payment, needsAction ? 'action_needed' : 'pay', moment, { paymentMethod });
  if (moved === null) return { changes: {}, result: { kind: 'moved' } };
  // With a challenge, the attempt counts only when it is sent for authorisation: leaving the challenge is not a decline.
  const started = keys === null || needsAction ? null : start(keys, limits, moment.now);
  const operation = newOperation(
    request.operationId,
    payment.intent,
    {
      kind: 'payment',
      paymentIntentId: payment.intent.id,
      checkoutSessionId: payment.session.id,
      amount: payment.intent.amount,
      paymentMethod,
      actionUrl: needsAction ? begun.url : null,
      attempt: started?.attempt ?? (keys && { keys, slot: null }),
    },
    moment,
  );
  const intent = { ...moved.intent, operationId: operation.id };
  const opened = {
    intent: committed(intent),
    session: payment.session,
    operation: committed(operation),
    refund: null,
  };
  return {
    changes: {
      paymentIntents: [intent],
      operations: [operation],
      events: moved.events,
      attemptCounts: started?.changes ?? [],
    },
    result: needsAction ? { kind: 'action', url: begun.url } : { kind: 'ready', opened },
    atLimit: full,
  };
}

function describeMethod({ method, card }: PayRequest): PaymentMethod {
  if (card === undefined) return { type: method };
  const { brand, number, expMonth, expYear } = card;
  return { type: method, card: { brand, last4: number.slice(-4), exp_month: expMonth, exp_year: expYear } };
}
