// The customer pays: the card or method is sent to the acquirer, the attempt is committed, the payment is authorised,
// and the outcome is committed. After a crash or a timeout between the steps, `reconcile-operation` continues.

import {
  AcquirerSilent,
  type BeginRequest,
  type Begun,
  type CardDetails,
  type Decline,
} from '../acquirers/acquirer.ts';
import { type AttemptKeys, attemptKeys, countFurtherAttempt, start } from '../domain/attempt-counts.ts';
import { committed } from '../domain/change-set.ts';
import { type CheckoutSession, isOpen } from '../domain/checkout-session.ts';
import { type CustomerDetails, detailsOf, emailOf } from '../domain/customer-details.ts';
import { type DeclineLimits, type Limited, uncountedTestCard } from '../domain/decline-limits.ts';
import { move, type Payment } from '../domain/life-cycle.ts';
import { usesLeft } from '../domain/link-use.ts';
import type { Merchant, MerchantLook, Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { newOperation, type Operation } from '../domain/operation.ts';
import type { PaymentMethod } from '../domain/payment-intent.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { type Server, serverOf } from '../domain/serving-account.ts';
import type { Turns } from '../domain/turns.ts';
import type { AcquirerDeps, OpenedOperation } from './ask-acquirer.ts';
import { type Full, full, limitedBy, retryAfterSeconds, whenCapacityAllows } from './count-attempt.ts';
import { type Decision, decideAndCommit } from './decide-and-commit.ts';
import { authorise, settleOperation } from './settle-operation.ts';

export interface PayDeps extends AcquirerDeps {
  readonly secretBox: SecretBox;
  /**
   * By session. Limits count what is committed: without turns, any number of forms that are submitted at once would each
   * begin a payment at the provider. Per process: with several, each begins one.
   */
  readonly attemptsInTurn: Turns;
}

export interface PayRequest {
  readonly sessionId: string;
  /** The single-use token of the form: one form, one operation. */
  readonly operationId: string;
  /** The amount that the page showed. */
  readonly amount: number;
  readonly method: PaymentMethodType;
  /** What the customer typed; the sandbox's methods only. */
  readonly card?: CardDetails & { readonly brand: string };
  /** What the provider's own card fields gave. */
  readonly cardToken?: string;
  readonly address: string;
  readonly returnUrl: string;
  /** Shown to the customer at the acquirer: the merchant, and the language. */
  readonly merchant: MerchantLook & Pick<Merchant, 'acquirers'>;
  readonly locale: string;
  /** What the customer entered about themselves, if the page asked for it. */
  readonly customerDetails?: CustomerDetails;
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
  /** No acquirer serves this method in this mode, or not for this amount. */
  | { readonly kind: 'not_served' }
  /** The acquirer cannot be reached: nothing was begun, and another method may work. */
  | { readonly kind: 'unavailable' }
  /** The payment link has been paid, or is being paid, as often as it can be: nothing was charged. */
  | { readonly kind: 'link_used_up' }
  /** This session, address or card was declined too often, or the session has had too many attempts. */
  | Limited;

/** `payment`: as it was read for this request. */
export async function pay(deps: PayDeps, payment: Payment, request: PayRequest): Promise<PayResult> {
  const outcome = await deps.attemptsInTurn(request.sessionId, async (waited) => {
    if (waited === 'too_long') return slowDown;
    if (waited === 'not_at_all') return startAttempt(deps, payment, request);
    const current = await deps.store.find('paymentsBySession', payment.session, request.sessionId);
    return current === null ? notOpen : startAttempt(deps, current, request);
  });
  if (outcome.kind !== 'ready') return outcome;
  const { opened, decline } = outcome;
  const settled =
    decline === null
      ? await authorise(deps, opened)
      : await settleOperation(deps, opened.operation.id, { outcome: { kind: 'declined', decline } }, { known: opened });
  const { intent, session, actionUrl } = settled;
  return actionUrl === null ? { kind: 'moved', payment: { intent, session } } : { kind: 'action', url: actionUrl };
}

const slowDown: PayResult = { kind: 'slow_down', seconds: retryAfterSeconds };
const notOpen: PayResult = { kind: 'not_open' };

/** Begins the payment at the acquirer, and commits the attempt. */
async function startAttempt(deps: PayDeps, payment: Payment, request: PayRequest): Promise<PayResult | Ready> {
  const scope: Scope = payment.session;
  const reason = reasonNotToPay(payment, request, deps.moment().now);
  if (reason !== null) return reason;
  const server = serverOf(request.merchant.acquirers, scope.livemode, request.method);
  if (server === null || !(await canCharge(deps, server, payment, request))) return { kind: 'not_served' };
  // Card numbers are for the sandbox, tokens for the provider that issued them: the page was made for another account.
  const isForOther = server.acquirerId === null ? request.cardToken !== undefined : request.card !== undefined;
  if (isForOther) return { kind: 'form_used' };

  // The commit checks this too. Here it saves the acquirer a payment that will never be made.
  if (payment.intent.paymentLinkId !== null && (await isLinkUsedUp(deps, payment))) return { kind: 'link_used_up' };

  const keys = countersOf(deps.secretBox, scope, request);
  const limited = await limitedBy(deps, payment, keys);
  if (limited !== null) return limited;

  const begun = await begin(deps, server, payment, request);
  if (begun.next === 'refused') return { kind: 'form_used' };
  if (begun.next === 'unavailable') return { kind: 'unavailable' };
  return whenCapacityAllows(deps, keys, () => commitAttempt(deps, payment, request, begun, server, keys));
}

/** Another account may serve the method now than when the session was created. */
async function canCharge(
  { acquirers }: PayDeps,
  { acquirerId, provider }: Server,
  { intent }: Payment,
  { method }: PayRequest,
): Promise<boolean> {
  if (acquirerId === null) return true;
  const { currency, amount, captureMethod } = intent;
  return (await acquirers.refuseCharge(provider, { method, currency, amount, captureMethod })) === null;
}

async function isLinkUsedUp({ store }: PayDeps, { intent }: Payment): Promise<boolean> {
  if (intent.paymentLinkId === null) return false;
  const link = await store.find('paymentLinks', intent, intent.paymentLinkId);
  return link !== null && usesLeft(link) <= 0;
}

/** No money moves. If the acquirer does not respond, nothing was committed, and nothing will be. */
async function begin(
  { acquirers }: PayDeps,
  { acquirerId }: Server,
  { intent, session }: Payment,
  request: PayRequest,
): Promise<Begun> {
  const { card, cardToken, merchant } = request;
  const terms: BeginRequest = {
    id: request.operationId,
    amount: intent.amount,
    currency: intent.currency,
    captureMethod: intent.captureMethod,
    method: request.method,
    ...(card === undefined ? {} : { card: { kind: 'details', ...card } }),
    ...(cardToken === undefined ? {} : { card: { kind: 'token', token: cardToken } }),
    returnUrl: request.returnUrl,
    notificationUrl: acquirers.notificationUrl(acquirerId),
    description: session.description,
    merchant: { name: merchant.name, logoUrl: merchant.logoUrl, accentColor: merchant.accentColor },
    locale: request.locale,
    customerEmail: emailOf(withDetails(session, request)),
    ids: { paymentIntent: intent.id, checkoutSession: session.id },
  };
  try {
    const acquirer = await acquirers.at({ ...scopeOf(session), acquirerId });
    return await acquirer.begin(terms);
  } catch (error) {
    if (error instanceof AcquirerSilent) return { next: 'unavailable' };
    throw error;
  }
}

const scopeOf = ({ merchantId, livemode }: Scope): Scope => ({ merchantId, livemode });

/**
 * Null for what is not counted by declines: local methods and cards that are entered at the provider, which cannot be
 * used to test cards here, and a test card whose declines never count.
 */
function countersOf(
  box: SecretBox,
  scope: Scope,
  { sessionId, address, card, cardToken }: PayRequest,
): AttemptKeys | null {
  if (card === undefined && cardToken === undefined) return null;
  if (!scope.livemode && card?.number === uncountedTestCard) return null;
  return attemptKeys(box, scope, { sessionId, address, cardNumber: card?.number ?? null });
}

async function commitAttempt(
  deps: PayDeps,
  known: Payment,
  request: PayRequest,
  begun: Started,
  server: Server,
  keys: AttemptKeys | null,
): Promise<PayResult | Ready | Full> {
  const { store, moment, declineLimits } = deps;
  // If it has changed since, or the form was submitted before, the commit conflicts: then both are read.
  const outcome = await decideAndCommit<PayResult | Ready | Full>(store, async (round) => {
    const sent = round === 0 ? null : await store.findBy('operations', 'id', request.operationId);
    if (sent !== null) return { changes: {}, result: { kind: isSameAttempt(sent, request) ? 'moved' : 'form_used' } };
    const current = round === 0 ? known : await store.find('paymentsBySession', known.session, request.sessionId);
    const reason = reasonNotToPay(current, request, moment().now);
    if (reason !== null || current === null) return { changes: {}, result: reason ?? notOpen };
    // What changed the payment may have been another attempt.
    const limited = round > 0 ? await limitedBy(deps, current, keys) : null;
    if (limited !== null) return { changes: {}, result: limited };
    return attempt(current, request, { begun, server, keys }, declineLimits, moment());
  });
  if (!('done' in outcome)) throw new Error('paying was refused by storage');
  return outcome.done;
}

/** Whether the form was sent before as it is now. What a provider's card fields give is not stored to compare with. */
function isSameAttempt({ amount, paymentMethod }: Operation, { card, method, ...request }: PayRequest): boolean {
  const isSameCard = card === undefined || card.number.slice(-4) === paymentMethod?.card?.last4;
  return isSameCard && paymentMethod?.type === method && amount === request.amount;
}

type Started = Begun & { next: 'authorise' | 'action' | 'declined' };

/** Committed: the payment can be authorised, unless the acquirer has already declined it. */
interface Ready {
  readonly kind: 'ready';
  readonly opened: OpenedOperation;
  readonly decline: Decline | null;
}

/** Null if the customer may pay. */
function reasonNotToPay(payment: Payment | null, request: PayRequest, now: number): PayResult | null {
  if (payment === null) return notOpen;
  const { intent, session } = payment;
  // Another tab is paying, or has paid: show the result of that.
  if (intent.status !== 'requires_payment_method') return { kind: 'moved' };
  if (!isOpen(session, now)) return notOpen;
  if (intent.amount !== request.amount) return { kind: 'amount_changed' };
  return session.paymentMethodTypes.includes(request.method) ? null : { kind: 'method_not_offered' };
}

function attempt(
  payment: Payment,
  request: PayRequest,
  { begun, server, keys }: { begun: Started; server: Server; keys: AttemptKeys | null },
  limits: DeclineLimits,
  moment: Moment,
): Decision<PayResult | Ready | Full> {
  const paymentMethod = describeMethod(request, begun);
  const needsAction = begun.next === 'action';
  const moved = move(payment, needsAction ? 'action_needed' : 'pay', moment, { paymentMethod });
  if (moved === null) return { changes: {}, result: { kind: 'moved' } };
  // With a challenge, the attempt counts only when it is sent for authorisation: leaving the challenge is not a decline.
  const started = keys === null || needsAction ? null : start(keys, limits, moment.now);
  const isFurther = payment.intent.operationId !== null;
  const further = isFurther ? countFurtherAttempt(payment.session.id, limits, moment.now) : [];
  const { reference = null, state = null } = begun.next === 'declined' ? {} : begun;
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
      acquirerId: server.acquirerId,
      acquirerReference: reference,
      acquirerState: state,
      locale: request.locale,
    },
    moment,
  );
  // The sandbox calls a payment by our id.
  const shownReference = server.acquirerId === null ? operation.id : reference;
  const acquirer = { provider: server.provider, reference: shownReference };
  const session = withDetails(payment.session, request);
  const customerDetails = detailsOf(session);
  const intent = { ...moved.intent, operationId: operation.id, acquirer, customerDetails };
  const opened = {
    intent: committed(intent),
    session: session === payment.session ? session : committed(session),
    operation: committed(operation),
    paymentOperation: null,
    refund: null,
  };
  const decline = begun.next === 'declined' ? begun.decline : null;
  return {
    changes: {
      paymentIntents: [intent],
      checkoutSessions: session === payment.session ? [] : [session],
      operations: [operation],
      events: moved.events,
      attemptCounts: [...(started?.changes ?? []), ...further],
    },
    result: needsAction ? { kind: 'action', url: begun.url } : { kind: 'ready', opened, decline },
    atLimit: full,
    usedUp: { kind: 'link_used_up' },
  };
}

/** The same session if nothing new was entered: then its row is not written. */
function withDetails(session: CheckoutSession, { customerDetails }: PayRequest): CheckoutSession {
  const isKnown = JSON.stringify(customerDetails) === JSON.stringify(session.customerDetails);
  return customerDetails === undefined || isKnown ? session : { ...session, customerDetails };
}

function describeMethod({ method, card }: PayRequest, begun: Started): PaymentMethod {
  if (card !== undefined) {
    const { brand, number, expMonth, expYear } = card;
    return { type: method, card: { brand, last4: number.slice(-4), exp_month: expMonth, exp_year: expYear } };
  }
  if (begun.next === 'declined' || begun.card === undefined) return { type: method };
  const { brand, last4, expMonth, expYear } = begun.card;
  return { type: method, card: { brand, last4, exp_month: expMonth, exp_year: expYear } };
}
