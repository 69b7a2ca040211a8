// Indexes the words that a merchant's payments are found by, after the commits that store them: an index that is written
// with every payment would slow down each of them. A payment is indexed some seconds after its creation, and again with
// each event about it, because its card and reference are only known then.
//
// How far it has come is part of the same commit. Both positions are in one row, so that a payment which is indexed for the
// first time by one process while another passes over its event is never left half indexed: one of the two conflicts.

import { idBefore } from '../domain/ids.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import { indexedWords, type PaymentWord } from '../domain/payment-word.ts';
import { newRollUp, type RollUp } from '../domain/roll-up.ts';
import type { Store } from '../storage/store.ts';

/** Payments and events of one commit, if the caller does not want fewer: it takes about 5 ms on SQLite. */
const largestStep = 100;
/**
 * An id may become visible later than higher ones: for as long as a commit can take. Until then, a search examines the
 * payment itself.
 */
export const settledAfterMs = 20_000;

export interface IndexDeps {
  readonly store: Store;
  readonly now: () => number;
}

/** Returns whether there may be more. */
export async function indexPayments(
  { store, now }: IndexDeps,
  scope: Scope,
  step: number = largestStep,
): Promise<boolean> {
  const rollUp = (await store.find('rollUps', scope, 'search')) ?? newRollUp(scope, 'search');
  const indexed = indexedThrough(rollUp, now());
  // One after the other: a payment whose event is among these is passed over only together with the payment itself.
  const events = await store.list('positionedEvents', { scope, after: rollUp.position, limit: step });
  const created = await store.payments.oldest(scope, indexed, idBefore('pi', now() - settledAfterMs), step);
  // After the clock was set back, the new place is stored at once, because it would otherwise follow the clock.
  const isSetBack = indexed < rollUp.paymentIntentId;
  if (events.length === 0 && created.length === 0 && !isSetBack) return false;
  const changed = events
    .map(({ data }) => String(data.object === 'payment_intent' ? data.id : data.payment_intent))
    .filter((id) => id.startsWith('pi_') && id <= indexed);
  const ids = [...new Set([...created, ...changed])];
  const payments = await Promise.all(ids.map((id) => store.find('paymentsByIntent', scope, id)));
  const outcome = await store.commit({
    rollUps: [
      {
        ...rollUp,
        position: events.at(-1)?.position ?? rollUp.position,
        paymentIntentId: created.at(-1) ?? indexed,
      },
    ],
    paymentWords: inOrder(payments.flatMap((payment) => (payment === null ? [] : indexedWords(payment)))),
  });
  return !outcome.committed || events.length === step || created.length === step;
}

/**
 * The last payment that is indexed for certain. If the clock was ahead and has been set back, new payments have lower ids
 * than those that are indexed already.
 */
export function indexedThrough({ paymentIntentId }: RollUp, now: number): string {
  const settled = idBefore('pi', now - settledAfterMs);
  return paymentIntentId < settled ? paymentIntentId : settled;
}

/** In the order of the index, which writes neighbours together. */
function inOrder(words: readonly PaymentWord[]): PaymentWord[] {
  return words.toSorted((a, b) => a.period - b.period || a.word - b.word);
}

/** Removes the words that a payment is no longer found by, because its customer was erased. */
export async function eraseFromIndex(store: Store, before: Payment, after: Payment): Promise<void> {
  const kept = new Set(indexedWords(after).map(({ word }) => word));
  const words = indexedWords(before).filter(({ word }) => !kept.has(word));
  if (words.length > 0) await store.payments.eraseWords(words);
}
