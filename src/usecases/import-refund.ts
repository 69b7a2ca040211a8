// Refunds that the provider knows of: ours are settled, and those that were made in its dashboard appear here too.

import type { ProviderRefund } from '../acquirers/provider.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import {
  importedRefundId,
  importReason,
  newOperation,
  type Operation,
  ofPayment,
  secondPaymentReason,
  withStep,
} from '../domain/operation.ts';
import { importedRefund, settleRefund } from '../domain/refund.ts';
import { type AcquirerDeps, type OpenedOperation, readOperation } from './ask-acquirer.ts';
import { decideAndCommitOrThrow } from './decide-and-commit.ts';
import { withMail } from './queue-mail.ts';
import { reconcileOperation } from './reconcile-operation.ts';

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
    const id = importedRefundId(payment.operation, refund.reference);
    const known = await readOperation(store, id);
    const changes = known === null ? created(deps, payment, id, refund) : settled(deps, known, refund);
    return withMail(deps, known ?? payment, changes);
  });
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
  { status }: ProviderRefund,
): ChangeSet {
  if (refund === null || status === 'pending') return {};
  const at = moment();
  const change = settleRefund(intent, refund, status, at);
  if (change === null) return {};
  const isCounted = operation.reason !== secondPaymentReason;
  return {
    operations: [withStep({ ...operation, status, dueAt: null }, { at: at.now, step: status })],
    refunds: [change.refund],
    ...(change.intent === intent || !isCounted ? {} : { paymentIntents: [change.intent] }),
    events: change.events,
  };
}
