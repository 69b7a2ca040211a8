// Voids: the payment is canceled where Mollie allows that, otherwise the authorisation is released. A release is only
// accepted at first; the status of the payment shows when it is done. It has no id, so it has no reference.

import type { Answer, FollowUp } from '../acquirer.ts';
import { idempotencyKey, isPastArrival, mayRepeat } from './idempotency.ts';
import { type MollieContext, readPayment } from './payments.ts';
import { type MolliePayment, parsePayment, senseless } from './resources.ts';

const done: Answer = { outcome: { kind: 'done' } };
const pending: Answer = { outcome: { kind: 'pending', customerDone: true } };
const declined = (providerCode: string): Answer => ({
  outcome: { kind: 'declined', decline: { code: 'processing_error', providerCode } },
});

export async function makeVoid(context: MollieContext, operation: FollowUp): Promise<Answer> {
  const { api } = context;
  const payment = await held(context, operation);
  if (payment.status !== 'authorized') return outcomeOf(payment);
  if (isAccepted(operation) || !mayRepeat(operation, context.now())) return undecided(context, operation);
  if (payment.isCancelable) {
    const answer = await api.delete(`/payments/${payment.id}`);
    if (answer.kind === 'ok') return outcomeOf(parsePayment(answer.body));
  }
  const answer = await api.post(`/payments/${payment.id}/release-authorization`, idempotencyKey(operation.id), {});
  if (answer.kind === 'not_found') throw senseless('release');
  const now = await held(context, operation);
  if (now.status !== 'authorized') return outcomeOf(now);
  return answer.kind === 'refused' ? declined(answer.code) : { ...pending, state: { accepted: true } };
}

export async function inquireVoid(context: MollieContext, operation: FollowUp): Promise<Answer> {
  const payment = await held(context, operation);
  return payment.status === 'authorized' ? undecided(context, operation) : outcomeOf(payment);
}

function undecided({ now }: MollieContext, operation: FollowUp): Answer {
  const isOver = !isAccepted(operation) && isPastArrival(operation, now());
  return isOver ? { outcome: { kind: 'not_made' } } : pending;
}

function isAccepted({ state }: FollowUp): boolean {
  return state?.accepted === true;
}

function outcomeOf({ status }: MolliePayment): Answer {
  if (status === 'canceled' || status === 'expired' || status === 'failed') return done;
  // Also if only a part was captured: the payment is not canceled, although Mollie has released the rest.
  if (status === 'paid') return declined('already_captured');
  return status === 'authorized' ? pending : declined('not_authorized');
}

async function held({ api }: MollieContext, { id, payment }: FollowUp): Promise<MolliePayment> {
  if (payment.reference === null) throw new Error(`${id} follows a payment without a reference`);
  return readPayment(api, payment.reference);
}
