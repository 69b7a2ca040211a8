// Random bytes from the operating system, fetched in larger blocks, because many small requests are expensive.

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
    // A manual loop: for a few bytes, the call overhead of copying and clearing functions is larger.
    for (let at = 0; at < byteCount; at++, used++) {
      taken[at] = pool[used] ?? 0;
      pool[used] = 0;
    }
    return taken;
  };
}
