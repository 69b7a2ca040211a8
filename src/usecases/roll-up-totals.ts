// Adds a merchant's new events to the totals of their half hours. How far it has come is part of the same commit, so that
// each event is counted once, whichever process counts it, and whenever one dies.

import type { PositionedEvent } from '../domain/event.ts';
import type { Scope } from '../domain/merchant.ts';
import { countedAt, deltaOf, halfHourOf, noTotals, type PaymentTotals, withDelta } from '../domain/payment-totals.ts';
import { newRollUp } from '../domain/roll-up.ts';
import type { Store } from '../storage/store.ts';

/** Events of one commit, if the caller does not want fewer: on SQLite, it blocks the process for about 3 ms. */
const largestStep = 200;

/** Returns whether there may be more. */
export async function rollUpTotals(
  { store }: { readonly store: Store },
  scope: Scope,
  step: number = largestStep,
): Promise<boolean> {
  const rollUp = (await store.find('rollUps', scope, 'totals')) ?? newRollUp(scope, 'totals');
  const events = await store.list('positionedEvents', { scope, after: rollUp.position, limit: step });
  const last = events.at(-1);
  if (last === undefined) return false;
  const totals = await addedUp(store, scope, events);
  const outcome = await store.commit({ rollUps: [{ ...rollUp, position: last.position }], paymentTotals: totals });
  // On a conflict, another process has counted them.
  return !outcome.committed || events.length === step;
}

async function addedUp(store: Store, scope: Scope, events: readonly PositionedEvent[]): Promise<PaymentTotals[]> {
  const captured = await capturedAmounts(store, scope, events);
  const totals = new Map<string, PaymentTotals>();
  for (const event of events) {
    const delta = deltaOf(event, captured.get(String(event.data.id)));
    if (delta === null) continue;
    const id = halfHourOf(countedAt(event));
    const before = totals.get(id) ?? (await store.find('paymentTotals', scope, id)) ?? noTotals(scope, id);
    totals.set(id, withDelta(before, delta));
  }
  return [...totals.values()];
}

/** A payment may have been captured in part. The events of one that has been erased still have its full amount. */
async function capturedAmounts(
  store: Store,
  scope: Scope,
  events: readonly PositionedEvent[],
): Promise<ReadonlyMap<string, number>> {
  const succeeded = events.filter(({ type }) => type === 'payment_intent.succeeded').map(({ data }) => String(data.id));
  const intents = await Promise.all(succeeded.map((id) => store.find('paymentIntents', scope, id)));
  return new Map(intents.flatMap((intent) => (intent === null ? [] : [[intent.id, intent.amountCaptured] as const])));
}
