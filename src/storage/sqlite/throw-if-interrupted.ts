// Lets Ctrl-C end synchronous work, such as the check of a large file, before it has an effect.

import { setImmediate as nextTick } from 'node:timers/promises';

/** Between two immediates, the event loop always polls, and so handles the signals that arrived meanwhile. */
export async function throwIfInterrupted(signal: AbortSignal): Promise<void> {
  await nextTick();
  await nextTick();
  signal.throwIfAborted();
}
