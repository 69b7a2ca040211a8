// Rivals for one row in one process take turns instead of all deciding anew for every winner: of 300 refunds of one
// payment at once on PostgreSQL, the last was answered after 21 s without turns. Only a courtesy: what keeps the books
// right is the version of the row, so whoever has waited long enough goes ahead.

const maxWaitMs = 5_000;

export function turns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return async (key, work) => {
    const before = last.get(key);
    const { promise: done, resolve: leave } = Promise.withResolvers<void>();
    last.set(key, done);
    try {
      if (before !== undefined) await within(maxWaitMs, before);
      return await work();
    } finally {
      leave();
      if (last.get(key) === done) last.delete(key);
    }
  };
}

async function within(ms: number, promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, passed]);
  clearTimeout(timer);
}
