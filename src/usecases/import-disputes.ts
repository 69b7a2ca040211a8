// Records the disputes that a provider reports, with their events. By the time a report is committed, another process may
// have committed a later one. A report that changes something is therefore read again after our own records were, and
// committed at the versions of those records: on a conflict, both are read again. So an older report never replaces a
// later one, and each change causes one event.

import type { ProviderDispute } from '../acquirers/provider.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import { type Dispute, disputeId, recordDispute } from '../domain/dispute.ts';
import type { Operation } from '../domain/operation.ts';
import type { AcquirerDeps } from './ask-acquirer.ts';
import { decideAndCommitOrThrow } from './decide-and-commit.ts';

export interface DisputedPayment {
  readonly operation: Operation;
  readonly provider: string;
  /** Asks the provider again. */
  readonly readAgain: () => Promise<readonly ProviderDispute[]>;
}

/** More disputes than any payment has. */
const maxDisputes = 1_000;

export async function importDisputes(
  { store, moment }: Pick<AcquirerDeps, 'store' | 'moment'>,
  { operation, provider, readAgain }: DisputedPayment,
  reported: readonly ProviderDispute[],
): Promise<void> {
  if (reported.length === 0) return;
  const { paymentIntentId } = operation;

  function changesOf(known: ReadonlyMap<string, Dispute>, disputes: readonly ProviderDispute[]): ChangeSet {
    const changes = disputes.flatMap(
      (one) => recordDispute(known.get(disputeId(operation, one)) ?? null, operation, provider, one, moment()) ?? [],
    );
    if (changes.length === 0) return {};
    return { disputes: changes.map(({ dispute }) => dispute), events: changes.flatMap(({ events }) => events) };
  }

  await decideAndCommitOrThrow(store, async () => {
    const intent = await store.find('paymentIntents', operation, paymentIntentId);
    if (intent === null) return {};
    const list = await store.list('disputes', { scope: operation, where: { paymentIntentId }, limit: maxDisputes });
    const known = new Map(list.map((dispute) => [dispute.id, dispute]));
    if (changesOf(known, reported).disputes === undefined) return {};
    const changes = changesOf(known, await readAgain());
    // Written so that the payment is not erased at the same moment because it looks undisputed.
    return changes.disputes === undefined ? {} : { ...changes, paymentIntents: [intent] };
  });
}
