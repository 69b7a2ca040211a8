// Runs a job repeatedly, never concurrently with itself, until it is stopped. A failed run is reported and tried again.

export interface Job {
  /** Resolves after the current run. */
  stop(): Promise<void>;
}

export interface JobOptions {
  /** Returns whether there is more to do immediately. */
  readonly run: () => Promise<boolean>;
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

export function runJob({ run, everyMs, onError }: JobOptions): Job {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let wake: (() => void) | undefined;

  async function loop(): Promise<void> {
    while (!stopped) {
      const more = await run().catch((error: unknown) => {
        onError(error);
        return false;
      });
      if (more) {
        // A store may respond within the same tick of the event loop: let requests run before the next batch.
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      if (stopped) continue;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      timer = setTimeout(resolve, everyMs);
      await promise;
    }
  }

  const ended = loop();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      wake?.();
      return ended;
    },
  };
}

/** Starts jobs that run every so many milliseconds; those that run at least every ten seconds pause no longer than `longestPauseMs`. */
export function runJobs(
  onError: (job: string, error: unknown) => void,
  longestPauseMs: number,
  wanted: Readonly<Record<string, readonly [run: () => Promise<boolean>, usualMs: number]>>,
): Job[] {
  return Object.entries(wanted).map(([name, [run, usualMs]]) => {
    const everyMs = usualMs <= 10_000 ? Math.min(usualMs, longestPauseMs) : usualMs;
    return runJob({ run, everyMs, onError: (error) => onError(name, error) });
  });
}
