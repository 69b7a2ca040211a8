// Card testing: whoever is declined again and again is slowed, then refused.

export interface DeclineLimits {
  /** Declines within this time count. */
  readonly windowMs: number;
  /** Refused from this many declines on; slowed from half of it on. */
  readonly perSession: number;
  readonly perAddress: number;
  readonly perCard: number;
}

export interface Declines {
  readonly count: number;
  /** Zero: none. */
  readonly lastAt: number;
}

export type Limited = { readonly kind: 'slow_down'; readonly seconds: number } | { readonly kind: 'too_many_attempts' };

/** The longest that one is made to wait. */
const maxWaitMs = 60_000;

/** Null when another attempt may be made. */
export function limitAttempts(
  declines: Readonly<Record<'session' | 'address' | 'card', Declines>>,
  limits: DeclineLimits,
  now: number,
): Limited | null {
  const sides = [
    { ...declines.session, limit: limits.perSession },
    { ...declines.address, limit: limits.perAddress },
    { ...declines.card, limit: limits.perCard },
  ];
  if (sides.some(({ count, limit }) => count >= limit)) return { kind: 'too_many_attempts' };
  const waitUntil = Math.max(...sides.map(({ count, lastAt, limit }) => lastAt + waitAfter(count, limit)));
  const waitMs = waitUntil - now;
  // More than the longest wait: the decline's time comes from a clock that was ahead.
  return waitMs > 0 && waitMs <= maxWaitMs ? { kind: 'slow_down', seconds: Math.ceil(waitMs / 1000) } : null;
}

/** Doubles with each decline past half of the limit. */
function waitAfter(count: number, limit: number): number {
  const past = count - Math.ceil(limit / 2);
  return past < 0 ? 0 : Math.min(maxWaitMs, 1_000 * 2 ** past);
}
