// Card brands for the script of the pay page: the rules of the domain, and how the field displays them.

import { cardBrands, type KnownBrand, unknownBrand } from '../../../domain/card-brands.ts';
import { brandName } from './method-names.ts';

const groupsOfFour = [4, 8, 12, 16];
/** Indexes of the digits that are preceded by a space. */
const gaps: Partial<Readonly<Record<KnownBrand, readonly number[]>>> = { amex: [4, 10], diners: [4, 10] };

/** Read by `scripts/card-brand.js` and `scripts/pay.js`. */
export const brandTable: readonly unknown[] = [
  ...cardBrands.map(({ brand, starts, lengths }) => [
    brand,
    brandName(brand),
    starts,
    lengths,
    gaps[brand] ?? groupsOfFour,
  ]),
  ['', '', [], unknownBrand.lengths, groupsOfFour],
];
