// The marks of payment methods and card brands on a page. A mark stands beside a name, so screen readers skip it; only
// where there is no name does it have one itself.

import { cardBrands, type KnownBrand } from '../../../../domain/card-brands.ts';
import { type PaymentMethodType, paymentMethodTypes } from '../../../../domain/payment-methods.ts';
import type { CardEntry } from '../../views.ts';
import { type Html, html, trusted } from '../html.ts';
import { brandName } from '../method-names.ts';
import { drawings, type Mark } from './drawings.ts';

const size = 'viewBox="0 0 36 24"';

/** Refers to one of the page's symbols. */
export function mark(name: Mark): Html {
  return trusted(`<svg class="mark" ${size} aria-hidden="true"><use href="#mark-${name}"/></svg>`);
}

/** For a page that has this mark once, and no symbols. */
export function drawnMark(name: string): Html | null {
  return isMark(name) ? trusted(`<svg class="mark" ${size} aria-hidden="true">${drawings[name]}</svg>`) : null;
}

function isMark(name: string): name is Mark {
  return Object.hasOwn(drawings, name);
}

/** What these marks refer to. It is in the page itself: marks are visible at once, and no policy has to allow them. */
export function symbols(names: readonly Mark[]): Html {
  const drawn = names.map((name) => trusted(`<symbol id="mark-${name}" ${size}>${drawings[name]}</symbol>`));
  return html`<svg class="symbols" aria-hidden="true">${drawn}</svg>`;
}

const allBrands = cardBrands.map(({ brand }) => brand);
/** Which others a provider accepts depends on the merchant's contract. */
const usualBrands: readonly KnownBrand[] = ['visa', 'mastercard', 'amex'];

/** The marks of the brands that a card can have, as one picture. `short`: no more than fit beside a name. */
export function brandMarks(entry: CardEntry, { short = false } = {}): Html {
  const brands = short ? usualBrands : brandsFor(entry);
  return html`<span class="marks" role="img" aria-label="${brands.map(brandName).join(', ')}">${brands.map(mark)}</span>`;
}

function brandsFor(entry: CardEntry): readonly KnownBrand[] {
  return entry === 'own_fields' ? allBrands : usualBrands;
}

/** All that the pay page uses. */
export function marksOnPage(methods: readonly PaymentMethodType[], entry: CardEntry): readonly Mark[] {
  const ofMethods: Mark[] = paymentMethodTypes.filter((type) => methods.includes(type));
  return methods.includes('card') ? [...ofMethods, ...brandsFor(entry)] : ofMethods;
}
