// Records a refund that the provider has made for one of our payments: as the one of ours that returns the payment, if there
// is one to be made, and otherwise as one of its own.

import type { ProviderRefund } from '../acquirers/provider.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import {
  importedRefundId,
  importReason,
  isForLatePayment,
  latePaymentReason,
  newOperation,
  type Operation,
  ofPayment,
  secondPaymentReason,
  withStep,
} from '../domain/operation.ts';
import { importedRefund, settleRefund } from '../domain/refund.ts';
import type { Store } from '../storage/store.ts';
import { type AcquirerDeps, type OpenedOperation, readOperation } from './ask-acquirer.ts';
import { withMail } from './queue-mail.ts';

/** Enough for any payment. Retries of a refused refund may add more; only the newest matter. */
const recentOperations = 100;

export async function recordedRefund(
  deps: AcquirerDeps,
  paymentId: string,
  refund: ProviderRefund,
): Promise<ChangeSet> {
  const { store } = deps;
  const payment = await readOperation(store, paymentId);
  if (payment === null) return {};
  const id = importedRefundId(payment.operation, refund.reference);
  const imported = await readOperation(store, id);
  if (imported !== null) return withMail(deps, imported, settledRefund(deps, imported, refund));
  const ours = await returning(store, payment.operation);
  const pending = ours.find(({ status, acquirerReference: own }) => status === 'pending' && own === null);
  const same = ours.find(({ acquirerReference }) => acquirerReference === refund.reference) ?? sameAs(pending, refund);
  const known = same === undefined ? null : await readOperation(store, same.id);
  if (known !== null) return withMail(deps, known, settledRefund(deps, known, refund));
  const isSecond = ours.some(({ reason }) => reason === secondPaymentReason);
  const refused = pending === undefined ? null : await readOperation(store, pending.id);
  return withMail(deps, payment, created(deps, payment, { id, refund, isSecond, refused }));
}

/**
 * Our refund has failed without a reference, because its request was refused or lost. The provider has accepted another
 * request of it all the same, from a process that had stalled for example.
 */
export function isAcceptedAfterAll({ kind, status, acquirerReference }: Operation, reported: ProviderRefund): boolean {
  return kind === 'refund' && status === 'failed' && acquirerReference === null && reported.status !== 'failed';
}

/** Our own refunds of a payment that came too late, newest first. The provider may refuse them for a while. */
async function returning(
  store: Store,
  { merchantId, livemode, id, paymentIntentId }: Operation,
): Promise<readonly Operation[]> {
  const page = { scope: { merchantId, livemode }, where: { paymentIntentId }, limit: recentOperations };
  return (await store.list('operations', page)).filter(
    (one) => one.kind === 'refund' && isForLatePayment(one) && one.paymentOperationId === id,
  );
}

/** The merchant has made our refund at the provider. That an attempt failed there says nothing about ours. */
function sameAs(ours: Operation | undefined, { amount, status }: ProviderRefund): Operation | undefined {
  return status !== 'failed' && ours?.amount === amount ? ours : undefined;
}

interface Import {
  readonly id: string;
  readonly refund: ProviderRefund;
  /** Of a payment that was paid in another way, whose amounts are not those of the payment intent. */
  readonly isSecond: boolean;
  /** Our refund of the whole payment, which the provider will not make any more. */
  readonly refused: OpenedOperation | null;
}

function created(deps: AcquirerDeps, payment: OpenedOperation, { id, refund, isSecond, refused }: Import): ChangeSet {
  const { reference, amount, status } = refund;
  // Nothing was refunded, and nobody here has asked for it.
  if (status === 'failed') return {};
  // Ours is the one that is inquired about, until the other one has succeeded.
  if (status === 'pending' && (isSecond || refused !== null)) return {};
  const released = refused === null ? {} : settledRefund(deps, refused, { reference: null, status: 'failed' });
  const [intent = payment.intent] = released.paymentIntents ?? [];
  // More than was captured: a refund that was made twice, or goodwill. Our books have no place for it.
  if (!isSecond && amount > intent.amountCaptured - intent.amountRefunded) return {};
  const at = deps.moment();
  const change = importedRefund(intent, { amount, status, reason: isSecond ? latePaymentReason : importReason }, at);
  const about = { paymentIntentId: intent.id, checkoutSessionId: payment.session.id, amount };
  const reason = isSecond ? secondPaymentReason : importReason;
  const fields = {
    kind: 'refund',
    ...about,
    refundId: change.refund.id,
    ...ofPayment(payment.operation),
    reason,
  } as const;
  const opened = newOperation(id, intent, { ...fields, acquirerReference: reference }, at);
  // While it is pending, it is inquired about by its reference: its notification may get lost.
  const operation: Operation =
    status === 'pending' ? opened : withStep({ ...opened, status, dueAt: null }, { at: at.now, step: status });
  return {
    operations: [...(released.operations ?? []), operation],
    refunds: [...(released.refunds ?? []), change.refund],
    ...(isSecond ? {} : { paymentIntents: [change.intent] }),
    events: [...(released.events ?? []), ...change.events],
  };
}

export function settledRefund(
  { moment }: AcquirerDeps,
  { operation, intent, refund }: OpenedOperation,
  { reference, status }: { readonly reference: string | null; readonly status: ProviderRefund['status'] },
): ChangeSet {
  if (refund === null) return {};
  const acquirerReference = operation.acquirerReference ?? reference;
  if (status === 'pending')
    return acquirerReference === operation.acquirerReference
      ? {}
      : { operations: [{ ...operation, acquirerReference }] };
  const at = moment();
  const change = settleRefund(intent, refund, status, at);
  if (change === null) return {};
  const isCounted = operation.reason !== secondPaymentReason;
  return {
    operations: [withStep({ ...operation, acquirerReference, status, dueAt: null }, { at: at.now, step: status })],
    refunds: [change.refund],
    ...(change.intent === intent || !isCounted ? {} : { paymentIntents: [change.intent] }),
    events: change.events,
  };
}
