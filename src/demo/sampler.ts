// Choices that look random but follow from a seed, so that the same seed makes the same demo data.

export interface Sampler {
  /** From 0 (inclusive) to 1 (exclusive). */
  number(): number;
  /** Both ends are included. */
  integer(min: number, max: number): number;
  /** True with this probability. */
  happens(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** By weight; the weights need not add up to one. */
  weighted<T>(from: readonly (readonly [T, number])[]): T;
}

/** `stream`: samplers of one seed with different streams are independent of each other. */
export function sampler(seed: number, stream: number): Sampler {
  const number = mulberry32(Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b));
  // Neighbouring seeds give similar first numbers.
  for (let skipped = 0; skipped < 4; skipped++) number();
  return {
    number,
    integer: (min, max) => min + Math.floor(number() * (max - min + 1)),
    happens: (probability) => number() < probability,
    pick: (from) => from[Math.floor(number() * from.length)] ?? from[0],
    weighted(from) {
      const total = from.reduce((sum, [, weight]) => sum + weight, 0);
      let left = number() * total;
      for (const [value, weight] of from) {
        left -= weight;
        if (left < 0) return value;
      }
      const last = from.at(-1);
      if (last === undefined) throw new RangeError('there is nothing to choose from');
      return last[0];
    },
  };
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
