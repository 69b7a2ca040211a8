// Commits for tests.

import assert from 'node:assert/strict';
import type { ChangeSet, CommitOutcome } from '../../src/domain/change-set.ts';
import type { Payment } from '../../src/domain/life-cycle.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import type { Store } from '../../src/storage/store.ts';

export const committed: CommitOutcome = { committed: true };

export async function mustCommit(store: Store, changes: ChangeSet): Promise<void> {
  assert.deepEqual(await store.commit(changes), committed);
}

export function changesOf(...payments: readonly Payment[]): ChangeSet {
  return {
    paymentIntents: payments.map(({ intent }) => intent),
    checkoutSessions: payments.map(({ session }) => session),
  };
}

/** Commits a new payment and returns it as stored. */
export async function mustStore(store: Store, payment: Payment): Promise<Payment> {
  await mustCommit(store, changesOf(payment));
  return { intent: { ...payment.intent, version: 1 }, session: { ...payment.session, version: 1 } };
}

export function conflicts(outcomes: readonly CommitOutcome[]): string[] {
  return outcomes.flatMap((outcome) => (outcome.committed ? [] : [outcome.conflict]));
}

export async function mustFindPayment(store: Store, scope: Scope, sessionId: string): Promise<Payment> {
  const payment = await store.find('paymentsBySession', scope, sessionId);
  assert.ok(payment !== null);
  return payment;
}
