// Finds workers that hang. Whatever blocks the event loop of one, its connections would wait forever, and so would some of
// the new ones.

import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerProcess } from './worker-process.ts';

export interface HeartbeatLimits {
  /** Between two questions, and for each answer. */
  readonly everyMs: number;
  readonly unanswered: number;
}

/** Resolves to true if the worker leaves this many questions in a row unanswered, and to false when it ends. */
export async function hangs(worker: WorkerProcess, { everyMs, unanswered }: HeartbeatLimits): Promise<boolean> {
  await worker.ready;
  for (let missed = 0; missed < unanswered; ) {
    await pause(everyMs, undefined, { ref: false });
    if (!worker.isReady()) return false;
    const isAlive = (await worker.ask('alive', { limitMs: everyMs })) ?? false;
    missed = isAlive ? 0 : missed + 1;
  }
  return worker.isReady();
}
