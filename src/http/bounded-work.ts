// So much of a kind of work at once, so much waiting, and no more.

export interface WorkLimits {
  readonly atOnce: number;
  readonly waiting: number;
}

/** Null: too much is waiting already, and the work is not done. */
export type BoundedWork = <T>(work: () => Promise<T>) => Promise<T> | null;

export function boundedWork({ atOnce, waiting: maxWaiting }: WorkLimits): BoundedWork {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function take(): Promise<void> {
    if (running >= atOnce) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      // Whoever ends hands its place on.
      return promise;
    }
    running += 1;
  }
  function release(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
  async function runInTurn<T>(work: () => Promise<T>): Promise<T> {
    await take();
    try {
      return await work();
    } finally {
      release();
    }
  }
  return (work) => (waiting.length >= maxWaiting ? null : runInTurn(work));
}
