// A clock that stands still until a test moves it.

export interface FakeClock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  set(ms: number): void;
  advance(ms: number): void;
  /** Moves only with `advance`: the system clock can be set back, but uptime cannot. */
  readonly steady: { now(): number };
}

export const startOfTests = Date.UTC(2026, 0, 15, 12, 30, 0, 250);

export function fakeClock(start: number = startOfTests): FakeClock {
  let current = start;
  let uptime = 0;
  return {
    now: () => current,
    set: (ms) => {
      current = ms;
    },
    advance: (ms) => {
      current += ms;
      uptime += ms;
    },
    steady: { now: () => uptime },
  };
}
