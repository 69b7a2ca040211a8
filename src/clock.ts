// The time that the service goes by. It never runs backward while the process lives, so what waits for a time comes in
// time whatever happens to the system's clock.
//
// It runs by the machine's monotonic time and follows a reference: the database server's clock where several processes
// share one, so that they all agree, otherwise the system's. A reference that is ahead is followed at once. One that is
// behind is met by running a little slower.

import type { Clock } from './domain/moment.ts';

export interface ServiceClock extends Clock {
  /** The time of the reference itself, which may step back: for what others compare with clocks of their own. */
  readonly wall: Clock;
  /** How far the system's clock is ahead of the time that the service goes by. */
  systemAheadMs(): number;
  stop(): void;
}

export interface TimeSources {
  /** The reference, in milliseconds since 1970; null: it is the system's clock. */
  readonly reference: () => Promise<number | null>;
  readonly system?: () => number;
  readonly monotonic?: () => number;
}

export interface ServiceClockOptions extends TimeSources {
  /** Told when the system's clock begins to differ from the service's time by more than it should, and when that is over. */
  readonly onDifference: (systemAheadMs: number, isTooMuch: boolean) => void;
  readonly compareEveryMs?: number;
}

/** Beyond this, people should know. */
export const maxClockDifferenceMs = 2_000;
/** How much slower it runs while it is ahead of its reference: little enough for delays to stay what they are. */
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
      // It tells whole milliseconds.
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
  async function followOn(): Promise<void> {
    // A reference that cannot be read is done without: monotonic time is good for long.
    const found = await measured(reference, monotonic).catch(() => null);
    if (found !== null) steady.follow(found.earliest, found.latest);
    if (stopped) return;
    compare();
    timer = setTimeout(followOn, compareEveryMs).unref();
  }
  compare();
  timer = setTimeout(followOn, compareEveryMs).unref();

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

/** What the reference shows now: it read its clock at some time between the question and the answer. */
async function measured(
  reference: TimeSources['reference'],
  monotonic: () => number,
): Promise<{ earliest: number; latest: number } | null> {
  const askedAt = monotonic();
  const time = await reference();
  return time === null ? null : { earliest: time, latest: time + (monotonic() - askedAt) };
}

export interface SteadyClock extends Clock {
  /** The reference's time now, as near as it is known. */
  reference(): number;
  /** Tells what the reference shows now: a time between these two. */
  follow(earliest: number, latest: number): void;
}

export function steadyClock(start: number, monotonic: () => number): SteadyClock {
  let slowedAt = monotonic();
  /** What is to be added to monotonic time for our time, and for the reference's, which is never the later one. */
  let offset = start - slowedAt;
  let target = offset;
  let last = Number.NEGATIVE_INFINITY;

  /** Answers the monotonic time. */
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
