// Captures, voids and refunds. An unknown outcome is resolved by looking: a capture or void shows in the payment, a refund
// in its metadata. What is not there is repeated under its own key while Stripe keeps keys, so that it cannot happen twice;
// afterwards no request of ours is under way any more, and what is not there was not made. Looking comes first because
// Stripe keeps a 500 under the key too, and would return it again although the money has moved.

import type Stripe from 'stripe';
import { AcquirerSilent, type Answer, type FollowUp, type MoneyOutcome } from '../acquirer.ts';
import { stripeUnits } from './amounts.ts';
import type { Refusal, StripeClient } from './client.ts';
import { declineOf, refusedRequest } from './declines.ts';
import { listRefunds } from './lists.ts';
import { nonsense, operationKey, readPayment, readRefund, type StripePayment, type StripeRefund } from './objects.ts';
import { keysAreKeptForMs, matching, paymentIn, referenceOf, retrievePayment } from './payments.ts';

export interface StripeFollowUps {
  send(followUp: FollowUp): Promise<Answer>;
  inquire(followUp: FollowUp): Promise<Answer>;
  /** One that is under way cannot be stopped: it is carried out, once. */
  close(followUp: FollowUp): Promise<Answer>;
}

export function stripeFollowUps(client: StripeClient, now: () => number): StripeFollowUps {
  const mayRepeat = ({ createdAt }: FollowUp): boolean => now() - createdAt < keysAreKeptForMs;

  async function send(followUp: FollowUp): Promise<Answer> {
    if (followUp.reference !== null || !mayRepeat(followUp)) return inquire(followUp);
    return followUp.kind === 'refund' ? sendRefund(followUp) : sendToPayment(followUp, followUp.kind);
  }

  async function inquire(followUp: FollowUp): Promise<Answer> {
    const found = await lookUp(followUp);
    if (found !== null) return found;
    return { outcome: mayRepeat(followUp) ? { kind: 'pending', customerDone: true } : { kind: 'not_made' } };
  }

  async function close(followUp: FollowUp): Promise<Answer> {
    return (await lookUp(followUp)) ?? send(followUp);
  }

  async function lookUp(followUp: FollowUp): Promise<Answer | null> {
    if (followUp.kind === 'refund')
      return followUp.reference === null ? findRefund(followUp) : retrieveRefund(followUp, followUp.reference);
    const outcome = effectOn(await retrieve(followUp), followUp);
    return outcome === null ? null : { outcome };
  }

  async function sendToPayment(followUp: FollowUp, kind: 'capture' | 'void'): Promise<Answer> {
    const path = `payment_intents/${encodeURIComponent(referenceOf(followUp.payment))}`;
    const capture: Stripe.PaymentIntentCaptureParams = { amount_to_capture: stripeUnits(followUp) };
    const cancel: Stripe.PaymentIntentCancelParams = { cancellation_reason: 'requested_by_customer' };
    const reply =
      kind === 'capture'
        ? await client.post(`${path}/capture`, capture, `${followUp.id}-capture`)
        : await client.post(`${path}/cancel`, cancel, `${followUp.id}-void`);
    if (reply.ok) {
      const outcome = effectOn(matching(readPayment(reply.body), followUp.payment), followUp);
      if (outcome === null) throw nonsense(`a ${kind} without an effect`);
      return { outcome };
    }
    // What was wanted may have happened already, in the dashboard for example.
    return (await lookUp(followUp)) ?? { outcome: refusal(reply.error) };
  }

  async function retrieve({ payment }: FollowUp): Promise<StripePayment> {
    const reference = referenceOf(payment);
    return matching(paymentIn(await retrievePayment(client, reference), reference), payment);
  }

  async function sendRefund(refund: FollowUp): Promise<Answer> {
    const fields: Stripe.RefundCreateParams = {
      payment_intent: referenceOf(refund.payment),
      amount: stripeUnits(refund),
      metadata: { [operationKey]: refund.id },
    };
    const reply = await client.post('refunds', fields, `${refund.id}-refund`);
    if (reply.ok) return refundAnswer(readRefund(reply.body), refund);
    return (await findRefund(refund)) ?? { outcome: refusal(reply.error) };
  }

  async function findRefund(refund: FollowUp): Promise<Answer | null> {
    const refunds = await listRefunds(client, referenceOf(refund.payment));
    const ours = refunds.find(({ operation }) => operation === refund.id);
    return ours === undefined ? null : refundAnswer(ours, refund);
  }

  async function retrieveRefund(refund: FollowUp, reference: string): Promise<Answer> {
    const reply = await client.get(`refunds/${encodeURIComponent(reference)}`);
    if (reply.ok) return refundAnswer(readRefund(reply.body), refund);
    throw new AcquirerSilent(`Stripe does not return ${reference} (${reply.error.code ?? reply.error.type}).`, {
      isOnlyAboutThis: true,
    });
  }

  return { send, inquire, close };
}

/** Null: the payment is as before. A PaymentIntent is captured once. */
function effectOn(found: StripePayment, { kind, amount }: FollowUp): MoneyOutcome | null {
  if (found.status === 'processing') return { kind: 'pending', customerDone: true };
  if (kind === 'void') return found.status === 'canceled' ? { kind: 'done' } : null;
  return found.status === 'succeeded' && found.amountReceived === amount ? { kind: 'done' } : null;
}

function refusal(error: Refusal): MoneyOutcome {
  if (error.type === 'idempotency_error')
    throw new AcquirerSilent('Stripe has seen this key with other parameters.', { isOnlyAboutThis: true });
  const isCard = error.type === 'card_error';
  return { kind: 'declined', decline: isCard ? declineOf(error.code, error.declineCode) : refusedRequest(error) };
}

function refundAnswer(found: StripeRefund, refund: FollowUp): Answer {
  if (found.amount !== refund.amount) throw nonsense('another amount of a refund');
  return { outcome: refundOutcome(found), reference: found.id };
}

function refundOutcome({ status, failureReason }: StripeRefund): MoneyOutcome {
  switch (refundStatus(status)) {
    case 'succeeded':
      return { kind: 'done' };
    case 'pending':
      return { kind: 'pending', customerDone: true };
    case 'failed':
      return { kind: 'declined', decline: { code: 'generic_decline', providerCode: failureReason ?? status } };
  }
}

export function refundStatus(status: string): 'pending' | 'succeeded' | 'failed' {
  if (status === 'succeeded') return 'succeeded';
  if (status === 'pending' || status === 'requires_action') return 'pending';
  if (status === 'failed' || status === 'canceled') return 'failed';
  throw nonsense('an unknown status of a refund');
}
