// Protection against card testing: repeated declines slow a client down, then block it. attempt-counts.ts defines what
// counts.

import { type AttemptCounter, type AttemptKeys, mergedSlots, totalOf } from './attempt-counts.ts';

export interface DeclineLimits {
  /** Only declines within this window count. */
  readonly windowMs: number;
  /** Attempts by card are refused from this many declines on, and slowed down from half as many on. */
  readonly perSession: number;
  /** Counted for each merchant. */
  readonly perAddress: number;
  readonly perCard: number;
}

/** A test card that is always declined and never counts, for tests and `paydesk trigger`, which cause many declines. */
export const uncountedTestCard = '4000000000000341';

export interface Attempts {
  readonly declined: number;
  readonly underWay: number;
  /** Zero: never. */
  readonly lastDeclinedAt: number;
}

export type CounterKind = keyof AttemptKeys;

export type Limited =
  | { readonly kind: 'slow_down'; readonly seconds: number }
  /** By card; other methods are allowed. */
  | { readonly kind: 'too_many_declines' }
  /** By any method. */
  | { readonly kind: 'too_many_attempts' };

/**
 * How many attempts a session can have in a window after its first, by any method and however they end. Each is an
 * operation with its events and deliveries, and often a payment at the provider. More than customers need, and than the
 * declines that are allowed.
 */
export function furtherAttemptsAllowed({ perSession }: DeclineLimits): number {
  return Math.max(50, 5 * perSession);
}

/** The longest wait imposed on a customer. */
const maxWaitMs = 60_000;

/** Reads the stored counters; a missing one counts as zero. */
export function attemptsOf(
  keys: AttemptKeys,
  counters: readonly AttemptCounter[],
  since: number,
): Record<CounterKind, Attempts> {
  const of = (key: string | null): Attempts => {
    const counter = counters.find((candidate) => candidate.key === key);
    const { underWay, declined } = totalOf(mergedSlots(counter?.slots ?? {}, {}, since));
    return { underWay, declined, lastDeclinedAt: counter?.lastDeclinedAt ?? 0 };
  };
  return { session: of(keys.session), address: of(keys.address), card: of(keys.card) };
}

/** Null if another attempt by card is allowed. */
export function limitAttempts(
  attempts: Readonly<Record<CounterKind, Attempts>>,
  limits: DeclineLimits,
  now: number,
): Limited | null {
  if (isAtLimit(attempts, limits)) return { kind: 'too_many_declines' };
  const counts = withLimits(attempts, limits);
  const waitUntil = Math.max(
    ...counts.map(({ declined, lastDeclinedAt, limit }) => lastDeclinedAt + waitAfter(declined, limit)),
  );
  const waitMs = waitUntil - now;
  // A longer wait means that the time of the decline came from a clock that was ahead.
  return waitMs > 0 && waitMs <= maxWaitMs ? { kind: 'slow_down', seconds: Math.ceil(waitMs / 1000) } : null;
}

export function isAtLimit(attempts: Readonly<Record<CounterKind, Attempts>>, limits: DeclineLimits): boolean {
  return withLimits(attempts, limits).some(({ declined, limit }) => declined >= limit);
}

/** Whether one more attempt may start without exceeding the limits even if all those in progress are declined. */
export function hasCapacity(attempts: Readonly<Record<CounterKind, Attempts>>, limits: DeclineLimits): boolean {
  return withLimits(attempts, limits).every(({ underWay, declined, limit }) => underWay + declined < limit);
}

function withLimits({ session, address, card }: Readonly<Record<CounterKind, Attempts>>, limits: DeclineLimits) {
  return [
    { ...session, limit: limits.perSession },
    { ...address, limit: limits.perAddress },
    { ...card, limit: limits.perCard },
  ];
}

/** Doubles with each decline beyond half of the limit. */
function waitAfter(declined: number, limit: number): number {
  const past = declined - Math.ceil(limit / 2);
  return past < 0 ? 0 : Math.min(maxWaitMs, 1_000 * 2 ** past);
}
