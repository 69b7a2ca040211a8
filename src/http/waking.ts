// Waits until there is something to read: someone says so, or it is time to look for what nobody told of.

export interface Waking {
  wakeUp(): void;
  /** Returns after a poll's time at the latest, and a short while after it was woken, so that changes are read together. */
  untilWoken(isOver: () => boolean): Promise<void>;
}

export function waking({ pollMs, gatherMs }: { readonly pollMs: number; readonly gatherMs: number }): Waking {
  let isWoken = false;
  let endWait: (() => void) | null = null;
  return {
    wakeUp() {
      isWoken = true;
      endWait?.();
    },
    async untilWoken(isOver) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>();
        endWait = resolve;
        const timer = setTimeout(resolve, pollMs);
        await promise;
        clearTimeout(timer);
        endWait = null;
      }
      if (isWoken && !isOver()) await new Promise((resolve) => setTimeout(resolve, gatherMs));
      isWoken = false;
    },
  };
}
