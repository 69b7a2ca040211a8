// Card attempts are counted in the commit that starts them, so that however many arrive at once, no more than the
// limits allow reach the acquirer. If the attempts in progress use up a limit, the next one waits for them: they may
// all be good customers of one shop, behind one address.

import { type AttemptKeys, counterKeys, furtherAttemptsKey, mergedSlots, totalOf } from '../domain/attempt-counts.ts';
import {
  attemptsOf,
  type DeclineLimits,
  furtherAttemptsAllowed,
  hasCapacity,
  isAtLimit,
  type Limited,
  limitAttempts,
} from '../domain/decline-limits.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';

export interface CountingDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly declineLimits: DeclineLimits;
  readonly pause: (ms: number) => Promise<void>;
}

/** The result of a decision whose commit was refused because a counter is at its limit. */
export interface Full {
  readonly kind: 'full';
}
export const full: Full = { kind: 'full' };

/** Ten seconds in total. */
const waitMs = 200;
const maxWaits = 50;
/** The wait suggested to a customer for whom no capacity became free. */
export const retryAfterSeconds = 5;

async function attemptsBy({ store, moment, declineLimits }: CountingDeps, keys: AttemptKeys) {
  const counters = await store.attemptCounters(counterKeys(keys));
  return attemptsOf(keys, counters, moment().now - declineLimits.windowMs);
}

/** Null if an attempt is allowed as far as we know: the commit that starts it decides. `keys`: null unless it counts. */
export async function limitedBy(
  deps: CountingDeps,
  payment: Payment,
  keys: AttemptKeys | null,
): Promise<Limited | null> {
  const [further, attempts] = await Promise.all([
    furtherAttemptsOf(deps, payment),
    keys === null ? null : attemptsBy(deps, keys),
  ]);
  if (further >= furtherAttemptsAllowed(deps.declineLimits)) return { kind: 'too_many_attempts' };
  return attempts && limitAttempts(attempts, deps.declineLimits, deps.moment().now);
}

/** A first attempt needs no look-up. */
async function furtherAttemptsOf(
  { store, moment, declineLimits }: CountingDeps,
  { intent, session }: Payment,
): Promise<number> {
  if (intent.operationId === null) return 0;
  const [counter] = await store.attemptCounters([furtherAttemptsKey(session.id)]);
  return totalOf(mergedSlots(counter?.slots ?? {}, {}, moment().now - declineLimits.windowMs)).declined;
}

/** Tries to start an attempt until the ones in progress leave capacity for it. */
export async function whenCapacityAllows<T extends { readonly kind: string }>(
  deps: CountingDeps,
  keys: AttemptKeys | null,
  tryToStart: () => Promise<T | Full>,
): Promise<T | Limited> {
  let outcome = await tryToStart();
  for (let waits = 0; waits < maxWaits; waits++) {
    if (!isFull(outcome) || keys === null) break;
    await deps.pause(waitMs);
    const attempts = await attemptsBy(deps, keys);
    if (isAtLimit(attempts, deps.declineLimits)) return { kind: 'too_many_declines' };
    if (hasCapacity(attempts, deps.declineLimits)) outcome = await tryToStart();
  }
  return isFull(outcome) ? { kind: 'slow_down', seconds: retryAfterSeconds } : outcome;
}

function isFull<T extends { readonly kind: string }>(outcome: T | Full): outcome is Full {
  return outcome.kind === 'full';
}
