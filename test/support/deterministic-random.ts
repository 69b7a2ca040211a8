// Random numbers from a seed, so that a failure can be reproduced.

import type { Random } from '../../src/domain/ids.ts';

/** Numbers from 0 (inclusive) to 1 (exclusive), by mulberry32. */
export function deterministicNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

export function deterministicRandom(seed: number): Random {
  const next = deterministicNumbers(seed);
  return (byteCount) => Uint8Array.from({ length: byteCount }, () => Math.floor(next() * 256));
}
