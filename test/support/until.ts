// Polls until a condition holds, and fails if it never does.

import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 5;
/** Generous, so that only a stuck test fails: a busy machine takes many times as long as an idle one. */
export const patienceMs = 60_000;

export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs: number = patienceMs,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms, but never saw that ${what}`);
    await pause(pauseMs);
  }
}
