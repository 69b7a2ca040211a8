// The customer pays: the card or method goes to the acquirer, the attempt is committed, the money is asked for, and the
// outcome is committed. A crash or a silence between the steps is picked up by `reconcile-operation`.

import { isOpen } from '../domain/checkout-session.ts';
import { type DeclineLimits, limitAttempts } from '../domain/decline-limits.ts';
import { move, type Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { newOperation } from '../domain/operation.ts';
import type { PaymentMethod } from '../domain/payment-intent.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { Begun, CardDetails } from '../processors/processor.ts';
import { type Decision, decideAndCommit } from './decide-and-commit.ts';
import { type AcquirerDeps, authorise } from './settle-operation.ts';

export interface PayDeps extends AcquirerDeps {
  readonly secretBox: SecretBox;
  readonly declineLimits: DeclineLimits;
}

export interface PayRequest {
  readonly sessionId: string;
  /** The single-use token of the form: one form, one operation. */
  readonly operationId: string;
  /** What the page showed. */
  readonly amount: number;
  readonly method: PaymentMethodType;
  readonly card?: CardDetails & { readonly brand: string };
  readonly address: string;
  readonly returnUrl: string;
}

export type PayResult =
  /** The payment has moved, or did so before: look at it. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'action'; readonly url: string }
  | { readonly kind: 'not_open' }
  | { readonly kind: 'amount_changed' }
  | { readonly kind: 'method_not_offered' }
  /** This form was sent before, with another card or amount. */
  | { readonly kind: 'form_used' }
  | { readonly kind: 'slow_down'; readonly seconds: number }
  | { readonly kind: 'too_many_attempts' };

export async function pay(deps: PayDeps, scope: Scope, request: PayRequest): Promise<PayResult> {
  const { store, processor, moment, secretBox } = deps;
  const payment = await store.paymentOfSession(scope, request.sessionId);
  const no = whyNot(payment, request, moment().now);
  if (no !== null || payment === null) return no ?? { kind: 'not_open' };

  const addressHash = secretBox.derive('address fingerprint', request.address);
  const cardHash = request.card === undefined ? null : secretBox.derive('card fingerprint', request.card.number);
  const { now } = moment();
  const declines = await store.declines(
    { sessionId: request.sessionId, addressHash, cardHash },
    now - deps.declineLimits.windowMs,
  );
  const limited = limitAttempts(declines, deps.declineLimits, now);
  if (limited !== null) return limited;

  const begun = await processor.begin({
    reference: request.operationId,
    amount: payment.intent.amount,
    currency: payment.intent.currency,
    captureMethod: payment.intent.captureMethod,
    method: request.method,
    ...(request.card === undefined ? {} : { card: request.card }),
    returnUrl: request.returnUrl,
  });
  if (begun.next === 'refused') return { kind: 'form_used' };
  const outcome = await decideAndCommit<PayResult | Ready>(store, async () => {
    if ((await store.operation(request.operationId)) !== null)
      return { changes: {}, result: { kind: 'moved' } as const };
    const current = await store.paymentOfSession(scope, request.sessionId);
    const reason = whyNot(current, request, moment().now);
    if (reason !== null || current === null) return { changes: {}, result: reason ?? ({ kind: 'not_open' } as const) };
    return attempt(current, request, begun, { addressHash, cardHash }, moment());
  });
  if (!('done' in outcome)) throw new Error('paying was refused by storage');
  if (outcome.done.kind !== 'ready') return outcome.done;
  await authorise(deps, request.operationId);
  return { kind: 'moved' };
}

/** Committed: the money is to be asked for. */
interface Ready {
  readonly kind: 'ready';
}

/** Null when the customer may pay. */
function whyNot(payment: Payment | null, request: PayRequest, now: number): PayResult | null {
  if (payment === null) return { kind: 'not_open' };
  const { intent, session } = payment;
  // Another tab is paying, or has paid: whoever comes second sees how that goes.
  if (intent.status !== 'requires_payment_method') return { kind: 'moved' };
  if (!isOpen(session, now)) return { kind: 'not_open' };
  if (intent.amount !== request.amount) return { kind: 'amount_changed' };
  return session.paymentMethodTypes.includes(request.method) ? null : { kind: 'method_not_offered' };
}

function attempt(
  payment: Payment,
  request: PayRequest,
  begun: Exclude<Begun, { next: 'refused' }>,
  hashes: { addressHash: string; cardHash: string | null },
  moment: Moment,
): Decision<PayResult | Ready> {
  const paymentMethod = describeMethod(request);
  const needsAction = begun.next === 'action';
  const moved = move(payment, needsAction ? 'action_needed' : 'pay', moment, { paymentMethod });
  if (moved === null) return { changes: {}, result: { kind: 'moved' } as const };
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
      ...hashes,
    },
    moment,
  );
  return {
    changes: {
      paymentIntents: [{ ...moved.intent, operationId: operation.id }],
      operations: [operation],
      events: moved.events,
    },
    result: needsAction ? ({ kind: 'action', url: begun.url } as const) : ({ kind: 'ready' } as const),
  };
}

function describeMethod({ method, card }: PayRequest): PaymentMethod {
  if (card === undefined) return { type: method };
  const { brand, number, expMonth, expYear } = card;
  return { type: method, card: { brand, last4: number.slice(-4), exp_month: expMonth, exp_year: expYear } };
}
