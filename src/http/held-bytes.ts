// How many bytes of a kind are held in memory for clients that keep us waiting, over all connections.

export interface HeldBytes<Holder> {
  hold(holder: Holder, bytes: number): void;
  release(holder: Holder): void;
}

/** Beyond `maxBytes`, those that have waited longest are cut. */
export function heldBytes<Holder>(maxBytes: number, cut: (holder: Holder) => void): HeldBytes<Holder> {
  /** Those that wait, longest first. */
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
      for (const [longest] of holders) {
        if (total <= maxBytes) break;
        release(longest);
        cut(longest);
      }
    },
    release,
  };
}
