// PaymentIntents as Stripe moves them from state to state. Each charges successfully at most once.

import type { Books, Charge, Intent, Method } from './books.ts';
import { cardOf, type TestCard } from './cards.ts';
import { openDispute } from './disputes.ts';
import { type Form, integer, list, names, required, text } from './form.ts';
import { chargeJson, intentJson, methodJson, type View } from './objects.ts';
import { invalidRequest, notFound, refusedByState, StripeError } from './stripe-error.ts';

export interface Ledger extends View {
  /** In seconds. */
  now(): number;
  emit(type: string, object: Record<string, unknown>): void;
  /** How long an authorisation can be captured. */
  readonly captureWithinSeconds: number;
}

const zeroDecimal = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');
const inHundreds = ['isk', 'ugx'];
const inTens = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];

export function createIntent(ledger: Ledger, form: Form): Intent {
  const amount = required(integer(form, 'amount'), 'amount');
  const currency = required(text(form, 'currency'), 'currency').toLowerCase();
  checkAmount(amount, currency);
  if (text(form, 'confirm') === undefined) {
    for (const name of ['return_url', 'confirmation_token', 'off_session'])
      if (form[name] !== undefined)
        throw invalidRequest(`You cannot provide \`${name}\` unless \`confirm\` is true.`, { param: name });
  }
  const confirmationMethod = oneOf(form, 'confirmation_method', ['automatic', 'manual']) ?? 'automatic';
  const captureMethod = oneOf(form, 'capture_method', ['automatic', 'automatic_async', 'manual']) ?? 'automatic_async';
  const methodTypes = list(form, 'payment_method_types');
  const given = text(form, 'payment_method');
  const method = given === undefined ? null : attachMethod(ledger.books, given);
  const intent: Intent = {
    id: ledger.books.newId('pi'),
    created: ledger.now(),
    amount,
    currency,
    captureMethod,
    confirmationMethod,
    methodTypes: methodTypes.length > 0 ? methodTypes : ['card'],
    description: text(form, 'description') ?? null,
    metadata: names(form, 'metadata'),
    status: method === null ? 'requires_payment_method' : 'requires_confirmation',
    method,
    authenticated: false,
    challenge: null,
    lastError: null,
    charge: null,
    canceledAt: null,
    cancellationReason: null,
  };
  ledger.books.intents.set(intent.id, intent);
  ledger.emit('payment_intent.created', intentJson(ledger, intent));
  if (text(form, 'confirm') === 'true') confirmIntent(ledger, intent, form);
  return intent;
}

function checkAmount(amount: number, currency: string): void {
  const wrong = (message: string, code?: string) =>
    invalidRequest(message, { param: 'amount', ...(code === undefined ? {} : { code }) });
  if (!/^[a-z]{3}$/.test(currency)) throw invalidRequest(`Invalid currency: ${currency}`, { param: 'currency' });
  if (amount < 1) throw wrong('This value must be greater than or equal to 1.', 'parameter_invalid_integer');
  if (inHundreds.includes(currency) && amount % 100 !== 0) throw wrong('Amount must be divisible by 100.');
  if (inTens.includes(currency) && amount % 10 !== 0) throw wrong('The last digit of the amount must be 0.');
  if (amount < (zeroDecimal.includes(currency) ? 1 : 10)) throw wrong('Amount is too small.', 'amount_too_small');
  if (amount > 999_999_999_999) throw wrong('Amount is too large.', 'amount_too_large');
}

function oneOf(form: Form, name: string, allowed: readonly string[]): string | undefined {
  const value = text(form, name);
  if (value === undefined || allowed.includes(value)) return value;
  throw invalidRequest(`Invalid ${name}: must be one of ${allowed.join(', ')}`, { param: name });
}

/** Each use of a test payment method makes a new one, so that a payment method is used once. */
function attachMethod(books: Books, id: string): Method {
  const card = cardOf(id, 'pm_');
  if (card === undefined) throw notFound('PaymentMethod', id, 'payment_method');
  return { id: books.newId('pm'), card };
}

export function confirmIntent(ledger: Ledger, intent: Intent, form: Form): void {
  refuseUnless(ledger, intent, 'confirm', ['requires_payment_method', 'requires_confirmation', 'requires_action']);
  const token = text(form, 'confirmation_token');
  const method = text(form, 'payment_method');
  if (token !== undefined) {
    const card = cardOf(token, 'ctoken_');
    if (card === undefined) throw notFound('confirmation_token', token, 'confirmation_token');
    intent.method = { id: ledger.books.newId('pm'), card };
  } else if (method !== undefined) {
    intent.method = attachMethod(ledger.books, method);
  }
  if (intent.method === null) {
    throw refusedByState('You cannot confirm this PaymentIntent because it is missing a payment method.', {
      code: 'payment_intent_unexpected_state',
      payment_intent: intentJson(ledger, intent),
    });
  }
  intent.lastError = null;
  const { card } = intent.method;
  if (card.challenge === true && !intent.authenticated) askForChallenge(ledger, intent, text(form, 'return_url'));
  else charge(ledger, intent, intent.method);
}

function askForChallenge(ledger: Ledger, intent: Intent, returnUrl: string | undefined): void {
  if (returnUrl === undefined)
    throw invalidRequest('A `return_url` must be specified when the customer is redirected.', { param: 'return_url' });
  intent.status = 'requires_action';
  intent.challenge = { token: ledger.books.newId('payatt'), returnUrl };
  ledger.emit('payment_intent.requires_action', intentJson(ledger, intent));
}

/** Returns where the customer is sent back to. */
export function completeChallenge(ledger: Ledger, intent: Intent, passed: boolean): string {
  const back = new URL(intent.challenge?.returnUrl ?? 'about:blank');
  back.searchParams.set('payment_intent', intent.id);
  back.searchParams.set('payment_intent_client_secret', `${intent.id}_secret_simulated`);
  back.searchParams.set('redirect_status', passed ? 'succeeded' : 'failed');
  if (intent.status !== 'requires_action' || intent.method === null) return back.href;
  if (!passed) {
    failWith(ledger, intent, intent.method, {
      code: 'payment_intent_authentication_failure',
      message: 'The provided PaymentMethod has failed authentication.',
      type: 'invalid_request_error',
    });
  } else {
    intent.authenticated = true;
    intent.status = 'requires_confirmation';
    // With manual confirmation, the server confirms once more.
    if (intent.confirmationMethod === 'automatic') {
      try {
        charge(ledger, intent, intent.method);
      } catch (error) {
        if (!(error instanceof StripeError)) throw error;
      }
    }
  }
  return back.href;
}

function charge(ledger: Ledger, intent: Intent, method: Method): void {
  const { decline } = method.card;
  const manual = intent.captureMethod === 'manual';
  const made: Charge = {
    id: ledger.books.newId('ch'),
    created: ledger.now(),
    intent,
    method,
    captureBefore: manual && decline === undefined ? ledger.now() + ledger.captureWithinSeconds : null,
    status: decline === undefined ? 'succeeded' : 'failed',
    failureCode: decline?.code ?? null,
    captured: decline === undefined && !manual ? intent.amount : 0,
    released: false,
  };
  ledger.books.charges.set(made.id, made);
  intent.charge = made;
  if (decline !== undefined) throw declineOf(ledger, intent, method, decline);
  intent.status = manual ? 'requires_capture' : 'succeeded';
  ledger.emit('charge.succeeded', chargeJson(ledger, made));
  const event = manual ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded';
  ledger.emit(event, intentJson(ledger, intent));
  if (method.card.dispute !== undefined && !manual) openDispute(ledger, intent, method.card.dispute);
}

function declineOf(
  ledger: Ledger,
  intent: Intent,
  method: Method,
  decline: NonNullable<TestCard['decline']>,
): StripeError {
  const fields = {
    ...(intent.charge === null ? {} : { charge: intent.charge.id }),
    code: decline.code,
    ...(decline.declineCode === undefined ? {} : { decline_code: decline.declineCode }),
  };
  failWith(ledger, intent, method, { ...fields, message: 'Your card was declined.', type: 'card_error' });
  const payment_intent = intentJson(ledger, intent);
  return new StripeError(402, 'card_error', 'Your card was declined.', { ...fields, payment_intent }, true);
}

function failWith(ledger: Ledger, intent: Intent, method: Method, error: Record<string, unknown>): void {
  intent.status = 'requires_payment_method';
  intent.method = null;
  intent.challenge = null;
  intent.lastError = { ...error, payment_method: methodJson(ledger, method, intent.created) };
  ledger.emit('payment_intent.payment_failed', intentJson(ledger, intent));
}

export function captureIntent(ledger: Ledger, intent: Intent, form: Form): void {
  refuseUnless(ledger, intent, 'capture', ['requires_capture']);
  const amount = integer(form, 'amount_to_capture') ?? intent.amount;
  if (amount < 1 || amount > intent.amount)
    throw refusedByState('The amount to capture is greater than the amount that can be captured.', {
      code: 'amount_too_large',
      param: 'amount_to_capture',
    });
  const { charge } = intent;
  if (charge === null) throw new Error(`${intent.id} has no charge to capture`);
  charge.captured = amount;
  if (amount < intent.amount) release(ledger, intent, intent.amount - amount);
  intent.status = 'succeeded';
  intent.metadata = { ...intent.metadata, ...names(form, 'metadata') };
  ledger.emit('charge.captured', chargeJson(ledger, charge));
  ledger.emit('payment_intent.succeeded', intentJson(ledger, intent));
}

export function cancelIntent(ledger: Ledger, intent: Intent, form: Form): void {
  const cancelable = ['requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture'];
  refuseUnless(ledger, intent, 'cancel', cancelable);
  const reasons = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'];
  endIntent(ledger, intent, oneOf(form, 'cancellation_reason', reasons) ?? null);
}

/** Also what Stripe does by itself with an authorisation that was not captured in time: `automatic`. */
export function endIntent(ledger: Ledger, intent: Intent, reason: string | null): void {
  intent.status = 'canceled';
  intent.canceledAt = ledger.now();
  intent.cancellationReason = reason;
  if (intent.charge?.status === 'succeeded') {
    intent.charge.released = true;
    release(ledger, intent, intent.amount);
  }
  ledger.emit('payment_intent.canceled', intentJson(ledger, intent));
}

/** In Stripe's lists and in the sum of the charge, it cannot be told from a refund that was made in the dashboard. */
function release({ books, now }: Ledger, intent: Intent, amount: number): void {
  const id = books.newId('re');
  const refund = { id, created: now(), intent, amount, metadata: {}, reason: null, isRelease: true } as const;
  books.refunds.set(id, { ...refund, status: 'succeeded', failureReason: null });
}

function refuseUnless(ledger: Ledger, intent: Intent, verb: string, allowed: readonly string[]): void {
  if (allowed.includes(intent.status)) return;
  throw refusedByState(`You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intentJson(ledger, intent),
  });
}
