// Payments at Mollie. There is no step before money: the payment is created when the customer is sent to Mollie's page,
// and what they do there decides.
//
// The reference is lost if this process dies between the request and the commit. While that is safe (see
// idempotency.ts), the request is then repeated under its key, which returns the payment if there is one. Later, the payment
// is looked for by our id; if it is not there, it is not made at all. A profile may have any number of other payments, so a
// search may take several calls: where it continues is stored with the operation.

import type { CaptureMethod } from '../../domain/payment-intent.ts';
import { isPublicUrl } from '../../domain/webhook-address.ts';
import {
  type AcquirerOperation,
  AcquirerSilent,
  type Answer,
  type BeginRequest,
  type Begun,
  type MoneyOutcome,
} from '../acquirer.ts';
import { isLoopbackUrl } from '../loopback.ts';
import { isMollieMethod, type MollieAmount, type MollieMethod, methodRules, mollieAmount } from './amounts.ts';
import { type Json, type MollieApi, RequestRefused } from './api.ts';
import { declineOf } from './declines.ts';
import { idempotencyKey, isPastArrival, mayRepeat } from './idempotency.ts';
import { type MollieLocale, mollieLocale } from './locales.ts';
import { searchPayment } from './look-up.ts';
import { isObject, type MolliePayment, parsePayment, senseless, textIn } from './resources.ts';

export interface MollieContext {
  readonly api: MollieApi;
  readonly apiUrl: string;
  readonly now: () => number;
}

/** A request for a payment. A test compares it with the types of Mollie's own client. */
export interface CreatePayment {
  readonly amount: MollieAmount;
  readonly description: string;
  readonly redirectUrl: string;
  readonly webhookUrl?: string;
  readonly method: (typeof methodRules)[MollieMethod]['id'];
  readonly locale?: MollieLocale;
  readonly captureMode?: CaptureMethod;
  readonly metadata: Json;
}

const maxDescription = 255;

/** Prepares the request, which must be the same in every repeat: it is stored as the operation's state. */
export function beginPayment({ apiUrl }: MollieContext, request: BeginRequest): Begun {
  const { id, method, amount, currency, captureMethod, ids } = request;
  if (!isMollieMethod(method)) throw new Error(`Mollie does not serve ${method}`);
  // Mollie holds money on cards only.
  if (captureMethod === 'manual' && method !== 'card') {
    return { next: 'declined', decline: { code: 'processing_error', providerCode: 'manual_capture_not_supported' } };
  }
  const locale = mollieLocale(request.locale);
  const create: CreatePayment = {
    amount: mollieAmount(amount, currency),
    description: descriptionOf(request),
    redirectUrl: request.returnUrl,
    // Mollie refuses addresses that it cannot reach, such as those of a developer's machine or of a private network.
    ...(isPublicUrl(request.notificationUrl) || isLoopbackUrl(apiUrl) ? { webhookUrl: request.notificationUrl } : {}),
    method: methodRules[method].id,
    ...(locale === null ? {} : { locale }),
    ...(method === 'card' ? { captureMode: captureMethod } : {}),
    metadata: { operation: id, payment_intent: ids.paymentIntent, checkout_session: ids.checkoutSession },
  };
  return { next: 'authorise', state: { create } };
}

function descriptionOf({ description, merchant, id }: BeginRequest): string {
  const text = description?.trim() || merchant.name.trim() || id;
  return text.slice(0, maxDescription).replace(/[\uD800-\uDBFF]$/, '');
}

export async function authorisePayment(context: MollieContext, payment: AcquirerOperation): Promise<Answer> {
  if (payment.reference !== null || !mayRepeat(payment, context.now())) return inquirePayment(context, payment);
  return create(context, payment, { isFirst: payment.state?.mayBeSent !== true });
}

export async function inquirePayment(context: MollieContext, payment: AcquirerOperation): Promise<Answer> {
  if (payment.reference !== null) return answerOf(await readPayment(context.api, payment.reference), payment);
  // Without its state, no request was ever sent.
  if (payment.state === null) return { outcome: { kind: 'not_made' } };
  // Looking for it may take long, and its request tells, whether it has arrived or not.
  if (!mayRepeat(payment, context.now())) return lookFor(context, payment);
  const ready: Answer = { outcome: { kind: 'ready' }, notAsked: true };
  return payment.state.mayBeSent === true ? ready : { ...ready, state: { ...payment.state, mayBeSent: true } };
}

/** An open payment that Mollie cannot cancel stays `action`: the customer may still pay it until it expires there. */
export async function closePayment(context: MollieContext, payment: AcquirerOperation): Promise<Answer> {
  const { api, now } = context;
  if (payment.reference !== null) return cancelIfOpen(context, payment, await readPayment(api, payment.reference));
  // Its request may still arrive, so it is made now: a late one gets the same response.
  const canBeMade = payment.state !== null && mayRepeat(payment, now());
  const answer = canBeMade
    ? await create(context, payment, { isFirst: false })
    : await inquirePayment(context, payment);
  const { reference } = answer;
  if (reference === undefined) return answer;
  return cancelIfOpen(context, { ...payment, reference }, await readPayment(api, reference));
}

/** For captures, voids and notifications too. */
export async function readPayment(api: MollieApi, reference: string): Promise<MolliePayment> {
  const answer = await api.get(`/payments/${reference}`);
  if (answer.kind !== 'ok')
    throw new AcquirerSilent(`Mollie does not know ${reference}: is the key of another profile?`, {
      isOnlyAboutThis: true,
    });
  const found = parsePayment(answer.body);
  if (found.id !== reference) throw senseless('payment');
  return found;
}

async function lookFor(context: MollieContext, payment: AcquirerOperation): Promise<Answer> {
  // A search that began while the request could still arrive does not prove that there is no payment.
  const isOver = isPastArrival(payment, context.now());
  const result = await searchPayment(context, payment, isOver ? textIn(payment.state, 'searchFrom') : null);
  if ('found' in result && result.found !== null) return answerOf(result.found, payment);
  if (!isOver) return { outcome: { kind: 'pending', customerDone: false } };
  if ('found' in result) return { outcome: { kind: 'not_made' } };
  return {
    outcome: { kind: 'pending', customerDone: false, isSearching: true },
    state: { ...payment.state, searchFrom: result.continueFrom },
  };
}

/**
 * `isFirst`: no other request of this payment was sent. If Mollie refuses it, as with a key that was revoked, there is no
 * payment, and the customer can choose another method.
 */
async function create(
  { api }: MollieContext,
  payment: AcquirerOperation,
  { isFirst }: { readonly isFirst: boolean },
): Promise<Answer> {
  const answer = await api.post('/payments', idempotencyKey(payment.id), requestOf(payment)).catch((error: unknown) => {
    if (isFirst && error instanceof RequestRefused) return error;
    throw error;
  });
  if (answer instanceof RequestRefused)
    return { ...refused(answer.code), ...(answer.isOnlyAboutThis ? {} : { unavailable: answer.message }) };
  if (answer.kind === 'refused') return refused(answer.code);
  if (answer.kind === 'not_found') {
    if (isFirst) return refused('status_404');
    throw senseless('payment');
  }
  const created = parsePayment(answer.body);
  if (created.operation !== payment.id) throw senseless('payment');
  // The response to a repeat shows the payment as it was at first.
  const isReplayed = answer.headers['idempotent-replayed'] === 'true';
  return answerOf(isReplayed ? await readPayment(api, created.id) : created, payment);
}

function refused(providerCode: string): Answer {
  return { outcome: { kind: 'declined', decline: { code: 'processing_error', providerCode } } };
}

async function cancelIfOpen({ api }: MollieContext, payment: AcquirerOperation, found: MolliePayment): Promise<Answer> {
  // Mollie may be able to cancel a pending payment too, but the customer has completed that.
  if (found.status !== 'open' || !found.isCancelable) return answerOf(found, payment);
  const answer = await api.delete(`/payments/${found.id}`);
  // If it can no longer be canceled, something has happened to it.
  return answerOf(answer.kind === 'ok' ? parsePayment(answer.body) : await readPayment(api, found.id), payment);
}

function requestOf({ id, state }: AcquirerOperation): Json {
  const create = state?.create;
  if (!isObject(create)) throw new Error(`the payment ${id} was not begun at Mollie`);
  return create;
}

function answerOf(found: MolliePayment, payment: AcquirerOperation): Answer {
  if (found.amount !== payment.amount || found.currency !== payment.currency) throw senseless('payment of this amount');
  return { outcome: outcomeOf(found, isManual(payment)), reference: found.id };
}

function isManual({ state }: AcquirerOperation): boolean {
  return isObject(state?.create) && state.create.captureMode === 'manual';
}

function outcomeOf(payment: MolliePayment, manual: boolean): MoneyOutcome {
  const { status, amount, amountCaptured, captureBefore, checkoutUrl } = payment;
  switch (status) {
    case 'paid':
      return manual && amountCaptured !== null && amountCaptured < amount
        ? { kind: 'done', captured: amountCaptured }
        : { kind: 'done' };
    case 'authorized':
      // Mollie is about to capture it.
      if (!manual) return { kind: 'pending', customerDone: true };
      return captureBefore === null ? { kind: 'authorised' } : { kind: 'authorised', captureBefore };
    case 'open':
      return checkoutUrl === null ? { kind: 'pending', customerDone: false } : { kind: 'action', url: checkoutUrl };
    case 'pending':
      return { kind: 'pending', customerDone: true };
    case 'canceled':
      return { kind: 'abandoned', reason: 'canceled' };
    case 'expired':
      return { kind: 'abandoned', reason: 'failed' };
    case 'failed':
      return { kind: 'declined', decline: declineOf(payment.method, payment.failureReason) };
  }
}
