// Whether an account is called at the moment. It is not while its provider does not respond (the circuit breaker), or has
// asked us to wait (429). Known to this process only; see ARCHITECTURE.md.
//
// One failure on its own is checked by a harmless call before the account counts as down: a broken connection must not
// make the next customer choose another method, and a silent provider must not cost each of them a deadline.

import type { Clock } from '../domain/moment.ts';
import { AcquirerSilent } from './acquirer.ts';
import { type Admitted, type BreakerRules, breakerRules, type CallResult, circuitBreaker } from './circuit-breaker.ts';
import { PermissionMissing } from './provider.ts';

export type Availability = 'available' | 'down';

/**
 * What a call says about the provider. `doubtful`: it failed, but payments may work, so that only the check decides.
 * `wait`: it asked for a pause of this many milliseconds.
 */
export type Lesson =
  | { readonly kind: 'worked' | 'inconclusive' }
  | { readonly kind: 'failed' | 'doubtful'; readonly reason: string }
  | { readonly kind: 'wait'; readonly ms: number };

/** Why a call was not made. */
export type TurnedAway = 'down' | 'rate_limited' | 'full';

export interface HealthDeps {
  /** For durations. */
  readonly clock: Clock;
  /** A harmless call to the provider, which throws if it does not work. */
  readonly check: () => Promise<unknown>;
  /** The longest wait of a patient call. */
  readonly patienceMs: number;
  readonly onChange: (now: Availability, reason: string) => void;
  readonly onTurnedAway: (why: TurnedAway) => void;
  readonly rules?: BreakerRules;
}

export interface AccountHealth {
  availability(): Availability;
  /**
   * Throws `AcquirerSilent` if the account is not called at the moment. A patient call waits for the verdict of a probe,
   * and for a short pause. Each admitted call must be learned from.
   */
  admit(options: { readonly patient: boolean }): Promise<Admitted>;
  learn(admitted: Admitted, lesson: Lesson): void;
  /** Tries whether the account works again, if it is time for that and calls were wanted lately. */
  probe(): void;
  /** Resolves when no check is in progress. */
  idle(): Promise<void>;
}

/** A provider may ask for any pause; after this one it is tried again. */
const maxPauseMs = 300_000;
/** Without any call for so long, nobody is waiting: the next call is the probe. */
const wantedForMs = 600_000;
/** After a failed check, real calls are tried first: payments may work although checks do not, or are too slow. */
const callsFirstMs = 2_000;

export function accountHealth(deps: HealthDeps): AccountHealth {
  const { clock, check, patienceMs, onChange, onTurnedAway, rules = breakerRules } = deps;
  const breaker = circuitBreaker(rules);
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let wantedAt = Number.NEGATIVE_INFINITY;
  let isDown = false;
  let verdict = Promise.withResolvers<void>();
  let checking: Promise<void> | null = null;
  let probesFrom = Number.NEGATIVE_INFINITY;

  function refuse(why: TurnedAway, message: string, retryAfterMs: number): AcquirerSilent {
    onTurnedAway(why);
    return new AcquirerSilent(message, { notSent: true, retryAfterMs });
  }

  function noteChange(reason: string): void {
    const isClosed = breaker.state(clock.now()) === 'closed';
    if (isClosed !== isDown) return;
    isDown = !isClosed;
    onChange(isDown ? 'down' : 'available', reason);
  }

  function learn(admitted: Admitted, lesson: Lesson): void {
    const now = clock.now();
    if (lesson.kind === 'wait') pausedUntil = Math.max(pausedUntil, now + Math.min(lesson.ms, maxPauseMs));
    breaker.report(admitted, resultOf(lesson), now);
    if (admitted === 'probe') {
      verdict.resolve();
      verdict = Promise.withResolvers();
    }
    const reason = 'reason' in lesson ? lesson.reason : null;
    noteChange(reason ?? 'it responds');
    if (reason !== null && breaker.state(now) === 'closed') verify(reason);
  }

  function verify(reason: string): void {
    checking ??= check()
      .then(
        () => {},
        (error: unknown) => {
          if (!isNotPermitted(error)) breaker.open(clock.now());
        },
      )
      .finally(() => {
        checking = null;
        noteChange(reason);
      });
  }

  return {
    learn,
    availability: () => (breaker.state(clock.now()) === 'open' || pausedUntil > clock.now() ? 'down' : 'available'),
    async admit({ patient }) {
      wantedAt = clock.now();
      const pauseMs = pausedUntil - wantedAt;
      if (pauseMs > 0 && patient && pauseMs <= patienceMs) await pause(pauseMs);
      const leftMs = pausedUntil - clock.now();
      if (leftMs > 0) throw refuse('rate_limited', 'The provider has asked us to wait.', leftMs);
      if (patient && breaker.isProbing()) await verdict.promise;
      const now = clock.now();
      const admission = breaker.admit(now);
      if (admission !== 'refused') return admission;
      throw refuse('down', 'The provider does not respond; it is tried again soon.', breaker.opensFor(now));
    },
    probe() {
      const now = clock.now();
      const isTime = breaker.state(now) === 'half_open' && Math.max(pausedUntil, probesFrom) <= now;
      const isWanted = now - wantedAt < wantedForMs;
      if (!isTime || !isWanted || checking !== null || breaker.admit(now) !== 'probe') return;
      checking = check()
        .then(
          () => learn('probe', { kind: 'worked' }),
          (error: unknown) => {
            learn('probe', isNotPermitted(error) ? { kind: 'inconclusive' } : lessonOf(error));
            const failedAt = clock.now();
            const pauseMs = isNotPermitted(error) ? rules.maxCoolDownMs : breaker.opensFor(failedAt) + callsFirstMs;
            probesFrom = failedAt + pauseMs;
          },
        )
        .finally(() => {
          checking = null;
        });
    },
    async idle() {
      await checking;
    },
  };
}

/** What the failure of a call says about the provider. */
export function lessonOf(error: unknown): Lesson {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof AcquirerSilent)) return { kind: 'failed', reason };
  if (error.notSent) return { kind: 'inconclusive' };
  if (error.isOnlyAboutThis) return { kind: 'worked' };
  return error.retryAfterMs === null ? { kind: 'failed', reason } : { kind: 'wait', ms: error.retryAfterMs };
}

/** A provider that asks us to wait responds. */
function resultOf({ kind }: Lesson): CallResult {
  if (kind === 'doubtful') return 'inconclusive';
  return kind === 'wait' ? 'worked' : kind;
}

/** A key may be allowed to pay, but not to check: only calls tell then. */
function isNotPermitted(error: unknown): boolean {
  return error instanceof PermissionMissing;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
