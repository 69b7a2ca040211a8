// Decides whether an account is called at all. After too many failures it is left alone for a while (open), then one call
// at a time tries whether it works again (half-open). Pure: time is passed in.

export interface BreakerRules {
  /** Only calls of this time count, and only the last of them. */
  readonly windowMs: number;
  readonly windowCalls: number;
  /** It opens if at least this many calls failed, and at least half of those that count. */
  readonly minFailures: number;
  /** How long it stays open; doubled each time that it opens again soon. */
  readonly coolDownMs: number;
  readonly maxCoolDownMs: number;
  /** After this time without opening, the next cool-down is short again. */
  readonly steadyMs: number;
}

export const breakerRules: BreakerRules = {
  windowMs: 30_000,
  windowCalls: 20,
  minFailures: 5,
  coolDownMs: 1_000,
  maxCoolDownMs: 60_000,
  steadyMs: 60_000,
};

/** `half_open`: the next call decides. */
export type BreakerState = 'closed' | 'open' | 'half_open';

/** `probe`: its result decides whether the breaker closes; until then, no other call is admitted. */
export type Admission = 'call' | 'probe' | 'refused';
export type Admitted = Exclude<Admission, 'refused'>;

/** `inconclusive`: the call says nothing about the provider. */
export type CallResult = 'worked' | 'failed' | 'inconclusive';

export interface CircuitBreaker {
  admit(now: number): Admission;
  /** Every admitted call must be reported. Returns the state afterwards. */
  report(admitted: Admitted, result: CallResult, now: number): BreakerState;
  /** Opens it without waiting for more failures. */
  open(now: number): void;
  state(now: number): BreakerState;
  isProbing(): boolean;
  /** Milliseconds until the next call may be tried; 0 if it may be now. */
  opensFor(now: number): number;
}

interface Counted {
  readonly at: number;
  readonly failed: boolean;
}

export function circuitBreaker(rules: BreakerRules = breakerRules): CircuitBreaker {
  let counted: readonly Counted[] = [];
  /** Null while closed. */
  let openUntil: number | null = null;
  let coolDownMs = rules.coolDownMs;
  let closedAt = Number.NEGATIVE_INFINITY;
  let isProbing = false;

  function open(now: number): void {
    const again = openUntil !== null || now - closedAt < rules.steadyMs;
    coolDownMs = again ? Math.min(coolDownMs * 2, rules.maxCoolDownMs) : rules.coolDownMs;
    openUntil = now + coolDownMs;
    counted = [];
  }

  function count(failed: boolean, now: number): void {
    const recent = counted.filter(({ at }) => now - at < rules.windowMs);
    counted = [...recent, { at: now, failed }].slice(-rules.windowCalls);
    const failures = counted.filter((one) => one.failed).length;
    if (failures >= rules.minFailures && failures * 2 >= counted.length) open(now);
  }

  function state(now: number): BreakerState {
    if (openUntil === null) return 'closed';
    return now < openUntil || isProbing ? 'open' : 'half_open';
  }

  return {
    state,
    isProbing: () => isProbing,
    opensFor: (now) => (openUntil === null ? 0 : Math.max(0, openUntil - now)),
    open(now) {
      if (openUntil === null) open(now);
    },
    admit(now) {
      const current = state(now);
      if (current !== 'half_open') return current === 'closed' ? 'call' : 'refused';
      isProbing = true;
      return 'probe';
    },
    report(admitted, result, now) {
      if (admitted === 'probe') {
        isProbing = false;
        if (result === 'failed') open(now);
        if (result === 'worked') {
          openUntil = null;
          closedAt = now;
        }
      } else if (openUntil === null && result !== 'inconclusive') {
        // Calls that began before it opened do not prolong it, and do not close it either: the probe decides.
        count(result === 'failed', now);
      }
      return state(now);
    },
  };
}
