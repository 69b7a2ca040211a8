// Captures, voids and refunds follow the same steps: commit the operation, call the acquirer, commit the outcome. With
// an idempotency key, a retry continues the operation that the key started.

import type { Answer } from '../acquirers/acquirer.ts';
import { type ChangeSet, committed } from '../domain/change-set.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { type Operation, type OperationKind, operationIdForKey } from '../domain/operation.ts';
import { turns } from '../domain/turns.ts';
import {
  type AcquirerDeps,
  answerOrSilence,
  authorisationOf,
  followUpAt,
  noResponse,
  type OpenedOperation,
} from './ask-acquirer.ts';
import { type Decision, decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { importAfterFailure } from './import-capture.ts';
import { keyReused, paymentIntentNotFound } from './refusals.ts';
import { AnsweredMeanwhile, askAndSettle, type Settled } from './settle-operation.ts';
import { ifFresh, readEarly } from './subscriptions.ts';

/** A payment, and the operation that authorised it, if there is one. */
export interface Authorised extends Payment {
  readonly paymentOperation: Operation | null;
}

export interface FollowUpRequest {
  readonly paymentIntentId: string;
  readonly kind: Exclude<OperationKind, 'payment'>;
  /** The part of the payment that was asked for, by which parameter; undefined: all that is left. */
  readonly part?: { readonly amount: number | undefined; readonly param: string };
  /** Opens the operation, or refuses. */
  readonly open: (payment: Authorised, operationId: string, moment: Moment) => Decision<OpenedOperation> | Refusal;
  /** Reserves the idempotency key, if there is one; committed with the operation. */
  readonly reservation?: IdempotencyRecord | undefined;
  /** Returned if the acquirer did not carry it out, or its outcome is unknown; without these, the result shows that. */
  readonly refusals?: { readonly undone: Refusal; readonly unknown: Refusal };
  /** Whether an operation of an earlier version, which has no fingerprint, matches this request. */
  readonly matches: (operation: Operation) => boolean;
}

export async function followUp(
  deps: AcquirerDeps,
  scope: Scope,
  request: FollowUpRequest,
  receipt?: Receipt<Settled>,
): Promise<Outcome<Settled>> {
  const opened = await openOrFind(deps, scope, request);
  if (!('done' in opened)) return opened;
  const { operation, paymentOperation, ...before } = opened.done;
  const refusal = (settled: Settled): Refusal | null => {
    if (settled.operation === 'failed') return request.refusals?.undone ?? null;
    return settled.operation === 'pending' ? (request.refusals?.unknown ?? null) : null;
  };
  const receiptIfDone: typeof receipt = receipt && ((settled) => (refusal(settled) === null ? receipt(settled) : null));
  const outcomeOf = (settled: Settled): Outcome<Settled> => refusal(settled) ?? { done: settled };
  try {
    const settled = await askAndSettle(deps, operation, () => answerOrSilence(() => send(deps, opened.done)), {
      receipt: receiptIfDone,
      // The outcome of another request may have been committed after the payment was read: then both are read again.
      known: operation.status === 'pending' ? opened.done : undefined,
    });
    await importAfterFailure(deps, opened.done, settled);
    return outcomeOf(settled);
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return { answeredBefore: true };
    // The operation is committed and will be reconciled, so the response shows what is known so far.
    deps.onUnsettled(operation.id, error);
    return outcomeOf({ ...before, operation: operation.status, actionUrl: null });
  }
}

const inTurn = turns();

async function openOrFind(
  deps: AcquirerDeps,
  scope: Scope,
  { paymentIntentId, kind, open, reservation, matches, part }: FollowUpRequest,
): Promise<Outcome<OpenedOperation>> {
  const { store, moment, acquirers } = deps;
  const idForKey = reservation === undefined ? null : operationIdForKey(scope, reservation.key);

  async function find(payment: Authorised): Promise<OpenedOperation | Refusal | null> {
    const operation = idForKey === null ? null : await store.findBy('operations', 'id', idForKey);
    if (operation === null) return null;
    const { requestFingerprint } = operation;
    const same =
      requestFingerprint === null
        ? operation.kind === kind && operation.paymentIntentId === paymentIntentId && matches(operation)
        : requestFingerprint === reservation?.fingerprint;
    if (!same) return keyReused;
    const refund = operation.refundId === null ? null : await store.find('refunds', operation, operation.refundId);
    return { ...payment, operation, refund };
  }

  async function findPayment(): Promise<Authorised | null> {
    const payment = await store.find('paymentsByIntent', scope, paymentIntentId);
    return payment && { ...payment, paymentOperation: await authorisationOf(store, payment.intent) };
  }

  /** Amounts are never rounded. */
  async function refusePart({ intent: { acquirer, currency } }: Authorised): Promise<Refusal | null> {
    if (part?.amount === undefined || acquirer === null) return null;
    const refusal = await acquirers.refusePart(acquirer.provider, currency, part.amount);
    return refusal && refuse(refusal.code, refusal.message, part.param);
  }

  async function decide(): Promise<Decision<OpenedOperation> | Refusal> {
    const early = readEarly(deps, scope);
    const payment = await findPayment();
    if (payment === null) return paymentIntentNotFound(paymentIntentId);
    const found = await find(payment);
    if (found !== null) return isRefusal(found) ? found : { changes: {}, result: found };
    const inexpressible = await refusePart(payment);
    if (inexpressible !== null) return inexpressible;
    const at = moment();
    const opened = open(payment, idForKey ?? at.newId('op'), at);
    if (isRefusal(opened)) return opened;
    const { changes, result } = opened;
    const subscriptions = ifFresh(early, at.now);
    if (reservation === undefined) return { changes, result: afterCommit(changes, result), subscriptions };
    const operation = { ...result.operation, requestFingerprint: reservation.fingerprint };
    return {
      changes: { ...changes, operations: [operation], idempotencyRecords: [reservation] },
      result: afterCommit(changes, { ...result, operation }),
      subscriptions,
    };
  }

  const opened = await inTurn(paymentIntentId, () => decideAndCommit(store, decide));
  if (!('answeredBefore' in opened)) return opened;
  // The first request with the key may have started this very operation.
  const payment = await findPayment();
  const found = payment && (await find(payment));
  if (found === null) return opened;
  return isRefusal(found) ? found : { done: found };
}

function afterCommit(changes: ChangeSet, opened: OpenedOperation): OpenedOperation {
  const { intent, session, operation, paymentOperation, refund } = opened;
  const isWritten = (records: readonly { readonly id: string }[] = [], id: string): boolean =>
    records.some((record) => record.id === id);
  return {
    intent: isWritten(changes.paymentIntents, intent.id) ? committed(intent) : intent,
    session: isWritten(changes.checkoutSessions, session.id) ? committed(session) : session,
    operation: committed(operation),
    paymentOperation,
    refund: refund !== null && isWritten(changes.refunds, refund.id) ? committed(refund) : refund,
  };
}

/** What has its outcome is not sent again. */
async function send(deps: AcquirerDeps, opened: OpenedOperation): Promise<Answer> {
  return opened.operation.status === 'pending' ? followUpAt(deps, opened) : noResponse;
}
