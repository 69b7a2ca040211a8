// The one way that anything changes: read, decide purely, commit once. Who loses a race reads and decides again.

import type { ChangeSet } from '../domain/change-set.ts';
import { evenFractions, pauseBeforeRound } from '../domain/conflict-pauses.ts';
import { deliveriesFor } from '../domain/delivery.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import { inOrder } from '../domain/event.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import type { Store } from '../storage/store.ts';

export interface Decision<T> {
  readonly changes: ChangeSet;
  readonly result: T;
  /** The result where a counter is at its limit, and nothing was committed. */
  readonly atLimit?: T;
}

export type Outcome<T> = { readonly done: T } | Refusal | AnsweredBefore;

/** Another request with the same idempotency key was first; its answer is stored. */
export interface AnsweredBefore {
  readonly answeredBefore: true;
}

/** Makes the record that is committed with the change, so that a retry finds the answer. Null: there is none to keep. */
export type Receipt<T> = (result: T) => IdempotencyRecord | null;

const nextPart = evenFractions();

export async function decideAndCommit<T>(
  store: Store,
  decide: () => Promise<Decision<T> | Refusal>,
  receipt?: Receipt<T>,
): Promise<Outcome<T>> {
  for (let round = 0; ; round++) {
    const pauseMs = pauseBeforeRound(round, nextPart());
    if (pauseMs === null) break;
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const decision = await decide();
    if (isRefusal(decision)) return decision;
    const { result } = decision;
    const changes = await fannedOut(store, decision.changes);
    const record = receipt?.(result) ?? null;
    const outcome = await store.commit(record === null ? changes : { ...changes, idempotencyRecords: [record] });
    if (outcome.committed) return { done: result };
    if (outcome.conflict === 'idempotency_key') return { answeredBefore: true };
    if (outcome.conflict === 'limit' && decision.atLimit !== undefined) return { done: decision.atLimit };
  }
  return refuse('storage_unavailable', 'Too many requests are changing the same object. Try again in a moment.');
}

/**
 * Events are committed with their deliveries to the endpoints that subscribe to them now, beside those that the decision
 * asks for itself.
 */
async function fannedOut(store: Store, changes: ChangeSet): Promise<ChangeSet> {
  const [first] = changes.events ?? [];
  if (first === undefined || changes.events === undefined) return changes;
  const events = inOrder(changes.events);
  const deliveries = [...(changes.deliveries ?? []), ...deliveriesFor(events, await store.subscriptions(first))];
  return deliveries.length === 0 ? { ...changes, events } : { ...changes, events, deliveries };
}
