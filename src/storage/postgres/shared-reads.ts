// Equal queries that are waiting at the same time are sent once: for every payment of a merchant, the same subscriptions
// are read. One that was already sent is not shared, because it may not see what was committed before the caller asked.

import type { RowsOf } from './rows.ts';

type Rows = ReturnType<RowsOf>;

interface Shared {
  /** The one that is about to be sent. */
  next: Rows | null;
  /** Sends it; set while another one is in progress. */
  send: (() => void) | null;
  inProgress: boolean;
}

export function sharedReads(rowsOf: RowsOf): RowsOf {
  const reads = new Map<string, Shared>();

  async function wait(key: string, read: Shared, config: Parameters<RowsOf>[0]): Rows {
    await new Promise<void>((resolve) => {
      if (read.inProgress) read.send = resolve;
      else setImmediate(resolve);
    });
    read.next = null;
    read.send = null;
    read.inProgress = true;
    try {
      return await rowsOf(config);
    } finally {
      end(key, read);
    }
  }

  function end(key: string, read: Shared): void {
    read.inProgress = false;
    if (read.next === null) reads.delete(key);
    else read.send?.();
  }

  return (config) => {
    const key = `${config.name} ${JSON.stringify(config.values)}`;
    const read = reads.get(key) ?? { next: null, send: null, inProgress: false };
    reads.set(key, read);
    read.next ??= wait(key, read, config);
    return read.next;
  };
}
