// How busy this process is, for work that waits while others need the processor.

import { performance } from 'node:perf_hooks';

/** Returns the share of time that the event loop was busy since the last call, from 0 to 1. */
export function busyShareSinceLastCall(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
