// Measures waiting in tests without the machine's speed: on a busy machine, ticks come late, and each counts as one.

const tickMs = 20;

/** Returns how long it has been, in milliseconds. Time in which this process could not run does not count. */
export function startStopwatch(): () => number {
  let passedMs = 0;
  setInterval(() => {
    passedMs += tickMs;
  }, tickMs).unref();
  return () => passedMs;
}
