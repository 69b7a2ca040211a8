// Learns from an endpoint's responses how many concurrent attempts it can handle: congestion control, much like TCP's.
//
// The cap grows with every 2xx. While more concurrency does not make the endpoint slower, each 2xx adds one, so the cap
// doubles per response time; otherwise it grows by one per response time. It is halved when the endpoint becomes slow,
// and when it fails more than occasionally. Setbacks of attempts that were in flight together count once.
//
// An attempt that takes much longer than the endpoint's usual time is overdue. It does not count against the cap, so
// hanging attempts never use it up. Until the next response the endpoint is in doubt: one attempt at a time, each given
// twice as long as the previous one, so a dead endpoint soon gets one attempt per attempt timeout.

/** An attempt that takes longer occupies its slot long enough to delay others. */
export const slowMs = 500;
/** An attempt is overdue when it takes this many times the usual duration. */
const tolerance = 2;
/** The cap after the first response. Quick failures do not lower it any further: they delay nobody. */
const firstCap = 4;
/** Up to here, the cap of a quick endpoint grows even when it is not used, so that there is capacity for a burst. */
const unusedCap = 32;
/** The weight of one response in the moving averages. */
const durationWeight = 1 / 4;
const failureWeight = 1 / 8;
/** One failure in ten attempts, or two in a row, is not yet a reason to send less. */
const failingAbove = 1 / 4;
const neverFailsBelow = 1 / 16;
/** Half of the attempt timeout. An endpoint that slows down under load and takes longer may soon time out. */
const riskyMs = 5_000;
/** An endpoint becomes slow when most responses are, and quick again after about eight quick ones in a row. */
const slowAbove = 1 / 2;
const quickBelow = 1 / 8;
const maxDoublings = 10;

export interface Attempt {
  /** Counted per endpoint, from 1. */
  readonly number: number;
  /** Attempts in flight to the endpoint and not overdue when this one began, including itself. */
  readonly atOnce: number;
  overdue: boolean;
}

export interface AttemptResult {
  /** A 2xx. */
  readonly ok: boolean;
  readonly durationMs: number;
}

export interface Ending {
  readonly maxCap: number;
  /** Attempts in flight and not overdue when this one ended, including itself. */
  readonly atOnce: number;
}

export interface Congestion {
  cap: number;
  begun: number;
  /** The number of the latest attempt when the doubt last grew, and when the cap was last halved. */
  doubtedUpTo: number;
  halvedUpTo: number;
  /** The share of recent attempts that failed, from 0 to 1. */
  failedShare: number;
  /** Consecutive attempts that were overdue or failed late. */
  doubts: number;
  /** The smoothed response time; null: unknown. */
  usualMs: number | null;
  /** The same with few attempts in flight: a longer time may be caused by our own load. */
  unloadedMs: number;
  /** The share of recent responses that were slow, from 0 to 1. */
  slowShare: number;
  isSlow: boolean;
}

export function newCongestion(): Congestion {
  return {
    cap: firstCap,
    begun: 0,
    doubtedUpTo: 0,
    halvedUpTo: 0,
    failedShare: 0,
    doubts: 0,
    usualMs: null,
    unloadedMs: 0,
    slowShare: 0,
    isSlow: false,
  };
}

/** The number of attempts allowed in flight, not counting overdue ones. */
export function allowedInFlight({ usualMs, doubts, cap }: Congestion): number {
  return usualMs === null || doubts > 0 ? 1 : Math.floor(cap);
}

export function patienceMs({ usualMs, doubts }: Congestion): number {
  return Math.max(slowMs, tolerance * (usualMs ?? 0)) * 2 ** Math.min(doubts, maxDoublings);
}

export function begin(congestion: Congestion, atOnce: number): Attempt {
  congestion.begun += 1;
  return { number: congestion.begun, atOnce, overdue: false };
}

export function becameOverdue(congestion: Congestion, attempt: Attempt): void {
  attempt.overdue = true;
  doubt(congestion, attempt);
}

export function ended(congestion: Congestion, attempt: Attempt, result: AttemptResult, ending: Ending): void {
  const { ok, durationMs } = result;
  const quick = durationMs < slowMs;
  if (ok || quick) congestion.doubts = 0;
  // A failure says nothing about the response time, except that an unknown endpoint that fails quickly does not hang.
  if (ok || (quick && congestion.usualMs === null)) learn(congestion, attempt, durationMs);
  congestion.failedShare += ((ok ? 0 : 1) - congestion.failedShare) * failureWeight;
  if (ok) {
    grow(congestion, attempt, durationMs, ending);
  } else {
    if (!quick) doubt(congestion, attempt);
    if (congestion.failedShare > failingAbove) halve(congestion, attempt, quick ? firstCap : 1);
  }
}

function doubt(congestion: Congestion, { number }: Attempt): void {
  if (number <= congestion.doubtedUpTo) return;
  congestion.doubtedUpTo = congestion.begun;
  congestion.doubts += 1;
}

function halve(congestion: Congestion, { number }: Attempt, least: number): void {
  if (number <= congestion.halvedUpTo) return;
  congestion.halvedUpTo = congestion.begun;
  congestion.cap = Math.min(congestion.cap, Math.max(least, congestion.cap / 2));
}

function learn(congestion: Congestion, attempt: Attempt, durationMs: number): void {
  const slow = durationMs >= slowMs ? 1 : 0;
  if (congestion.usualMs === null) {
    Object.assign(congestion, { usualMs: durationMs, unloadedMs: durationMs, slowShare: slow, isSlow: slow === 1 });
    return;
  }
  congestion.usualMs += (durationMs - congestion.usualMs) * durationWeight;
  congestion.slowShare += (slow - congestion.slowShare) * durationWeight;
  if (attempt.atOnce <= Math.max(1, congestion.cap / 4))
    congestion.unloadedMs = (congestion.unloadedMs + durationMs) / 2;
  if (!congestion.isSlow && congestion.slowShare > slowAbove) {
    congestion.isSlow = true;
    halve(congestion, attempt, 1);
  }
  if (congestion.slowShare < quickBelow) congestion.isSlow = false;
}

function grow(congestion: Congestion, { atOnce }: Attempt, durationMs: number, ending: Ending): void {
  const { cap, unloadedMs, isSlow, failedShare } = congestion;
  // Attempts that begin together may be processed one after the other: the first responses say little, and are trusted
  // only if the endpoint does not fail.
  const used = (failedShare < neverFailsBelow ? Math.max(atOnce, ending.atOnce) : atOnce) > cap / 2;
  if (!used && (isSlow || cap >= unusedCap)) return;
  const noSlower = durationMs <= Math.max(slowMs, tolerance * unloadedMs);
  const by = noSlower ? 1 : 1 / (durationMs < riskyMs ? cap : 2 * cap);
  congestion.cap = Math.min(ending.maxCap, cap + by);
}
