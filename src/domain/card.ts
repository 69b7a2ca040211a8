// Parses cards as entered by customers: what a number reveals without a call to the acquirer.

import { brandRules, type CardBrand } from './card-brands.ts';

export interface TypedCard {
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
  readonly name: string;
}

export interface Card {
  readonly number: string;
  readonly brand: CardBrand;
  readonly expMonth: number;
  readonly expYear: number;
  readonly cvc: string;
  readonly name: string;
}

export type CardProblems = Partial<Record<keyof TypedCard, 'missing' | 'invalid' | 'past'>>;

const maxNameLength = 200;
/** The last year that two digits can stand for. */
const lastYear = 2099;

export function readCard(typed: TypedCard, now: number): Card | { readonly problems: CardProblems } {
  const number = visible(typed.number).replace(/[\s.\u2212\p{Pd}]/gu, '');
  const cvc = visible(typed.cvc).trim();
  const { brand, lengths } = brandRules(number);
  const expiry = readExpiry(visible(typed.expiry));
  const problems: CardProblems = {
    ...(number === '' ? { number: 'missing' } : isCardNumber(number, lengths) ? {} : { number: 'invalid' }),
    ...(typed.expiry.trim() === '' ? { expiry: 'missing' } : expiryProblem(expiry, now)),
    ...(cvc === '' ? { cvc: 'missing' } : isCvc(cvc) ? {} : { cvc: 'invalid' }),
    ...(typed.name.length > maxNameLength ? { name: 'invalid' } : {}),
  };
  if (expiry === null || Object.keys(problems).length > 0) return { problems };
  return { number, brand, expMonth: expiry.month, expYear: expiry.year, cvc, name: typed.name.trim() };
}

/** Without marks of the writing direction, zero-width spaces and the like, which are copied with a number. */
function visible(text: string): string {
  return latinDigits(text).replace(/\p{Cf}/gu, '');
}

/** Some keyboards produce full-width or Arabic-Indic digits. */
export function latinDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}

function isCardNumber(text: string, lengths: readonly number[]): boolean {
  return /^\d+$/.test(text) && lengths.includes(text.length) && luhnSum(text) % 10 === 0;
}

function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
}

/** Of either length with every brand: only the sandbox gets these cards, and it accepts any CVC. */
function isCvc(text: string): boolean {
  return /^\d{3,4}$/.test(text);
}

/** `12/34`, `12 / 2034`, `1234`, `2034-12`. */
function readExpiry(text: string): { month: number; year: number } | null {
  const slashed = text.replace(/[.\u2044\u2212\u2215\p{Pd}]/gu, '/');
  const yearFirst = /^\s*(?<year>\d{4})\s*\/\s*(?<month>\d{1,2})\s*$/;
  const monthFirst = /^\s*(?<month>\d{1,2})\s*\/?\s*(?<year>\d{2}|\d{4})\s*$/;
  const { month, year } = (yearFirst.exec(slashed) ?? monthFirst.exec(slashed))?.groups ?? {};
  if (month === undefined || year === undefined) return null;
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}

/** A card is valid until the end of its month in the last time zone on earth. */
function expiryProblem(expiry: { month: number; year: number } | null, now: number): CardProblems {
  if (expiry === null || expiry.month < 1 || expiry.month > 12) return { expiry: 'invalid' };
  const endsAt = Date.UTC(expiry.year, expiry.month, 1) + 12 * 3_600_000;
  if (endsAt <= now) return { expiry: 'past' };
  return expiry.year > lastYear ? { expiry: 'invalid' } : {};
}
