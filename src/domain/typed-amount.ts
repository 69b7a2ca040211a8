// Reads an amount that a customer typed or pasted: in the digits of any script, with the separators of any language, with
// the sign or code of the currency. What can be read in two ways is decided by the customer's language; if that does not
// decide it either, it is ambiguous, because nobody should pay a thousand times what they meant.

import { currencyExponent } from './currencies.ts';
import { maxAmount } from './money.ts';

export type TypedAmount =
  | { readonly amount: number }
  | { readonly problem: 'missing' | 'invalid' | 'other_currency' | 'too_large' }
  /** It could be either of these. */
  | { readonly problem: 'ambiguous'; readonly readings: readonly number[] };

export interface AmountFormat {
  readonly currency: string;
  /** The language tag of the page, such as `de-AT`. */
  readonly locale: string;
}

/** Longer texts are not amounts. */
export const maxTypedLength = 60;

export function readTypedAmount(text: string, format: AmountFormat): TypedAmount {
  // Of 12⁹⁹, normalisation would make 1299.
  if (text.length > maxTypedLength || /\p{No}/u.test(text)) return { problem: 'invalid' };
  const plain = plainText(text);
  const bare = withoutCurrency(plain, format);
  if (bare === '') return { problem: plain === '' ? 'missing' : 'invalid' };
  // Letters and signs that are left belong to another currency.
  if (/[\p{L}\p{Sc}]/u.test(bare)) return { problem: /\d/.test(bare) ? 'other_currency' : 'invalid' };
  const readings = readingsOf(bare, format);
  const [first, ...others] = readings;
  if (first === undefined) return { problem: 'invalid' };
  if (others.length > 0) return { problem: 'ambiguous', readings: readings.map(Number) };
  return first > BigInt(maxAmount) ? { problem: 'too_large' } : { amount: Number(first) };
}

const invisible = /\p{Cf}|\p{Variation_Selector}/gu;

/** ASCII digits, one kind of space and of apostrophe, and nothing invisible. */
function plainText(text: string): string {
  return Array.from(text.normalize('NFKC').replace(invisible, ''), (character) =>
    /\p{Nd}/u.test(character) ? String(digitValue(character)) : character,
  )
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/[’‘ʼ′´`]/g, "'")
    .replace(/،/g, ',')
    .trim();
}

/** The digits of a script are ten code points in a row, and no two scripts follow each other directly. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

/** The sign, code and names of the currency may stand before or after the digits: one of them, or two, as in $5 USD. */
function withoutCurrency(text: string, { currency, locale }: AmountFormat): string {
  const lower = text.toLocaleLowerCase('en').replace(/^\+/, '');
  const hasName = /[^\d .,'٫٬]/.test(lower);
  const names = hasName ? knownNames(currency, locale) : [];
  // 12,- and 12,–: no cents.
  return withoutName(withoutName(lower, names), names).replace(/(?<=\d)[.,][-–—]{1,2}$/, '');
}

function withoutName(text: string, names: readonly string[]): string {
  for (const name of names) {
    if (text.startsWith(name)) return text.slice(name.length).trim();
    if (text.endsWith(name)) return text.slice(0, -name.length).trim();
  }
  return text.trim();
}

const maxKnown = 200;
const known = new Map<string, readonly string[]>();

/** Cached, because formatters take long to make, and the locale comes from the request. */
function knownNames(currency: string, locale: string): readonly string[] {
  const key = `${currency} ${locale}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const names = currencyNames(currency, locale);
  if (known.size >= maxKnown) known.delete(known.keys().next().value ?? '');
  known.set(key, names);
  return names;
}

/** Longest first, so that `A$` is not taken for an `A` before `$`. */
function currencyNames(currency: string, locale: string): string[] {
  const names = new Set<string>([currency.toLowerCase()]);
  // British English writes US$ where American English writes $.
  for (const language of [locale, 'en', 'en-GB']) {
    for (const currencyDisplay of ['symbol', 'narrowSymbol', 'name'] as const) {
      const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay });
      for (const amount of [1, 2, 5]) {
        const part = format.formatToParts(amount).find(({ type }) => type === 'currency');
        if (part !== undefined) names.add(plainText(part.value).toLocaleLowerCase('en'));
      }
    }
  }
  return [...names].filter((name) => name !== '').sort((a, b) => b.length - a.length);
}

type Separator = '.' | ',';

/** Which of `.` and `,` the language puts before decimals, and which between thousands; null: another character. */
function separatorsOf(locale: string): { readonly decimal: Separator | null; readonly group: Separator | null } {
  // With Latin digits: whoever types them in Arabic also types their separators.
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1_234_567.8);
  const separator = (wanted: string): Separator | null => {
    const value = parts.find(({ type }) => type === wanted)?.value;
    return value === '.' || value === ',' ? value : null;
  };
  return { decimal: separator('decimal'), group: separator('group') };
}

/** In the smallest unit: none if it is not a number, two if it is ambiguous. */
function readingsOf(text: string, { currency, locale }: AmountFormat): readonly bigint[] {
  const decimals = currencyExponent(currency);
  const [, whole = '', point, fraction = ''] = /^([\d '.,٬]*?)(?:([.,٫])(\d*))?$/.exec(text) ?? [];
  if (!/\d/.test(text) || !/^[\d '.,٬٫]+$/.test(text)) return [];
  const isSame = point !== undefined && whole.includes(point);
  // Without a point of its own kind, all that is left are thousands.
  if (point === undefined || isSame) {
    const grouped = inGroups(text);
    return grouped === null ? [] : [inMinorUnits(grouped, '', decimals)];
  }
  const before = whole === '' ? '0' : inGroups(whole);
  const asDecimal =
    before === null || /[^0]/.test(fraction.slice(decimals)) ? null : inMinorUnits(before, fraction, decimals);
  const couldBeGroup = point !== '٫' && fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  if (!couldBeGroup) return asDecimal === null ? [] : [asDecimal];
  const asGroup = inMinorUnits(whole + fraction, '', decimals);
  const { decimal, group } = separatorsOf(locale);
  if (decimals === 0 || group === point) return [asGroup];
  if (decimals >= 3 && decimal === point && asDecimal !== null) return [asDecimal];
  return [asGroup, inMinorUnits(whole, fraction, decimals)];
}

/** The digits of whole units, whose groups may be written as anywhere: 1 234 567, 1'234'567, 12,34,567. Null: misplaced. */
function inGroups(text: string): string | null {
  const [separator] = /[^\d]/.exec(text) ?? [];
  if (separator === undefined) return text;
  const groups = text.split(separator);
  const lengths = groups.map((group) => (/^\d{1,3}$/.test(group) ? group.length : 'x')).join('');
  const isRight = /^[123]3+$/.test(lengths) || (separator === ',' && /^[12]2*3$/.test(lengths));
  return isRight ? groups.join('') : null;
}

/** Decimals that the currency does not have are cut off. */
function inMinorUnits(whole: string, fraction: string, decimals: number): bigint {
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}
