// Card brands by the first digits of the number, with the valid lengths of the number for each. This is the only table: the
// pay page's script is generated from it.

export type KnownBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'maestro';
export type CardBrand = KnownBrand | 'unknown';

interface BrandRules {
  readonly brand: CardBrand;
  /** Ranges of first digits, inclusive; both ends have the same length. */
  readonly starts: readonly (readonly [from: string, to: string])[];
  readonly lengths: readonly number[];
}

const upTo19 = (shortest: number): number[] => Array.from({ length: 20 - shortest }, (_, more) => shortest + more);

/**
 * The first match wins. Where ranges overlap, it is the brand that the network routes to: 622126–622925 belongs to
 * Discover in the United States and to UnionPay everywhere; the rest of 6 belongs to Maestro.
 */
export const cardBrands: readonly (BrandRules & { readonly brand: KnownBrand })[] = [
  { brand: 'visa', starts: [['4', '4']], lengths: [13, 16, 19] },
  {
    brand: 'mastercard',
    starts: [
      ['51', '55'],
      ['2221', '2720'],
    ],
    lengths: [16],
  },
  {
    brand: 'amex',
    starts: [
      ['34', '34'],
      ['37', '37'],
    ],
    lengths: [15],
  },
  {
    brand: 'diners',
    starts: [
      ['300', '305'],
      ['309', '309'],
      ['36', '36'],
      ['38', '39'],
    ],
    lengths: upTo19(14),
  },
  { brand: 'jcb', starts: [['3528', '3589']], lengths: upTo19(16) },
  {
    brand: 'unionpay',
    starts: [
      ['62', '62'],
      ['81', '81'],
    ],
    lengths: upTo19(16),
  },
  {
    brand: 'discover',
    starts: [
      ['6011', '6011'],
      ['644', '659'],
    ],
    lengths: upTo19(16),
  },
  {
    brand: 'maestro',
    starts: [
      ['50', '50'],
      ['56', '58'],
      ['60', '69'],
    ],
    lengths: upTo19(12),
  },
];

export const unknownBrand: BrandRules = { brand: 'unknown', starts: [], lengths: upTo19(12) };

/**
 * Known as soon as all numbers with these first digits belong to one brand. `card-brand.js` in the page has the same
 * rule.
 */
export function brandRules(digits: string): BrandRules {
  for (const rules of cardBrands) {
    for (const [from, to] of rules.starts) {
      const least = digits.padEnd(from.length, '0').slice(0, from.length);
      const most = digits.padEnd(from.length, '9').slice(0, from.length);
      if (from <= least && most <= to) return rules;
      if (least <= to && from <= most) return unknownBrand;
    }
  }
  return unknownBrand;
}
