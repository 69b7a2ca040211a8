// A limited number of places for calls to one account. A call that finds none waits briefly, and is then turned away, so
// that a provider that hangs cannot collect all payments of the service.

export interface BulkheadLimits {
  /** Calls at the same time. */
  readonly places: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
}

/** For customers and merchants, who wait for the response. */
export const foregroundLimits: BulkheadLimits = { places: 128, maxWaiting: 512, waitMs: 2_000 };
/** For jobs, so that they leave places for customers. */
export const backgroundLimits: BulkheadLimits = { places: 32, maxWaiting: 512, waitMs: 1_000 };

/** Frees the place. */
export type Leave = () => void;

export interface Bulkhead {
  /** Null if there is no place in time. Whoever gets one must leave it. */
  enter(): Promise<Leave | null>;
  taken(): number;
  waiting(): number;
}

interface Waiting {
  readonly enter: (leave: Leave | null) => void;
  readonly timer: NodeJS.Timeout;
}

export function bulkhead({ places, maxWaiting, waitMs }: BulkheadLimits): Bulkhead {
  let taken = 0;
  const queue = new Set<Waiting>();

  function take(): Leave {
    taken += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      taken -= 1;
      const [next] = queue;
      if (next === undefined) return;
      queue.delete(next);
      clearTimeout(next.timer);
      next.enter(take());
    };
  }

  return {
    taken: () => taken,
    waiting: () => queue.size,
    enter() {
      if (taken < places) return Promise.resolve(take());
      if (queue.size >= maxWaiting) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<Leave | null>();
      const giveUp = (): void => {
        queue.delete(waiting);
        resolve(null);
      };
      const waiting: Waiting = { enter: resolve, timer: setTimeout(giveUp, waitMs) };
      queue.add(waiting);
      return promise;
    },
  };
}
