// Limits how many tasks of one kind run at once, and how many may wait.

export interface WorkLimits {
  readonly atOnce: number;
  readonly waiting: number;
}

/** Null: too many tasks are already waiting, and this one will not run. */
export type BoundedWork = <T>(work: () => Promise<T>) => Promise<T> | null;

export function boundedWork({ atOnce, waiting: maxWaiting }: WorkLimits): BoundedWork {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function acquire(): Promise<void> {
    if (running >= atOnce) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      // A task that ends passes its slot on to the next.
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
    await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
  return (work) => (waiting.length >= maxWaiting ? null : runInTurn(work));
}
