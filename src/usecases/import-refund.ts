// Refunds that the provider knows of: ours are settled, and those that were made in its dashboard appear here too.

import type { ProviderRefund } from '../acquirers/provider.ts';
import type { Operation } from '../domain/operation.ts';
import { type AcquirerDeps, readOperation } from './ask-acquirer.ts';
import { decideAndCommitOrThrow } from './decide-and-commit.ts';
import { reconcileOperation } from './reconcile-operation.ts';
import { isAcceptedAfterAll, recordedRefund, settledRefund } from './record-refund.ts';

export async function importRefund(deps: AcquirerDeps, paymentId: string, refund: ProviderRefund): Promise<void> {
  const { store } = deps;
  if (refund.operation !== null) {
    const ours = await store.findBy('operations', 'id', refund.operation);
    if (ours?.status === 'pending') await reconcileOperation(deps, ours.id, { scheduled: false });
    const isOfPayment = ours?.paymentOperationId === paymentId;
    if (ours?.status === 'succeeded' && isOfPayment) await settle(deps, ours.id, refund);
    if (ours !== null && !(isOfPayment && isAnother(ours, refund))) return;
  }
  await decideAndCommitOrThrow(store, () => recordedRefund(deps, paymentId, refund));
}

/** The provider has made it for an operation of ours that has failed, or that has taken over another refund meanwhile. */
function isAnother(ours: Operation, refund: ProviderRefund): boolean {
  const { acquirerReference } = ours;
  const isReferredTo = acquirerReference === null || acquirerReference === refund.reference;
  return !isReferredTo || isAcceptedAfterAll(ours, refund);
}

async function settle(deps: AcquirerDeps, operationId: string, refund: ProviderRefund): Promise<void> {
  await decideAndCommitOrThrow(deps.store, async () => {
    const known = await readOperation(deps.store, operationId);
    return known === null ? {} : settledRefund(deps, known, refund);
  });
}
