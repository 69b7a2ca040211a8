// How many attempts one endpoint can take at once, learned from its answers: congestion control, much as TCP does it.
//
// The cap grows with every 2xx: by one while more at once makes the endpoint no slower, so that it doubles in the time
// of an answer; and by one in the time of an answer where it does. It is halved when the endpoint turns slow, and when
// it fails more than now and then. Setbacks of attempts that were under way together count once.
//
// An attempt that takes much longer than the endpoint's usual is overdue. It does not count against the cap, so those
// that hang never take it all. Until the next answer there is doubt: one attempt at a time, each given twice as long
// as the one before, so an endpoint that is dead is soon asked once in the time that an attempt may take.

/** An attempt that takes longer holds its slot long enough to get in the way of others. */
export const slowMs = 500;
/** An attempt may take this many times the usual duration before it is overdue. */
const tolerance = 2;
/** The cap after the first answer. Quick failures do not lower it any further: they get in nobody's way. */
const firstCap = 4;
/** Up to here, the cap of a quick endpoint grows even when it is not used, so that a burst finds room. */
const unusedCap = 32;
/** The weight of one answer in the moving averages. */
const durationWeight = 1 / 4;
const failureWeight = 1 / 8;
/** One failure in ten attempts, or two in a row, is not yet a reason to send less. */
const failingAbove = 1 / 4;
const neverFailsBelow = 1 / 16;
/** Half of what an attempt may take. An endpoint that slows down under load and takes longer may soon time out. */
const riskyMs = 5_000;
/** An endpoint turns slow when most answers are, and quick again after about eight quick ones in a row. */
const slowAbove = 1 / 2;
const quickBelow = 1 / 8;
const maxDoublings = 10;

export interface Attempt {
  /** Counted for each endpoint, from 1. */
  readonly number: number;
  /** In flight to the endpoint and not overdue as this one began, itself included. */
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
  /** In flight and not overdue as the attempt ended, itself included. */
  readonly atOnce: number;
}

export interface Congestion {
  cap: number;
  begun: number;
  /** Attempts up to this number had begun when the doubt last grew, and when the cap was last halved. */
  doubtedUpTo: number;
  halvedUpTo: number;
  /** Of recent attempts, from 0 to 1. */
  failedShare: number;
  /** Attempts in a row that were overdue, or failed late. */
  doubts: number;
  /** How long an answer takes, smoothed; null: nothing is known. */
  usualMs: number | null;
  /** The same with few attempts in flight: what is longer may be our own doing. */
  unloadedMs: number;
  /** Of recent answers, from 0 to 1. */
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

/** Those that are not overdue. */
export function mayBeInFlight({ usualMs, doubts, cap }: Congestion): number {
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
  // What failed does not tell how long an answer takes, except that an endpoint which nothing is known of does not hang.
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
  // Attempts that begin together may be answered one after the other: the first of them say little, and are believed
  // only of an endpoint that does not fail.
  const used = (failedShare < neverFailsBelow ? Math.max(atOnce, ending.atOnce) : atOnce) > cap / 2;
  if (!used && (isSlow || cap >= unusedCap)) return;
  const noSlower = durationMs <= Math.max(slowMs, tolerance * unloadedMs);
  const by = noSlower ? 1 : 1 / (durationMs < riskyMs ? cap : 2 * cap);
  congestion.cap = Math.min(ending.maxCap, cap + by);
}
