// The only way to change anything: read, decide without side effects, commit once. If another commit was first, read
// and decide again.

import type { ChangeSet } from '../domain/change-set.ts';
import { evenFractions, pauseBeforeRound } from '../domain/conflict-pauses.ts';
import { deliveriesFor } from '../domain/delivery.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import { inOrder } from '../domain/event.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import type { Subscription } from '../domain/webhook-endpoint.ts';
import { StorageUnavailable, type Store } from '../storage/store.ts';
import { commitWithLink, paymentOfLink } from './count-link-uses.ts';
import { subscriptionsOf } from './subscriptions.ts';

export interface Decision<T> {
  readonly changes: ChangeSet;
  readonly result: T;
  /** The result if a counter is at its limit and nothing was committed. */
  readonly atLimit?: T;
  /** The result if the payment link has no use left and nothing was committed. */
  readonly usedUp?: T;
  /** Of the merchant, if they were read a moment ago. Otherwise they are read before the commit. */
  readonly subscriptions?: Promise<readonly Subscription[] | undefined> | undefined;
}

export type Outcome<T> = { readonly done: T } | Refusal | AnsweredBefore;

/** Another request with the same idempotency key was first; its response is stored. */
export interface AnsweredBefore {
  readonly answeredBefore: true;
}

/** Creates the record that is committed with the change, so that a retry finds the response. Null: nothing to store. */
export type Receipt<T> = (result: T) => IdempotencyRecord | null;

const nextFraction = evenFractions();

export async function decideAndCommit<T>(
  store: Store,
  /** `round`: 0 at first, then one more after each conflict. */
  decide: (round: number) => Promise<Decision<T> | Refusal>,
  receipt?: Receipt<T>,
): Promise<Outcome<T>> {
  for (let round = 0; ; round++) {
    const pauseMs = pauseBeforeRound(round, nextFraction());
    if (pauseMs === null) break;
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const decision = await decide(round);
    if (isRefusal(decision)) return decision;
    const { result } = decision;
    const changes = await fannedOut(store, decision);
    const record = receipt?.(result) ?? null;
    const complete = record === null ? changes : { ...changes, idempotencyRecords: [record] };
    const ofLink = paymentOfLink(complete);
    const outcome =
      ofLink === null
        ? await store.commit(complete)
        : await commitWithLink(store, complete, ofLink, {
            mayRefuse: decision.usedUp !== undefined,
            commit: (counted) => store.commit(counted),
          });
    if (outcome === 'used_up') return { done: decision.usedUp ?? result };
    if (outcome.committed) return { done: result };
    if (outcome.conflict === 'idempotency_key') return { answeredBefore: true };
    if (outcome.conflict === 'limit' && decision.atLimit !== undefined) return { done: decision.atLimit };
  }
  return refuse('storage_unavailable', 'Too many requests are changing the same object. Try again in a moment.');
}

/** For work that nobody waits for: throws if it could not be committed, so that it is done again. */
export async function decideAndCommitOrThrow(store: Store, decide: () => Promise<ChangeSet>): Promise<void> {
  const outcome = await decideAndCommit(store, async () => ({ changes: await decide(), result: null }));
  if (isRefusal(outcome)) throw new StorageUnavailable(outcome.message);
}

/**
 * Events are committed with deliveries to the endpoints that subscribe to them, as they were read at most a moment ago, in
 * addition to those that the decision requests itself.
 */
async function fannedOut(
  store: Store,
  { changes, subscriptions: known }: Pick<Decision<unknown>, 'changes' | 'subscriptions'>,
): Promise<ChangeSet> {
  const [first] = changes.events ?? [];
  if (first === undefined || changes.events === undefined) return changes;
  const events = inOrder(changes.events);
  const subscriptions = (await known) ?? (await subscriptionsOf(store, first));
  const deliveries = [...(changes.deliveries ?? []), ...deliveriesFor(events, subscriptions)];
  return deliveries.length === 0 ? { ...changes, events } : { ...changes, events, deliveries };
}
