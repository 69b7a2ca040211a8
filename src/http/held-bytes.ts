// Limits the bytes held in memory for slow clients, over all connections.

export interface HeldBytes<Holder> {
  hold(holder: Holder, bytes: number): void;
  release(holder: Holder): void;
}

/** Beyond `maxBytes`, the oldest holders are cut off. */
export function heldBytes<Holder>(maxBytes: number, cutOff: (holder: Holder) => void): HeldBytes<Holder> {
  /** Oldest first. */
  const holders = new Map<Holder, number>();
  let total = 0;

  function release(holder: Holder): void {
    total -= holders.get(holder) ?? 0;
    holders.delete(holder);
  }
  return {
    hold(holder, bytes) {
      total += bytes - (holders.get(holder) ?? 0);
      holders.set(holder, bytes);
      for (const [oldest] of holders) {
        if (total <= maxBytes) break;
        release(oldest);
        cutOff(oldest);
      }
    },
    release,
  };
}
