// Card testing: whoever is declined again and again is slowed, then refused. What counts is in attempt-counts.ts.

import { type AttemptCounter, type AttemptKeys, mergedSlots, totalOf } from './attempt-counts.ts';

export interface DeclineLimits {
  /** Declines within this time count. */
  readonly windowMs: number;
  /** Refused from this many declines on; slowed from half of it on. */
  readonly perSession: number;
  /** Of one merchant's customers. */
  readonly perAddress: number;
  readonly perCard: number;
}

/** A test card that is declined and never counts: for tests, and for `paydesk trigger`, that decline a lot. */
export const uncountedTestCard = '4000000000000341';

export interface Attempts {
  readonly declined: number;
  readonly underWay: number;
  /** Zero: none. */
  readonly lastDeclinedAt: number;
}

export type Side = keyof AttemptKeys;

export type Limited = { readonly kind: 'slow_down'; readonly seconds: number } | { readonly kind: 'too_many_attempts' };

/** The longest that one is made to wait. */
const maxWaitMs = 60_000;

/** Of counters as they are stored, those that there are. */
export function attemptsOf(
  keys: AttemptKeys,
  counters: readonly AttemptCounter[],
  since: number,
): Record<Side, Attempts> {
  const of = (key: string | null): Attempts => {
    const counter = counters.find((candidate) => candidate.key === key);
    const { underWay, declined } = totalOf(mergedSlots(counter?.slots ?? {}, {}, since));
    return { underWay, declined, lastDeclinedAt: counter?.lastDeclinedAt ?? 0 };
  };
  return { session: of(keys.session), address: of(keys.address), card: of(keys.card) };
}

/** Null when another attempt may be made. */
export function limitAttempts(
  attempts: Readonly<Record<Side, Attempts>>,
  limits: DeclineLimits,
  now: number,
): Limited | null {
  if (isAtLimit(attempts, limits)) return { kind: 'too_many_attempts' };
  const sides = sidesOf(attempts, limits);
  const waitUntil = Math.max(
    ...sides.map(({ declined, lastDeclinedAt, limit }) => lastDeclinedAt + waitAfter(declined, limit)),
  );
  const waitMs = waitUntil - now;
  // More than the longest wait: the decline's time comes from a clock that was ahead.
  return waitMs > 0 && waitMs <= maxWaitMs ? { kind: 'slow_down', seconds: Math.ceil(waitMs / 1000) } : null;
}

export function isAtLimit(attempts: Readonly<Record<Side, Attempts>>, limits: DeclineLimits): boolean {
  return sidesOf(attempts, limits).some(({ declined, limit }) => declined >= limit);
}

/** Whether one more can be under way: should all of them be declined, the limits hold. */
export function hasRoom(attempts: Readonly<Record<Side, Attempts>>, limits: DeclineLimits): boolean {
  return sidesOf(attempts, limits).every(({ underWay, declined, limit }) => underWay + declined < limit);
}

function sidesOf({ session, address, card }: Readonly<Record<Side, Attempts>>, limits: DeclineLimits) {
  return [
    { ...session, limit: limits.perSession },
    { ...address, limit: limits.perAddress },
    { ...card, limit: limits.perCard },
  ];
}

/** Doubles with each decline past half of the limit. */
function waitAfter(declined: number, limit: number): number {
  const past = declined - Math.ceil(limit / 2);
  return past < 0 ? 0 : Math.min(maxWaitMs, 1_000 * 2 ** past);
}
