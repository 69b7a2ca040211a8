// How many rows a step may take, so that it holds the event loop for at most 5 ms. Steps are measured, and the next one is
// sized by that, because rows of different tables, files and disks take very different times.

export const maxHeldMs = 5;
/**
 * Steps grow only below this, so that one that takes four times as long as the last one stays within the limit. Measured
 * with 200 000 events beside 8 writers: 0.5 % of the deletions took longer than 5 ms, and 4 % with half of the limit.
 */
const growBelowMs = maxHeldMs / 4;

export interface SizeLimits {
  readonly first: number;
  readonly min: number;
  readonly max: number;
}

export function stepSize({ first, min, max }: SizeLimits) {
  let size = first;
  return {
    upTo: (atMost: number): number => Math.min(size, atMost),
    took(heldMs: number, examined: number): void {
      if (heldMs > maxHeldMs) size = Math.max(min, Math.floor(size / 2));
      else if (heldMs < growBelowMs && examined >= size) size = Math.min(max, Math.ceil(size * 1.125));
    },
  };
}
