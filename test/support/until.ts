// Polls until a condition holds, and fails if it never does.

import { setTimeout as pause } from 'node:timers/promises';

/** Grows with the time waited so far: polling every few milliseconds for half a minute keeps a core busy. */
const pauses = { shortestMs: 5, longestMs: 250, shareOfWaiting: 0.1 };
/** Generous, so that only a stuck test fails: a busy machine takes many times as long as an idle one. */
export const patienceMs = 60_000;

/**
 * `what` is a function if the message tells what was seen instead. Only the pauses count, as long as they should take: a
 * busy machine is not at fault.
 */
export async function until(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  timeoutMs: number = patienceMs,
): Promise<void> {
  for (let waitedMs = 0; !(await holds()); ) {
    if (waitedMs > timeoutMs)
      throw new Error(`waited ${timeoutMs} ms, but never saw that ${typeof what === 'string' ? what : what()}`);
    const pauseMs = Math.min(pauses.longestMs, Math.max(pauses.shortestMs, waitedMs * pauses.shareOfWaiting));
    await pause(pauseMs);
    waitedMs += pauseMs;
  }
}
