// Captures, voids and refunds follow the same steps: commit the operation, call the acquirer, commit the outcome. With
// an idempotency key, a retry continues the operation that the key started.

import { type ChangeSet, committed } from '../domain/change-set.ts';
import { isRefusal, type Refusal } from '../domain/errors.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { type Operation, type OperationKind, operationIdForKey } from '../domain/operation.ts';
import { turns } from '../domain/turns.ts';
import type { MoneyOutcome } from '../processors/processor.ts';
import { type Decision, decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { keyReused, paymentIntentNotFound } from './refusals.ts';
import {
  type AcquirerDeps,
  AnsweredMeanwhile,
  askAndSettle,
  noResponse,
  type OpenedOperation,
  type Settled,
} from './settle-operation.ts';

export interface FollowUpRequest {
  readonly paymentIntentId: string;
  readonly kind: Exclude<OperationKind, 'payment'>;
  /** Opens the operation, or refuses. */
  readonly open: (payment: Payment, operationId: string, moment: Moment) => Decision<OpenedOperation> | Refusal;
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
  const { operation, ...before } = opened.done;
  const refusal = (settled: Settled): Refusal | null => {
    if (settled.operation === 'failed') return request.refusals?.undone ?? null;
    return settled.operation === 'pending' ? (request.refusals?.unknown ?? null) : null;
  };
  const receiptIfDone: typeof receipt = receipt && ((settled) => (refusal(settled) === null ? receipt(settled) : null));
  const outcomeOf = (settled: Settled): Outcome<Settled> => refusal(settled) ?? { done: settled };
  try {
    return outcomeOf(
      await askAndSettle(deps, operation.id, () => callAcquirer(deps, opened.done), {
        receipt: receiptIfDone,
        known: opened.done,
      }),
    );
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return { answeredBefore: true };
    // The operation is committed and will be reconciled, so the response shows what is known so far.
    deps.onUnsettled(operation.id, error);
    return outcomeOf({ ...before, operation: operation.status });
  }
}

const inTurn = turns();

async function openOrFind(
  { store, moment }: AcquirerDeps,
  scope: Scope,
  { paymentIntentId, kind, open, reservation, matches }: FollowUpRequest,
): Promise<Outcome<OpenedOperation>> {
  const idForKey = reservation === undefined ? null : operationIdForKey(scope, reservation.key);

  async function find(payment: Payment): Promise<OpenedOperation | Refusal | null> {
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

  async function decide(): Promise<Decision<OpenedOperation> | Refusal> {
    const payment = await store.find('paymentsByIntent', scope, paymentIntentId);
    if (payment === null) return paymentIntentNotFound(paymentIntentId);
    const found = await find(payment);
    if (found !== null) return isRefusal(found) ? found : { changes: {}, result: found };
    const at = moment();
    const opened = open(payment, idForKey ?? at.newId('op'), at);
    if (isRefusal(opened)) return opened;
    const { changes, result } = opened;
    if (reservation === undefined) return { changes, result: afterCommit(changes, result) };
    const operation = { ...result.operation, requestFingerprint: reservation.fingerprint };
    return {
      changes: { ...changes, operations: [operation], idempotencyRecords: [reservation] },
      result: afterCommit(changes, { ...result, operation }),
    };
  }

  const opened = await inTurn(paymentIntentId, () => decideAndCommit(store, decide));
  if (!('answeredBefore' in opened)) return opened;
  // The first request with the key may have started this very operation.
  const payment = await store.find('paymentsByIntent', scope, paymentIntentId);
  const found = payment && (await find(payment));
  if (found === null) return opened;
  return isRefusal(found) ? found : { done: found };
}

function afterCommit(changes: ChangeSet, { intent, session, operation, refund }: OpenedOperation): OpenedOperation {
  const isWritten = (records: readonly { readonly id: string }[] = [], id: string): boolean =>
    records.some((record) => record.id === id);
  return {
    intent: isWritten(changes.paymentIntents, intent.id) ? committed(intent) : intent,
    session: isWritten(changes.checkoutSessions, session.id) ? committed(session) : session,
    operation: committed(operation),
    refund: refund !== null && isWritten(changes.refunds, refund.id) ? committed(refund) : refund,
  };
}

async function callAcquirer(
  { processor }: AcquirerDeps,
  { operation, intent }: OpenedOperation,
): Promise<MoneyOutcome> {
  const { id, kind, status, livemode, amount } = operation;
  if (status !== 'pending' || kind === 'payment') return noResponse;
  if (intent.operationId === null) throw new Error(`payment ${intent.id} has no authorisation`);
  const outcome = await processor[kind]({ reference: id, payment: intent.operationId, livemode, amount });
  if (kind !== 'void' || outcome.outcome !== 'declined') return outcome;
  // If nothing is held any more, there is nothing to release. If it was captured, the refusal stands.
  const held = await processor.inquire(intent.operationId, livemode);
  return held.outcome === 'declined' || held.outcome === 'not_made' ? { outcome: 'done' } : outcome;
}
