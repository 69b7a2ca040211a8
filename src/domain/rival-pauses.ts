// How soon someone who lost a race for a row tries again. Each round of a race has a winner, so rivals are not turned
// away after a few rounds; pauses that grow and differ keep hundreds of them from deciding anew for every winner.

/** Two rivals are nearly always through at once. */
const roundsAtOnce = 3;
const maxPauseMs = 64;
/** About 20 seconds of pauses: below what callers wait for an answer. */
const maxRounds = 640;

/** Milliseconds before that round, counted from 0; null: no more. `part`: of the longest pause, from 0 to 1. */
export function pauseBeforeRound(round: number, part: number): number | null {
  if (round < roundsAtOnce) return 0;
  return round < maxRounds ? part * Math.min(maxPauseMs, 2 ** (round - roundsAtOnce)) : null;
}

/** Parts that lie evenly between 0 and 1, however many are asked for: each next one falls into the largest gap. */
export function evenParts(): () => number {
  let last = 0;
  return () => {
    last = (last + 0.618034) % 1;
    return last;
  };
}
