// Captures and refunds at Mollie: parts of a payment, each with an id and a status of its own.
//
// Mollie cannot be told to refuse a request that may still arrive. An unknown outcome is therefore ended by repeating
// the request under its key, which carries it out exactly once.

import type { Answer, FollowUp, MoneyOutcome } from '../acquirer.ts';
import { mollieAmount } from './amounts.ts';
import type { Json } from './api.ts';
import { idempotencyKey, isPastArrival, mayRepeat } from './idempotency.ts';
import { findPart } from './look-up.ts';
import type { MollieContext } from './payments.ts';
import { isObject, type MolliePart, parsePart, senseless, textIn } from './resources.ts';

export type PartOperation = FollowUp & { readonly kind: 'capture' | 'refund' };

export async function makePart(context: MollieContext, operation: PartOperation): Promise<Answer> {
  if (operation.reference !== null || !mayRepeat(operation, context.now())) return inquirePart(context, operation);
  const answer = await context.api.post(pathOf(operation), idempotencyKey(operation.id), requestOf(operation));
  if (answer.kind === 'refused') {
    return { outcome: { kind: 'declined', decline: { code: 'processing_error', providerCode: answer.code } } };
  }
  if (answer.kind === 'not_found') throw senseless(operation.kind);
  return answerOf(operation, parsePart(answer.body, operation.kind, operation.currency));
}

export async function inquirePart(context: MollieContext, operation: PartOperation): Promise<Answer> {
  const found = await find(context, operation);
  if (found !== null) return answerOf(operation, found);
  const isOver = isPastArrival(operation, context.now());
  return { outcome: isOver ? { kind: 'not_made' } : { kind: 'pending', customerDone: true } };
}

export async function closePart(context: MollieContext, operation: PartOperation): Promise<Answer> {
  const known = await inquirePart(context, operation);
  const isMissing = operation.reference === null && known.reference === undefined;
  return isMissing && mayRepeat(operation, context.now()) ? makePart(context, operation) : known;
}

async function find({ api }: MollieContext, operation: PartOperation): Promise<MolliePart | null> {
  if (operation.reference === null) return findPart(api, pathOf(operation), operation);
  const answer = await api.get(`${pathOf(operation)}/${operation.reference}`);
  if (answer.kind !== 'ok') throw senseless(operation.kind);
  return parsePart(answer.body, operation.kind, operation.currency);
}

function answerOf(operation: PartOperation, part: MolliePart): Answer {
  if (part.operation !== operation.id || part.amount !== operation.amount) throw senseless(operation.kind);
  return { outcome: operation.kind === 'capture' ? captureOutcome(part) : refundOutcome(part), reference: part.id };
}

function captureOutcome({ status }: MolliePart): MoneyOutcome {
  if (status === 'succeeded') return { kind: 'done' };
  if (status === 'pending') return { kind: 'pending', customerDone: true };
  if (status === 'failed') return failed('capture_failed');
  throw senseless('capture');
}

function refundOutcome({ status }: MolliePart): MoneyOutcome {
  switch (refundStatus(status)) {
    case 'succeeded':
      return { kind: 'done' };
    case 'pending':
      return { kind: 'pending', customerDone: true };
    case 'failed':
      return failed(`refund_${status}`);
  }
}

/** `queued`: Mollie waits until the merchant's balance suffices. */
export function refundStatus(status: string): 'pending' | 'succeeded' | 'failed' {
  if (status === 'refunded') return 'succeeded';
  if (status === 'queued' || status === 'pending' || status === 'processing') return 'pending';
  if (status === 'failed' || status === 'canceled') return 'failed';
  throw senseless('refund');
}

function failed(providerCode: string): MoneyOutcome {
  return { kind: 'declined', decline: { code: 'processing_error', providerCode } };
}

function pathOf({ id, kind, payment }: PartOperation): string {
  if (payment.reference === null) throw new Error(`${id} follows a payment without a reference`);
  return `/payments/${payment.reference}/${kind}s`;
}

function requestOf({ id, kind, amount, currency, payment }: PartOperation): Json {
  // What the customer saw when they paid.
  const description = isObject(payment.state) ? textIn(payment.state.create, 'description') : null;
  return {
    amount: mollieAmount(amount, currency),
    ...(kind === 'refund' && description !== null ? { description } : {}),
    metadata: { operation: id },
  };
}
