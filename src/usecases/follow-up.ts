// Captures, voids and refunds go the same way: the operation is committed, the acquirer is asked, the outcome is
// committed. With an idempotency key, a retry goes on with the operation that the key began.

import { isRefusal, type Refusal } from '../domain/errors.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { type Operation, type OperationKind, operationIdForKey } from '../domain/operation.ts';
import type { Refund } from '../domain/refund.ts';
import { turns } from '../domain/turns.ts';
import type { MoneyOutcome } from '../processors/processor.ts';
import { type Decision, decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { keyReused, paymentIntentNotFound } from './refusals.ts';
import { type AcquirerDeps, AnsweredMeanwhile, askAndSettle, noAnswer, type Settled } from './settle-operation.ts';

export interface FollowUpRequest {
  readonly paymentIntentId: string;
  readonly kind: Exclude<OperationKind, 'payment'>;
  /** Opens the operation, or refuses. */
  readonly open: (payment: Payment, operationId: string, moment: Moment) => Decision<Begun> | Refusal;
  /** Holds the key of a request that has one; committed with the operation. */
  readonly reservation?: IdempotencyRecord | undefined;
  /** The refusal if the acquirer did not do it, or its outcome is unknown; by default, the result shows that. */
  readonly refusals?: { readonly undone: Refusal; readonly unknown: Refusal };
  /** Whether an operation of an earlier version, which has no fingerprint, is what this request asks for. */
  readonly asksFor: (begun: Operation) => boolean;
}

/** An operation that is committed, with what it is about as of then. */
export interface Begun extends Payment {
  readonly operation: Operation;
  readonly refund: Refund | null;
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
  const kept: typeof receipt = receipt && ((settled) => (refusal(settled) === null ? receipt(settled) : null));
  const answer = (settled: Settled): Outcome<Settled> => refusal(settled) ?? { done: settled };
  try {
    return answer(await askAndSettle(deps, operation.id, () => ask(deps, opened.done), { receipt: kept }));
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return { answeredBefore: true };
    // It is committed and will be reconciled, so it is answered by what is known of it.
    deps.onUnsettled(operation.id, error);
    return answer({ ...before, operation: operation.status });
  }
}

const inTurn = turns();

async function openOrFind(
  { store, moment }: AcquirerDeps,
  scope: Scope,
  { paymentIntentId, kind, open, reservation, asksFor }: FollowUpRequest,
): Promise<Outcome<Begun>> {
  const keyed = reservation === undefined ? null : operationIdForKey(scope, reservation.key);

  async function find(payment: Payment): Promise<Begun | Refusal | null> {
    const operation = keyed === null ? null : await store.findBy('operations', 'id', keyed);
    if (operation === null) return null;
    const { requestFingerprint } = operation;
    const same =
      requestFingerprint === null
        ? operation.kind === kind && operation.paymentIntentId === paymentIntentId && asksFor(operation)
        : requestFingerprint === reservation?.fingerprint;
    if (!same) return keyReused;
    const refund = operation.refundId === null ? null : await store.find('refunds', operation, operation.refundId);
    return { ...payment, operation, refund };
  }

  async function decide(): Promise<Decision<Begun> | Refusal> {
    const payment = await store.find('paymentsByIntent', scope, paymentIntentId);
    if (payment === null) return paymentIntentNotFound(paymentIntentId);
    const found = await find(payment);
    if (found !== null) return isRefusal(found) ? found : { changes: {}, result: found };
    const at = moment();
    const opened = open(payment, keyed ?? at.newId('op'), at);
    if (isRefusal(opened) || reservation === undefined) return opened;
    const operation = { ...opened.result.operation, requestFingerprint: reservation.fingerprint };
    return {
      changes: { ...opened.changes, operations: [operation], idempotencyRecords: [reservation] },
      result: { ...opened.result, operation },
    };
  }

  const opened = await inTurn(paymentIntentId, () => decideAndCommit(store, decide));
  if (!('answeredBefore' in opened)) return opened;
  // Whoever was first with the key may have begun this very operation.
  const payment = await store.find('paymentsByIntent', scope, paymentIntentId);
  const found = payment && (await find(payment));
  if (found === null) return opened;
  return isRefusal(found) ? found : { done: found };
}

async function ask({ processor }: AcquirerDeps, { operation, intent }: Begun): Promise<MoneyOutcome> {
  const { id, kind, status, livemode, amount } = operation;
  if (status !== 'pending' || kind === 'payment') return noAnswer;
  if (intent.operationId === null) throw new Error(`payment ${intent.id} has no authorisation`);
  const outcome = await processor[kind]({ reference: id, payment: intent.operationId, livemode, amount });
  if (kind !== 'void' || outcome.outcome !== 'declined') return outcome;
  // Where nothing is held any longer there is nothing to release. Where it was captured, the refusal stands.
  const held = await processor.inquire(intent.operationId, livemode);
  return held.outcome === 'declined' || held.outcome === 'not_made' ? { outcome: 'done' } : outcome;
}
