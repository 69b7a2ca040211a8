// Runs a job repeatedly, never concurrently with itself, until it is stopped. A failed run is tried again, and reported: the
// first one and one with another message immediately, further ones once a minute. While the database is away, every job may
// fail several times a second.

export interface Job {
  /** Resolves after the current run. */
  stop(): Promise<void>;
}

export interface JobOptions {
  /** Returns whether there is more to do immediately. */
  readonly run: () => Promise<boolean>;
  readonly everyMs: number;
  /** In milliseconds, from any moment on. */
  readonly steadyClock: { now(): number };
  readonly reports: JobReports;
}

export interface JobReports {
  /** With the number of failed runs since the last one that worked. */
  failed(error: unknown, failures: number): void;
  worksAgain(failures: number): void;
}

const reportEveryMs = 60_000;

export function runJob({ run, everyMs, steadyClock, reports }: JobOptions): Job {
  let failures = 0;
  let reported = { message: '', at: 0 };
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let wake: (() => void) | undefined;

  function worked(more: boolean): boolean {
    if (failures > 0) reports.worksAgain(failures);
    failures = 0;
    return more;
  }

  function failed(error: unknown): boolean {
    failures += 1;
    const { message } = error as Error;
    const now = steadyClock.now();
    const isKnown = failures > 1 && message === reported.message && now - reported.at < reportEveryMs;
    if (!isKnown) {
      reported = { message, at: now };
      reports.failed(error, failures);
    }
    return false;
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      const more = await run().then(worked, failed);
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

/** The part of the service's log that jobs write to. */
interface JobLog {
  error(fields: object, text: string): void;
  info(fields: object, text: string): void;
}

function reportsIn(log: JobLog, job: string): JobReports {
  return {
    failed: (err, failures) => log.error({ job, failures, err }, 'job failed; it will be retried'),
    worksAgain: (failures) => log.info({ job, failures }, 'job works again'),
  };
}

/** Starts jobs that run every so many milliseconds; those that run at least every ten seconds pause no longer than `longestPauseMs`. */
export function runJobs(
  { log, steadyClock }: { readonly log: JobLog; readonly steadyClock: JobOptions['steadyClock'] },
  longestPauseMs: number,
  wanted: Readonly<Record<string, readonly [run: () => Promise<boolean>, usualMs: number]>>,
): Job[] {
  return Object.entries(wanted).map(([name, [run, usualMs]]) => {
    const everyMs = usualMs <= 10_000 ? Math.min(usualMs, longestPauseMs) : usualMs;
    return runJob({ run, everyMs, steadyClock, reports: reportsIn(log, name) });
  });
}
