// Runs a job again and again, never beside itself, until it is stopped. A run that fails is reported and tried again.

export interface Job {
  /** Ends after the run that is under way. */
  stop(): Promise<void>;
}

export interface JobOptions {
  /** Answers whether there is more to do at once. */
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
        // A store may answer without a turn of the event loop: requests come before more of the job.
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
