// Card payments: an unconfirmed PaymentIntent, confirmed by us. A PaymentIntent charges successfully at most once, which is
// why confirming it can be repeated: under the same key Stripe returns the first response, and without the key it refuses
// to confirm what is no longer open.

import type Stripe from 'stripe';
import {
  type AcquirerOperation,
  AcquirerSilent,
  type AcquirerState,
  type Answer,
  type BeginRequest,
  type Begun,
  type DescribedCard,
  type MoneyOutcome,
} from '../acquirer.ts';
import { within } from '../with-deadline.ts';
import { stripeUnits } from './amounts.ts';
import type { Refusal, Reply, StripeClient } from './client.ts';
import { declineOf, refusedRequest } from './declines.ts';
import { objectIn } from './json.ts';
import { nonsense, operationKey, readCard, readPayment, type StripePayment } from './objects.ts';

/**
 * Stripe forgets idempotency keys after 24 hours at the earliest, counted from the first request. We count from when the
 * operation was created, which is earlier, and stop an hour before.
 */
export const keysAreKeptForMs = 23 * 3_600_000;

interface PaymentState {
  readonly returnUrl: string;
  /** The card, if the page sent a confirmation token: Stripe takes it only with the confirmation. */
  readonly confirmationToken?: string;
  /** How often Stripe has asked for a challenge: confirming afterwards is another step, with a key of its own. */
  readonly challenges?: number;
}

export interface StripePayments {
  begin(request: BeginRequest): Promise<Begun>;
  authorise(payment: AcquirerOperation): Promise<Answer>;
  inquire(payment: AcquirerOperation): Promise<Answer>;
  close(payment: AcquirerOperation): Promise<Answer>;
}

export function stripePayments(client: StripeClient, now: () => number): StripePayments {
  async function begin(request: BeginRequest): Promise<Begun> {
    const token = request.card?.kind === 'token' ? request.card.token : '';
    // Not from Stripe's fields: there is nothing to decline.
    if (!/^(?:pm|ctoken)_\w{1,200}$/.test(token)) return { next: 'refused' };
    try {
      const reply = await client.post('payment_intents', creation(request, token), `${request.id}-create`);
      if (!reply.ok) return refusedBeginning(reply.error);
      const payment = matching(readPayment(reply.body), { ...request, reference: null });
      const state: PaymentState = {
        returnUrl: request.returnUrl,
        ...(token.startsWith('ctoken_') ? { confirmationToken: token } : {}),
      };
      const card = token.startsWith('ctoken_') ? await previewedCard(client, token) : payment.card;
      return {
        next: 'authorise',
        reference: payment.id,
        state: { ...state },
        ...(card === null ? {} : { card }),
      };
    } catch (error) {
      // No money has moved, and none will: the PaymentIntent, if there is one, is never confirmed.
      if (error instanceof AcquirerSilent)
        return { next: 'unavailable', reason: error.message, retryAfterMs: error.retryAfterMs };
      throw error;
    }
  }

  async function authorise(payment: AcquirerOperation): Promise<Answer> {
    const reference = referenceOf(payment);
    const state = readState(payment.state);
    const { challenges = 0 } = state;
    const step = challenges === 0 ? 'confirm' : `confirm-after-challenge-${challenges}`;
    const fields: Stripe.PaymentIntentConfirmParams = {
      return_url: state.returnUrl,
      ...(state.confirmationToken !== undefined && challenges === 0
        ? { confirmation_token: state.confirmationToken }
        : {}),
      expand: ['latest_charge'],
    };
    const path = `payment_intents/${encodeURIComponent(reference)}/confirm`;
    const reply = await client.post(path, fields, `${payment.id}-${step}`);
    if (reply.ok) {
      const found = matching(readPayment(reply.body), payment);
      if (isOpen(found)) throw nonsense('a confirmed payment that still has to be confirmed');
      return answerOf(found, { ...state, challenges: challenges + 1 });
    }
    const { error } = reply;
    if (isCardError(error)) return declinedBy(error);
    if (error.type === 'idempotency_error')
      throw new AcquirerSilent('Stripe has seen this key with other parameters.', { isOnlyAboutThis: true });
    // Refused, perhaps because it was confirmed before and the key is forgotten: the PaymentIntent tells.
    const found = await retrieve(payment);
    if (isOpen(found)) return { outcome: { kind: 'declined', decline: refusedRequest(error) } };
    return answerOf(found, state);
  }

  async function retrieve(payment: AcquirerOperation): Promise<StripePayment> {
    const reference = referenceOf(payment);
    return matching(paymentIn(await retrievePayment(client, reference), reference), payment);
  }

  /**
   * A payment whose reference was never stored was never confirmed, because confirming needs the reference: nothing was
   * charged.
   */
  async function inquire(payment: AcquirerOperation): Promise<Answer> {
    if (payment.reference === null) return { outcome: { kind: 'not_made' } };
    const state = readState(payment.state);
    const found = await retrieve(payment);
    if (!isOpen(found)) return answerOf(found, state);
    // After a challenge the customer waits for the confirmation. Without one, the first confirmation did not arrive, and
    // can be repeated under its key. Once the key is forgotten, the payment can only be closed.
    const canConfirm = (state.challenges ?? 0) > 0 || now() - payment.createdAt < keysAreKeptForMs;
    return { outcome: canConfirm ? { kind: 'ready' } : { kind: 'pending', customerDone: false } };
  }

  /** Looks first: canceling would also release an authorisation, which is an outcome to report instead. */
  async function close(payment: AcquirerOperation): Promise<Answer> {
    if (payment.reference === null) return { outcome: { kind: 'not_made' } };
    const state = readState(payment.state);
    const found = await retrieve(payment);
    if (!canBeEnded(found)) return answerOf(found, state);
    const fields: Stripe.PaymentIntentCancelParams = { cancellation_reason: 'abandoned' };
    // Stripe keeps refusals under the key too: one from an earlier status must not be returned again.
    const key = `${payment.id}-close-${found.status}`;
    const reply = await client.post(`payment_intents/${encodeURIComponent(found.id)}/cancel`, fields, key);
    const ended = reply.ok ? matching(readPayment(reply.body), payment) : await retrieve(payment);
    if (canBeEnded(ended)) throw nonsense('a payment that was not canceled and is still open');
    if (ended.status !== 'canceled') return answerOf(ended, state);
    const before = isOpen(found) || found.status === 'requires_action' ? null : answerOf(found, state);
    return before ?? { outcome: { kind: 'not_made' } };
  }

  return { begin, authorise, inquire, close };
}

function creation(request: BeginRequest, token: string): Stripe.PaymentIntentCreateParams {
  return {
    amount: stripeUnits(request),
    currency: request.currency.toLowerCase(),
    payment_method_types: ['card'],
    ...(token.startsWith('pm_') ? { payment_method: token } : {}),
    confirmation_method: 'manual',
    capture_method: request.captureMethod,
    ...(request.description === null ? {} : { description: request.description.slice(0, 1_000) }),
    metadata: {
      [operationKey]: request.id,
      paydesk_payment_intent: request.ids.paymentIntent,
      paydesk_checkout_session: request.ids.checkoutSession,
    },
    expand: ['payment_method'],
  };
}

function refusedBeginning(error: Refusal): Begun {
  if (error.type === 'idempotency_error') return { next: 'refused' };
  const decline = isCardError(error) ? declineOf(error.code, error.declineCode) : refusedRequest(error);
  return { next: 'declined', decline };
}

/** Only a part of the deadline: the payment has to be created and committed within that. */
const previewWithinMs = 1_000;

/** Only to show it, so a payment does not depend on it: a restricted key may not be allowed to read tokens. */
async function previewedCard(client: StripeClient, token: string): Promise<DescribedCard | null> {
  try {
    const reply = await within(previewWithinMs, client.get(`confirmation_tokens/${token}`));
    const preview = reply.ok ? objectIn(reply.body, 'payment_method_preview') : null;
    return preview === null ? null : readCard(preview);
  } catch (error) {
    if (error instanceof AcquirerSilent) return null;
    throw error;
  }
}

function isCardError(error: Refusal): boolean {
  return error.type === 'card_error';
}

function declinedBy(error: Refusal): Answer {
  return { outcome: failure(error.code, error.declineCode) };
}

const failedChallenges = ['payment_intent_authentication_failure', 'setup_intent_authentication_failure'];

function failure(code: string | null, declineCode: string | null): MoneyOutcome {
  if (code !== null && failedChallenges.includes(code)) return { kind: 'abandoned', reason: 'failed' };
  return { kind: 'declined', decline: declineOf(code, declineCode) };
}

export function retrievePayment(client: StripeClient, reference: string): Promise<Reply> {
  return client.get(`payment_intents/${encodeURIComponent(reference)}`, { expand: ['latest_charge'] });
}

/** Stripe does not forget payments: if it does not know one, we ask with the key of another account. */
export function paymentIn(reply: Reply, reference: string): StripePayment {
  if (reply.ok) return readPayment(reply.body);
  throw new AcquirerSilent(`Stripe does not return ${reference} (${reply.error.code ?? reply.error.type}).`, {
    isOnlyAboutThis: true,
  });
}

export function referenceOf({ id, reference }: AcquirerOperation): string {
  if (reference === null) throw new TypeError(`${id} has no PaymentIntent`);
  return reference;
}

/** The response must be about this payment. */
export function matching(
  found: StripePayment,
  asked: { readonly reference: string | null; readonly amount: number; readonly currency: string },
): StripePayment {
  if (asked.reference !== null && found.id !== asked.reference) throw nonsense('another payment');
  if (found.amount !== asked.amount || found.currency !== asked.currency) throw nonsense('another amount');
  return found;
}

/** Not confirmed yet, or no longer because the customer has passed the challenge. */
function isOpen({ status, lastError }: StripePayment): boolean {
  return status === 'requires_confirmation' || (status === 'requires_payment_method' && lastError === null);
}

function canBeEnded({ status }: StripePayment): boolean {
  return ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(status);
}

/** What happened to a payment that is not open. */
function answerOf(found: StripePayment, state: PaymentState): Answer {
  switch (found.status) {
    case 'succeeded': {
      const { amount, amountReceived: captured } = found;
      return { outcome: captured < amount ? { kind: 'done', captured } : { kind: 'done' } };
    }
    case 'requires_capture':
      return {
        outcome: {
          kind: 'authorised',
          ...(found.captureBefore === null ? {} : { captureBefore: found.captureBefore }),
        },
      };
    case 'processing':
      return { outcome: { kind: 'pending', customerDone: true } };
    case 'canceled':
      return { outcome: { kind: 'not_made' } };
    case 'requires_action':
      if (found.actionUrl === null) throw nonsense('a step for the customer without an address');
      // At least one: the response that asked for it may have been lost.
      return {
        outcome: { kind: 'action', url: found.actionUrl },
        state: { ...state, challenges: state.challenges ?? 1 },
      };
    case 'requires_payment_method':
      return { outcome: failure(found.lastError?.code ?? null, found.lastError?.declineCode ?? null) };
    default:
      throw nonsense('an unknown status of a payment');
  }
}

function readState(stored: AcquirerState | null): PaymentState {
  const { returnUrl, confirmationToken, challenges } = stored ?? {};
  if (typeof returnUrl !== 'string') throw new TypeError('the stored state of a payment at Stripe has no return URL');
  return {
    returnUrl,
    ...(typeof confirmationToken === 'string' ? { confirmationToken } : {}),
    ...(typeof challenges === 'number' ? { challenges } : {}),
  };
}
