// The brand of a card, as soon as all numbers that begin so are of one: the rule of src/domain/card-brands.ts, whose table
// stands above this as `cardBrands`. Each is a name, a mark, ranges of first digits, lengths, where spaces go, and the
// length of the CVC; the last one is for numbers of no brand.
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
