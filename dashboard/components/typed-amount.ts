// Reads an amount as people type it, into the currency's smallest unit: with the separators of any language, by the rules of
// the checkout page. What can be read in two ways is decided by the viewer's language; if that does not decide it either, it
// is refused, because nobody should capture or refund a thousandth of what they meant.

import { digitsOf } from './decimal-text.ts';

/** Null if it is not an amount of that currency. */
export type TypedAmount = { readonly amount: number } | { readonly either: readonly [number, number] } | null;

/** Longer texts are not amounts. */
const maxLength = 60;

export function readTypedAmount(
  text: string,
  currency: string,
  locales: readonly string[] = navigator.languages,
): TypedAmount {
  const [, whole = '', point, fraction = ''] = /^([\d '.,]*?)(?:([.,])(\d*))?$/.exec(plainText(text)) ?? [];
  if (text.length > maxLength || !/\d/.test(whole + fraction)) return null;
  const digits = digitsOf(currency);
  // Without a point of its own kind, all that is left are thousands.
  if (point === undefined || whole.includes(point)) {
    const grouped = inGroups(point === undefined ? whole : whole + point + fraction);
    return grouped === null ? null : asAmount(grouped, '', digits);
  }
  const before = whole === '' ? '0' : inGroups(whole);
  const asDecimal = before === null || /[^0]/.test(fraction.slice(digits)) ? null : asAmount(before, fraction, digits);
  const couldBeGroup = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  if (!couldBeGroup) return asDecimal;
  const asGroup = asAmount(whole + fraction, '', digits);
  const { decimal, group } = separatorsOf(locales);
  if (digits === 0 || group === point) return asGroup;
  if (digits >= 3 && decimal === point) return asDecimal;
  return { either: [minorUnits(whole + fraction, '', digits), minorUnits(whole, fraction, digits)] };
}

/** One kind of space and of apostrophe. */
function plainText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[’‘ʼ′´`]/g, "'")
    .trim();
}

/** The digits of whole units, whose groups may be written as anywhere: 1 234 567, 1'234'567, 12,34,567. Null: misplaced. */
function inGroups(text: string): string | null {
  const [separator] = /\D/.exec(text) ?? [];
  if (separator === undefined) return text;
  const groups = text.split(separator);
  const lengths = groups.map((group) => (/^\d{1,3}$/.test(group) ? group.length : 'x')).join('');
  const isRight = /^[123]3+$/.test(lengths) || (separator === ',' && /^[12]2*3$/.test(lengths));
  return isRight ? groups.join('') : null;
}

/** Which characters the language puts before decimals and between thousands. */
function separatorsOf(locales: readonly string[]) {
  const parts = new Intl.NumberFormat(locales, { numberingSystem: 'latn' }).formatToParts(1_234_567.8);
  const textOf = (wanted: string): string | undefined => parts.find(({ type }) => type === wanted)?.value;
  return { decimal: textOf('decimal'), group: textOf('group') };
}

function asAmount(whole: string, fraction: string, digits: number): TypedAmount {
  const amount = minorUnits(whole, fraction, digits);
  return Number.isSafeInteger(amount) ? { amount } : null;
}

/** Decimals that the currency does not have are cut off. */
function minorUnits(whole: string, fraction: string, digits: number): number {
  return Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
}
