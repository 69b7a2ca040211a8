// Captures, voids and refunds go the same way: the operation is committed, the acquirer is asked, the outcome is
// committed. With an idempotency key, a retry goes on with the operation that the key began.

import { type Refusal, refuse } from '../domain/errors.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { type Operation, type OperationKind, operationIdForKey } from '../domain/operation.ts';
import {
  type AnsweredBefore,
  type Decision,
  decideAndCommit,
  type Outcome,
  type Receipt,
} from './decide-and-commit.ts';
import { paymentIntentNotFound } from './refusals.ts';
import { type AcquirerDeps, AnsweredMeanwhile, askAndSettle, type Settled } from './settle-operation.ts';

export interface FollowUpRequest {
  readonly paymentIntentId: string;
  readonly kind: Exclude<OperationKind, 'payment'>;
  /** Opens the operation, or refuses. */
  readonly open: (payment: Payment, operationId: string, moment: Moment) => Decision<Operation> | Refusal;
  readonly idempotencyKey?: string | undefined;
  /** What to answer when the acquirer did not do it; without, the result tells. */
  readonly undone?: Refusal;
  /** Whether an operation that the key began is what this request asks for. */
  readonly asksFor: (begun: Operation) => boolean;
}

export async function followUp(
  deps: AcquirerDeps,
  scope: Scope,
  request: FollowUpRequest,
  receipt?: Receipt<Settled>,
): Promise<Outcome<Settled>> {
  const opened = await openOrFind(deps, scope, request);
  if (!('done' in opened)) return opened;
  const operation = opened.done;
  const undone = (settled: Settled): Refusal | null =>
    settled.operation === 'failed' ? (request.undone ?? null) : null;
  const kept: typeof receipt = receipt && ((settled) => (undone(settled) === null ? receipt(settled) : null));
  try {
    const settled = await askAndSettle(deps, operation.id, () => ask(deps, operation, request.kind), kept);
    return undone(settled) ?? { done: settled };
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return { answeredBefore: true };
    throw error;
  }
}

async function openOrFind(
  { store, moment }: AcquirerDeps,
  scope: Scope,
  { paymentIntentId, kind, open, idempotencyKey, asksFor }: FollowUpRequest,
): Promise<{ done: Operation } | Refusal | AnsweredBefore> {
  const keyed = idempotencyKey === undefined ? null : operationIdForKey(scope, idempotencyKey);
  return decideAndCommit<Operation>(store, async () => {
    const payment = await store.paymentOfIntent(scope, paymentIntentId);
    if (payment === null) return paymentIntentNotFound(paymentIntentId);
    const begun = keyed === null ? null : await store.operation(keyed);
    if (begun !== null) {
      const same = begun.kind === kind && begun.paymentIntentId === paymentIntentId && asksFor(begun);
      return same ? { changes: {}, result: begun } : keyReused;
    }
    const at = moment();
    return open(payment, keyed ?? at.newId('op'), at);
  });
}

const keyReused = refuse(
  'idempotency_key_reused',
  'This Idempotency-Key was used for another request. Use a new key for each new request.',
);

async function ask({ store, processor }: AcquirerDeps, operation: Operation, kind: FollowUpRequest['kind']) {
  const payment = await store.paymentOfIntent(operation, operation.paymentIntentId);
  const authorisation = payment?.intent.operationId;
  if (authorisation == null) throw new Error(`payment ${operation.paymentIntentId} has no authorisation`);
  const { id: reference, livemode, amount } = operation;
  return processor[kind]({ reference, payment: authorisation, livemode, amount });
}
