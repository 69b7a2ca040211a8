// Waiting for something that happens elsewhere: asks again and again, and fails when it does not come.

import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 5;
/** Only so that a test ends: a busy machine takes many times as long as an idle one. */
export const patienceMs = 60_000;

export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs: number = patienceMs,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
    await pause(pauseMs);
  }
}
