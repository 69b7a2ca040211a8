// How use cases call acquirers: with operations as they are stored, at the account that the operation was made with.

import {
  type AcquirerOperation,
  AcquirerSilent,
  type Answer,
  type Decline,
  type FollowUp,
} from '../acquirers/acquirer.ts';
import type { Acquirers } from '../acquirers/acquirers.ts';
import type { Payment } from '../domain/life-cycle.ts';
import { isForLatePayment, type Operation } from '../domain/operation.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import type { Refund } from '../domain/refund.ts';
import type { Store } from '../storage/store.ts';
import type { CountingDeps } from './count-attempt.ts';

export interface AcquirerDeps extends CountingDeps {
  readonly acquirers: Acquirers;
  /** Whether customers get receipts and refund notices by e-mail. */
  readonly sendsMail: boolean;
  /** Called for an operation that was committed and sent, but could not be settled: it is reconciled later. */
  readonly onUnsettled: (operationId: string, error: unknown) => void;
  /** Called with the provider's code, which says more than merchants are told. */
  readonly onDeclined?: (operationId: string, decline: Decline) => void;
  /** Called when the acquirer has told about an operation that it was silent about for this long. */
  readonly onKnown?: (provider: string, afterMs: number) => void;
}

/** A committed operation, with the records it refers to as of then. */
export interface OpenedOperation extends Payment {
  readonly operation: Operation;
  /** Captures, voids and refunds: the operation that authorised the payment; null if there is none. */
  readonly paymentOperation: Operation | null;
  readonly refund: Refund | null;
}

/** `known`: its payment, if that was just read. */
export async function readOperation(
  store: Store,
  operationId: string,
  known?: Payment,
): Promise<OpenedOperation | null> {
  const operation = await store.findBy('operations', 'id', operationId);
  const payment = operation && (known ?? (await store.find('paymentsByIntent', operation, operation.paymentIntentId)));
  if (operation === null || payment === null) return null;
  const refund = operation.refundId === null ? null : await store.find('refunds', operation, operation.refundId);
  const paymentOperation =
    operation.kind === 'payment' ? null : await authorisationOf(store, payment.intent, operation);
  return { intent: payment.intent, session: payment.session, operation, paymentOperation, refund };
}

/** The payment that a capture, void or refund is about. */
export async function authorisationOf(
  store: Store,
  { operationId }: PaymentIntent,
  followUp: Pick<Operation, 'paymentOperationId'> = { paymentOperationId: null },
): Promise<Operation | null> {
  const id = followUp.paymentOperationId ?? operationId;
  return id === null ? null : store.findBy('operations', 'id', id);
}

/** Whether the payment intent is waiting for the outcome of this payment operation. */
export function isAwaited(operation: Operation, { intent }: Payment): boolean {
  const awaits = intent.status === 'processing' || intent.status === 'requires_action';
  return awaits && intent.operationId === operation.id;
}

/** The outcome if the acquirer did not respond. */
export const noResponse: Answer = { outcome: { kind: 'pending', customerDone: false } };

/** Null if the acquirer did not respond. `unlessNotSent`: throws if it was not even called. */
export async function answerOrSilence(
  ask: () => Promise<Answer>,
  { unlessNotSent = false }: { readonly unlessNotSent?: boolean } = {},
): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AcquirerSilent && !(unlessNotSent && error.notSent)) return null;
    throw error;
  }
}

/** The acquirer was not called, because it is down or busy. */
export function wasNotSent(error: unknown): boolean {
  return error instanceof AcquirerSilent && error.notSent;
}

export async function authoriseAt({ acquirers }: AcquirerDeps, opened: OpenedOperation): Promise<Answer> {
  const acquirer = await acquirers.at(opened.operation);
  return acquirer.authorise(asAcquirerOperation(opened.operation, opened.intent));
}

export async function inquireAt({ acquirers }: AcquirerDeps, opened: OpenedOperation): Promise<Answer> {
  const acquirer = await acquirers.at(opened.operation);
  return acquirer.inquire(asSeenByAcquirer(opened));
}

export async function closeAt({ acquirers }: AcquirerDeps, opened: OpenedOperation): Promise<Answer> {
  const acquirer = await acquirers.at(opened.operation);
  return acquirer.close(asSeenByAcquirer(opened));
}

/** Sends a capture, void or refund. */
export async function followUpAt({ acquirers }: AcquirerDeps, opened: OpenedOperation): Promise<Answer> {
  const { kind } = opened.operation;
  const followUp = asSeenByAcquirer(opened);
  if (kind === 'payment' || !('kind' in followUp)) return noResponse;
  const acquirer = await acquirers.at(opened.operation);
  const answer = await acquirer[kind](followUp);
  if (kind !== 'void' || answer.outcome.kind !== 'declined') return answer;
  // If nothing is held any more, there is nothing to release. If it was captured, the refusal stands.
  const { outcome: held } = await acquirer.inquire(followUp.payment);
  return held.kind === 'declined' || held.kind === 'not_made' ? { ...answer, outcome: { kind: 'done' } } : answer;
}

/** Finds out about an operation in progress. `close`: its request is not on its way any more. */
export function findOutAt(deps: AcquirerDeps, opened: OpenedOperation, { close }: { close: boolean }): Promise<Answer> {
  const { operation } = opened;
  const isSent = operation.unknownSince !== null || operation.acquirerReference !== null;
  // Nobody else would send it.
  if (isForLatePayment(operation) && !isSent) return followUpAt(deps, opened);
  if (isForLatePayment(operation)) return sendAgainAt(deps, opened);
  if (!close) return inquireAt(deps, opened);
  // The merchant was told that the refund was created.
  return operation.kind === 'refund' ? sendAgainAt(deps, opened) : closeAt(deps, opened);
}

/** It is sent again only if it did not arrive: a provider may repeat its first error although the money has moved. */
async function sendAgainAt(deps: AcquirerDeps, opened: OpenedOperation): Promise<Answer> {
  const answer = await inquireAt(deps, opened);
  const isKnown = opened.operation.acquirerReference !== null || answer.reference !== undefined;
  return answer.outcome.kind === 'pending' && !isKnown ? followUpAt(deps, opened) : answer;
}

/** What the acquirer has told about an operation is stored with it. A search for it goes on soon. */
export function withAnswer(operation: Operation, { reference, state, outcome }: Answer): Operation {
  if (reference === undefined && state === undefined) return operation;
  const isSearching = outcome.kind === 'pending' && outcome.isSearching === true;
  return {
    ...operation,
    inquiries: isSearching ? 0 : operation.inquiries,
    acquirerReference: reference ?? operation.acquirerReference,
    acquirerState: state ?? operation.acquirerState,
  };
}

function asSeenByAcquirer({ operation, paymentOperation, intent }: OpenedOperation): AcquirerOperation | FollowUp {
  const { kind } = operation;
  if (kind === 'payment') return asAcquirerOperation(operation, intent);
  if (paymentOperation === null) throw new Error(`payment ${intent.id} has no authorisation`);
  return { ...asAcquirerOperation(operation, intent), kind, payment: asAcquirerOperation(paymentOperation, intent) };
}

function asAcquirerOperation(operation: Operation, { currency }: PaymentIntent): AcquirerOperation {
  const { id, amount, acquirerReference: reference, acquirerState: state, createdAt } = operation;
  return { id, amount, currency, reference, state, createdAt };
}
