// How soon a commit that lost a race for a row is retried. Every round has a winner, so there is no reason to give up
// after a few rounds. Increasing and varying pauses keep hundreds of competing requests from all deciding again after
// each commit.

/** Two competing requests are nearly always done after these rounds without a pause. */
const roundsWithoutPause = 3;
const maxPauseMs = 64;
/** About 20 seconds of pauses: less than callers wait for a response. */
const maxRounds = 640;

/** Milliseconds to wait before a round, counted from 0; null: give up. `fraction` of the longest pause, from 0 to 1. */
export function pauseBeforeRound(round: number, fraction: number): number | null {
  if (round < roundsWithoutPause) return 0;
  return round < maxRounds ? fraction * Math.min(maxPauseMs, 2 ** (round - roundsWithoutPause)) : null;
}

/** Fractions spread evenly between 0 and 1, however many are requested: each falls into the largest gap so far. */
export function evenFractions(): () => number {
  let last = 0;
  return () => {
    last = (last + 0.618034) % 1;
    return last;
  };
}
