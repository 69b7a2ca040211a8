// Finds the brand of a card as soon as all numbers with these digits belong to the same one: the rule of
// src/domain/card-brands.ts, whose table precedes this script as `cardBrands`. Each entry has an id, a name, ranges of
// first digits, lengths and the positions of spaces; the last entry is for unknown brands.
globalThis.brandOf = (digits) => {
  for (const brand of cardBrands) {
    for (const [from, to] of brand[2]) {
      const least = digits.padEnd(from.length, '0').slice(0, from.length);
      const most = digits.padEnd(from.length, '9').slice(0, from.length);
      if (from <= least && most <= to) return brand;
      if (least <= to && from <= most) return cardBrands.at(-1);
    }
  }
  return cardBrands.at(-1);
};
