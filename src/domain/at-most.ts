// Runs at most so many tasks at a time. The others wait, in the order of the calls.

export interface AtMost {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How many wait. */
  waiting(): number;
}

export function atMost(limit: number): AtMost {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < limit) running += 1;
      else await new Promise<void>((start) => waiting.push(start));
      try {
        return await work();
      } finally {
        // A task that ends passes its slot on to the next.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
    waiting: () => waiting.length,
  };
}
