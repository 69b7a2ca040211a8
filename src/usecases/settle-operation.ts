// Applies the acquirer's outcome of an operation to the payment, with its events, in one commit. Repeating it has no
// effect: an operation that has an outcome keeps it.

import type { Answer } from '../acquirers/acquirer.ts';
import type { ProviderRefund } from '../acquirers/provider.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import { isAnswered } from '../domain/idempotency.ts';
import type { Payment } from '../domain/life-cycle.ts';
import { afterAsking, type Operation, type OperationStatus } from '../domain/operation.ts';
import type { Refund } from '../domain/refund.ts';
import { StorageUnavailable } from '../storage/store.ts';
import {
  type AcquirerDeps,
  answerOrSilence,
  authoriseAt,
  isAwaited,
  noResponse,
  type OpenedOperation,
  readOperation,
  wasNotSent,
  withAnswer,
} from './ask-acquirer.ts';
import { type Decision, decideAndCommit, type Receipt } from './decide-and-commit.ts';
import { withMail } from './queue-mail.ts';
import { isAcceptedAfterAll, recordedRefund } from './record-refund.ts';
import { asPaidBy, returnedAfterAll } from './return-late-payment.ts';
import { settleFollowUp, settleRefundOperation } from './settle-follow-up.ts';
import { settleEndedPayment, settlePayment } from './settle-payment.ts';
import { type EarlySubscriptions, ifFresh, readEarly } from './subscriptions.ts';

export interface Settling {
  /** Stores the response to a request with an Idempotency-Key. */
  readonly receipt?: Receipt<Settled> | undefined;
  /**
   * An inquiry of the job, after which it waits longer for the next one. Other inquiries do not lengthen the wait.
   */
  readonly scheduled?: boolean;
  /** As committed or read before. If what is written has changed since, the commit conflicts, and they are read again. */
  readonly known?: OpenedOperation | undefined;
  /** The operation as the acquirer was asked about it. */
  readonly asked?: Operation | undefined;
  readonly earlySubscriptions?: EarlySubscriptions | undefined;
}

/** The payment after an operation, the refund if it was one, and the status of the operation. */
export interface Settled extends Payment {
  readonly refund: Refund | null;
  readonly operation: OperationStatus;
  /** Where the customer has to go on; null: nowhere. */
  readonly actionUrl: string | null;
}

/**
 * Authorises a committed payment operation, and commits the outcome. If the acquirer was not called, and nothing was begun
 * there, the customer need not wait for it.
 */
export async function authorise(deps: AcquirerDeps, known: OpenedOperation): Promise<Settled> {
  const { acquirerReference, history } = known.operation;
  const isBegun = acquirerReference !== null || history === null || history.length > 0;
  const ask = () =>
    authoriseAt(deps, known).catch((error: unknown): Answer => {
      if (isBegun || !wasNotSent(error)) throw error;
      return { outcome: { kind: 'not_made' } };
    });
  return askAndSettle(deps, known.operation, () => answerOrSilence(ask), { known });
}

/** `ask` resolves to null if the acquirer did not respond. */
export async function askAndSettle(
  deps: AcquirerDeps,
  asked: Operation,
  ask: () => Promise<Answer | null>,
  settling: Omit<Settling, 'asked' | 'earlySubscriptions'> = {},
): Promise<Settled> {
  const earlySubscriptions = readEarly(deps, asked);
  return settleOperation(deps, asked.id, await ask(), { ...settling, asked, earlySubscriptions });
}

/** `given`: null if the acquirer did not respond. Returns the payment as it is afterwards. */
export async function settleOperation(
  deps: AcquirerDeps,
  operationId: string,
  given: Answer | null,
  { receipt, scheduled = false, known, earlySubscriptions, asked = known?.operation }: Settling = {},
): Promise<Settled> {
  const { store, moment, declineLimits: limits, onDeclined, onKnown } = deps;
  const answer = given ?? noResponse;
  let before: Operation | null = null;

  async function decide(fromMemory?: OpenedOperation): Promise<Decision<Settled>> {
    const opened = fromMemory ?? (await readOperation(store, operationId));
    if (opened === null) throw new Error(`there is no operation ${operationId}`);
    const { refund, intent, session } = opened;
    before = opened.operation;
    const payment: Payment = { intent, session };
    if (before.status === 'succeeded' || before.status === 'failed') {
      const changes = await acceptedAfterAll(deps, opened, answer);
      return { changes, result: { ...payment, refund, operation: before.status, actionUrl: null } };
    }
    if (isOutdated(answer, before, asked)) {
      return { changes: {}, result: { ...payment, refund, operation: before.status, actionUrl: actionUrlOf(before) } };
    }
    const paidAt = opened.paymentOperation?.createdAt ?? null;
    const at = { moment: moment(), scheduled, limits, before, paidAt };
    const { outcome } = answer;
    const operation = afterAsking(
      withAnswer(before, answer),
      given === null ? 'silent' : isKnown(given),
      at.moment.now,
    );
    const decision =
      refund !== null
        ? settleRefundOperation(operation, { ...payment, refund }, outcome, at)
        : operation.kind !== 'payment'
          ? settleFollowUp(operation, payment, outcome, at)
          : isAwaited(operation, payment)
            ? settlePayment(operation, payment, outcome, at)
            : settleEndedPayment(operation, await asPaidBy(store, operation, payment, outcome), outcome, at);
    // What was read may be of different moments: every decision writes the operation, so that it conflicts then.
    const [decided = operation] = decision.changes.operations ?? [];
    const state = { operation: decided.status, actionUrl: actionUrlOf(decided) };
    const result: Settled = { refund: null, ...decision.result, ...state };
    return { changes: await withMail(deps, opened, decision.changes), result };
  }

  const settled = await decideAndCommit(store, async (round) => {
    // The commit of a payment link's payment recorded how it counts there, which what is in memory may not show.
    const isAsStored = round === 0 && known?.intent.paymentLinkId === null;
    const { changes, result } = await decide(isAsStored ? known : undefined);
    const response = receipt?.(result) ?? null;
    const stored = response && (await store.find('idempotencyRecords', response, response.key));
    // The outcome is committed even if another request with the key was answered first.
    const answeredBefore = stored !== null && (isAnswered(stored) || stored.fingerprint !== response?.fingerprint);
    const subscriptions = round === 0 ? ifFresh(earlySubscriptions, moment().now) : undefined;
    const decision = { changes, result: { settled: result, answeredBefore }, subscriptions };
    if (response === null || answeredBefore) return decision;
    const record = { ...response, version: stored?.version ?? 0 };
    return { ...decision, changes: { ...changes, idempotencyRecords: [record] } };
  });
  if ('refused' in settled) throw new StorageUnavailable(settled.message);
  if ('answeredBefore' in settled || settled.done.answeredBefore) throw new AnsweredMeanwhile();
  const { outcome } = answer;
  if (outcome.kind === 'declined' && outcome.decline.providerCode !== undefined) {
    onDeclined?.(operationId, outcome.decline);
  }
  const since = given !== null && isKnown(given) ? unknownSince(before) : null;
  if (since !== null) onKnown?.(settled.done.settled.intent.acquirer?.provider ?? 'sandbox', moment().now - since);
  return settled.done.settled;
}

const actionUrlOf = ({ status, actionUrl }: Operation): string | null =>
  status === 'action_needed' ? actionUrl : null;

/**
 * A process that stalls may send a request that another one sends too. If the other's was accepted, a refusal of this one
 * is not the outcome.
 */
function isOutdated({ outcome, reference }: Answer, stored: Operation, asked: Operation | undefined): boolean {
  const isAcceptedSince = asked?.acquirerReference === null && stored.acquirerReference !== null;
  const isRefusal = outcome.kind === 'declined' || outcome.kind === 'not_made';
  return isAcceptedSince && isRefusal && reference === undefined;
}

/** The same if the refusal was first: the acquirer takes or refunds the money, although the operation has failed. */
async function acceptedAfterAll(deps: AcquirerDeps, opened: OpenedOperation, answer: Answer): Promise<ChangeSet> {
  const { operation: failed } = opened;
  const { outcome, reference } = answer;
  const { id, kind, amount, paymentOperationId } = failed;
  if (kind === 'payment') return returnedAfterAll(deps.store, opened, answer, deps.moment());
  if (reference === undefined || paymentOperationId === null) return {};
  if (outcome.kind !== 'done' && outcome.kind !== 'pending') return {};
  const status = outcome.kind === 'done' ? 'succeeded' : 'pending';
  const refund: ProviderRefund = { reference, operation: id, amount, status };
  return isAcceptedAfterAll(failed, refund) ? recordedRefund(deps, paymentOperationId, refund) : {};
}

/** The acquirer knows what became of the operation, even if that is not final. */
function isKnown({ outcome }: Answer): boolean {
  return outcome.kind !== 'pending' || outcome.customerDone;
}

function unknownSince(operation: Operation | null): number | null {
  return operation?.status === 'pending' ? operation.unknownSince : null;
}

/** A request with the same idempotency key was answered first. */
export class AnsweredMeanwhile extends Error {
  override readonly name = 'AnsweredMeanwhile';
}
