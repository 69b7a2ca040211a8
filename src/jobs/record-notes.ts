// Stores what requests and calls only leave notes of, so that they need not wait for it: every few seconds, and once more at
// shutdown.

import type { runJobs } from './run-job.ts';

export interface Notes {
  /** Stores what was noted since the last time. */
  readonly record: () => Promise<void>;
  readonly everyMs: number;
}

type Jobs = Parameters<typeof runJobs>[2];

export function recordNotes<Name extends string>(notes: Readonly<Record<Name, Notes>>) {
  const all = Object.entries<Notes>(notes);
  return {
    jobs: Object.fromEntries(
      all.map(([name, { record, everyMs }]) => [name, [() => record().then(() => false), everyMs]]),
    ) as Jobs,
    /** Worth an attempt, but not a failed shutdown. */
    async recordLast(onError: (job: string, error: unknown) => void): Promise<void> {
      for (const [name, { record }] of all) await record().catch((error: unknown) => onError(name, error));
    },
  };
}
