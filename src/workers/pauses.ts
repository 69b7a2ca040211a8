// How long a supervisor waits before it replaces a worker that died: a worker that cannot start must not keep the
// machine busy, and one that dies once should be replaced immediately.

const firstPauseMs = 100;
const longestPauseMs = 30_000;
/** A worker that ran for this long did not die because of a failed start. */
const calmAfterMs = 60_000;

/** `earlier`: how many workers died in a row before this one, each soon after its start. */
export function deathsInARow(earlier: number, livedMs: number): number {
  return livedMs >= calmAfterMs ? 1 : earlier + 1;
}

export function pauseAfter(deaths: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (deaths - 1));
}
