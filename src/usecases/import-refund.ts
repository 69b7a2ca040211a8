// Refunds that the provider knows of: ours are settled, and those that were made in its dashboard appear here too.

import type { ProviderRefund } from '../acquirers/provider.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import {
  importedRefundId,
  importReason,
  isForLatePayment,
  newOperation,
  type Operation,
  ofPayment,
  secondPaymentReason,
  withStep,
} from '../domain/operation.ts';
import { importedRefund, settleRefund } from '../domain/refund.ts';
import type { Store } from '../storage/store.ts';
import { type AcquirerDeps, type OpenedOperation, readOperation } from './ask-acquirer.ts';
import { decideAndCommitOrThrow } from './decide-and-commit.ts';
import { withMail } from './queue-mail.ts';
import { reconcileOperation } from './reconcile-operation.ts';

/** More are not made for one payment, except in a day of refusals, whose last one is wanted. */
const recentOperations = 100;

export async function importRefund(deps: AcquirerDeps, paymentId: string, refund: ProviderRefund): Promise<void> {
  const { store } = deps;
  if (refund.operation !== null) {
    const ours = await store.findBy('operations', 'id', refund.operation);
    if (ours?.status === 'pending') await reconcileOperation(deps, ours.id, { scheduled: false });
    if (ours?.status === 'succeeded' && ours.paymentOperationId === paymentId) await settle(deps, ours.id, refund);
    if (ours !== null) return;
  }
  await decideAndCommitOrThrow(store, async () => {
    const payment = await readOperation(store, paymentId);
    if (payment === null) return {};
    const ours = await returningTheSame(store, payment.operation, refund);
    const id = ours?.id ?? importedRefundId(payment.operation, refund.reference);
    const known = await readOperation(store, id);
    const changes = known === null ? created(deps, payment, id, refund) : settled(deps, known, refund);
    return withMail(deps, known ?? payment, changes);
  });
}

/**
 * Our own refund of a payment that came too late, which the provider still refuses while the merchant makes it there.
 */
async function returningTheSame(
  store: Store,
  { merchantId, livemode, id, paymentIntentId }: Operation,
  { reference, amount, status }: ProviderRefund,
): Promise<Operation | undefined> {
  const page = { scope: { merchantId, livemode }, where: { paymentIntentId }, limit: recentOperations };
  const returning = (await store.list('operations', page)).filter(
    (one) => one.kind === 'refund' && isForLatePayment(one) && one.paymentOperationId === id && one.amount === amount,
  );
  const isUnanswered = (one: Operation): boolean => one.status === 'pending' && one.acquirerReference === null;
  const known = returning.find(({ acquirerReference }) => acquirerReference === reference);
  // That the merchant's attempt has failed says nothing about ours.
  return known ?? (status === 'failed' ? undefined : returning.find(isUnanswered));
}

async function settle(deps: AcquirerDeps, operationId: string, refund: ProviderRefund): Promise<void> {
  await decideAndCommitOrThrow(deps.store, async () => {
    const known = await readOperation(deps.store, operationId);
    return known === null ? {} : settled(deps, known, refund);
  });
}

function created(
  { moment }: AcquirerDeps,
  { operation: payment, intent, session }: OpenedOperation,
  id: string,
  { reference, amount, status }: ProviderRefund,
): ChangeSet {
  // Nothing was refunded, and nobody here has asked for it.
  if (status === 'failed') return {};
  const at = moment();
  const change = importedRefund(intent, { amount, status, reason: importReason }, at);
  const about = { paymentIntentId: intent.id, checkoutSessionId: session.id, amount, refundId: change.refund.id };
  const fields = { kind: 'refund', ...about, ...ofPayment(payment), reason: importReason } as const;
  const opened = newOperation(id, intent, { ...fields, acquirerReference: reference }, at);
  // While it is pending, it is inquired about by its reference: its notification may get lost.
  const operation: Operation =
    status === 'pending' ? opened : withStep({ ...opened, status, dueAt: null }, { at: at.now, step: status });
  return {
    operations: [operation],
    refunds: [change.refund],
    paymentIntents: [change.intent],
    events: change.events,
  };
}

function settled(
  { moment }: AcquirerDeps,
  { operation, intent, refund }: OpenedOperation,
  { reference, status }: ProviderRefund,
): ChangeSet {
  if (refund === null || status === 'pending') return {};
  const at = moment();
  const change = settleRefund(intent, refund, status, at);
  if (change === null) return {};
  const isCounted = operation.reason !== secondPaymentReason;
  const acquirerReference = operation.acquirerReference ?? reference;
  return {
    operations: [withStep({ ...operation, acquirerReference, status, dueAt: null }, { at: at.now, step: status })],
    refunds: [change.refund],
    ...(change.intent === intent || !isCounted ? {} : { paymentIntents: [change.intent] }),
    events: change.events,
  };
}
