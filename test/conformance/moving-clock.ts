// A clock that runs in real time and can be moved forward: nothing is due later than a test wants, and no two things that
// happen one after the other have the same time for long.

import { startOfTests } from '../support/fake-clock.ts';

export interface MovingClock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  advance(ms: number): void;
}

export function movingClock(): MovingClock {
  const startedAt = performance.now();
  let movedMs = 0;
  return {
    now: () => startOfTests + movedMs + Math.floor(performance.now() - startedAt),
    advance: (ms) => {
      movedMs += ms;
    },
  };
}
