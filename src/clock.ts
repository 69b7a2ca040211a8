// The service's clock. It never runs backward within a process, so scheduled work runs on time whatever happens to the
// system clock.
//
// It advances with the machine's monotonic time and follows a reference: the database server's clock if several
// processes share one, so that they all agree, otherwise the system clock. If the reference is ahead, the clock jumps
// to it. If it is behind, the clock runs slightly slower until they agree.

import type { Clock } from './domain/moment.ts';

export interface ServiceClock extends Clock {
  /** The time of the reference itself, which may step back: for values that others compare with their own clocks. */
  readonly wall: Clock;
  /** How far the system clock is ahead of the service's clock. */
  systemAheadMs(): number;
  stop(): void;
}

export interface TimeSources {
  /** The reference, in milliseconds since 1970; null: use the system clock. */
  readonly reference: () => Promise<number | null>;
  readonly system?: () => number;
  readonly monotonic?: () => number;
}

export interface ServiceClockOptions extends TimeSources {
  /**
   * Called when the difference between the system clock and the service's clock becomes too large, and when it is over.
   */
  readonly onDifference: (systemAheadMs: number, isTooMuch: boolean) => void;
  readonly compareEveryMs?: number;
}

/** A larger difference is reported. */
export const maxClockDifferenceMs = 2_000;
/** How much slower the clock runs while it is ahead of its reference: little enough not to distort delays. */
const slowdown = 0.1;

/** Starts with the reference's time; rejects if that cannot be read. */
export async function startServiceClock(options: ServiceClockOptions): Promise<ServiceClock> {
  const { onDifference, compareEveryMs = 5_000 } = options;
  const { reference, system = () => Date.now(), monotonic = () => performance.now() } = options;
  const first = await measured(reference, monotonic);
  const followsSystem = first === null;
  const steady = steadyClock(first === null ? system() : (first.earliest + first.latest) / 2, monotonic);
  const now = (): number => {
    if (followsSystem) {
      const time = system();
      // The system clock has a resolution of one millisecond.
      steady.follow(time, time + 0.99);
    }
    return steady.now();
  };
  const systemAheadMs = (): number => system() - now();

  let differs = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  function compare(): void {
    const aheadMs = systemAheadMs();
    const isTooMuch = Math.abs(aheadMs) > maxClockDifferenceMs;
    if (isTooMuch !== differs) onDifference(aheadMs, isTooMuch);
    differs = isTooMuch;
  }
  async function followReference(): Promise<void> {
    // If the reference cannot be read, continue without it: monotonic time stays accurate for long.
    const found = await measured(reference, monotonic).catch(() => null);
    if (found !== null) steady.follow(found.earliest, found.latest);
    if (stopped) return;
    compare();
    timer = setTimeout(followReference, compareEveryMs).unref();
  }
  compare();
  timer = setTimeout(followReference, compareEveryMs).unref();

  return {
    now,
    wall: followsSystem ? { now: system } : { now: () => Math.floor(steady.reference()) },
    systemAheadMs,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** The reference's time now: it read its clock at some point between the request and the response. */
async function measured(
  reference: TimeSources['reference'],
  monotonic: () => number,
): Promise<{ earliest: number; latest: number } | null> {
  const requestedAt = monotonic();
  const time = await reference();
  return time === null ? null : { earliest: time, latest: time + (monotonic() - requestedAt) };
}

export interface SteadyClock extends Clock {
  /** The best estimate of the reference's time now. */
  reference(): number;
  /** Reports that the reference's time is now between these two. */
  follow(earliest: number, latest: number): void;
}

export function steadyClock(start: number, monotonic: () => number): SteadyClock {
  let slowedAt = monotonic();
  /** Added to monotonic time, these give our time and the reference's, which is never the later one. */
  let offset = start - slowedAt;
  let target = offset;
  let last = Number.NEGATIVE_INFINITY;

  /** Returns the monotonic time. */
  function slowDown(): number {
    const at = monotonic();
    if (offset > target) offset = Math.max(target, offset - (at - slowedAt) * slowdown);
    slowedAt = at;
    return at;
  }
  return {
    now() {
      last = Math.max(last, Math.floor(slowDown() + offset));
      return last;
    },
    reference: () => monotonic() + target,
    follow(earliest, latest) {
      const at = slowDown();
      target = Math.min(Math.max(target, earliest - at), latest - at);
      offset = Math.max(offset, target);
    },
  };
}
