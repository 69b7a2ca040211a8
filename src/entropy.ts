// The operating system's randomness, fetched in larger pieces: asking for a few bytes at a time costs more than the bytes.

import { randomFillSync } from 'node:crypto';
import type { Random } from './domain/ids.ts';

const poolBytes = 8_192;

export function pooledRandom(): Random {
  const pool = Buffer.alloc(poolBytes);
  let used = poolBytes;
  return (byteCount) => {
    if (byteCount > poolBytes) return randomFillSync(new Uint8Array(byteCount));
    if (used + byteCount > poolBytes) {
      randomFillSync(pool);
      used = 0;
    }
    const taken = new Uint8Array(byteCount);
    // By hand: for a few bytes, calling what copies and clears takes longer than that.
    for (let at = 0; at < byteCount; at++, used++) {
      taken[at] = pool[used] ?? 0;
      pool[used] = 0;
    }
    return taken;
  };
}
