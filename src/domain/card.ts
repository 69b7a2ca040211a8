// Cards as the customer types them: what can be told from a number without asking anyone.

export type CardBrand =
  | 'visa'
  | 'mastercard'
  | 'amex'
  | 'discover'
  | 'diners'
  | 'jcb'
  | 'unionpay'
  | 'maestro'
  | 'unknown';

/** By the first digits; the first that fits. */
const brands: readonly (readonly [CardBrand, RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/],
  ['amex', /^3[47]/],
  ['discover', /^(6011|64[4-9]|65)/],
  ['diners', /^3(0[0-5]|[689])/],
  ['jcb', /^35(2[89]|[3-8])/],
  ['unionpay', /^62/],
  ['maestro', /^(5018|5020|5038|6304|6759|676[1-3])/],
];

export function cardBrand(number: string): CardBrand {
  return brands.find(([, prefix]) => prefix.test(number))?.[0] ?? 'unknown';
}

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

export function readCard(typed: TypedCard, now: number): Card | { readonly problems: CardProblems } {
  const number = latinDigits(typed.number).replace(/[\s-]/g, '');
  const cvc = latinDigits(typed.cvc).trim();
  const brand = cardBrand(number);
  const expiry = readExpiry(latinDigits(typed.expiry));
  const problems: CardProblems = {
    ...(number === '' ? { number: 'missing' } : isCardNumber(number) ? {} : { number: 'invalid' }),
    ...(typed.expiry.trim() === '' ? { expiry: 'missing' } : expiryProblem(expiry, now)),
    ...(cvc === '' ? { cvc: 'missing' } : isCvc(cvc, brand) ? {} : { cvc: 'invalid' }),
    ...(typed.name.length > maxNameLength ? { name: 'invalid' } : {}),
  };
  if (expiry === null || Object.keys(problems).length > 0) return { problems };
  return { number, brand, expMonth: expiry.month, expYear: expiry.year, cvc, name: typed.name.trim() };
}

/** Keyboards type full-width and Arabic-Indic digits, too. */
function latinDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}

function isCardNumber(digits: string): boolean {
  return /^\d{12,19}$/.test(digits) && luhnSum(digits) % 10 === 0;
}

function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
}

function isCvc(cvc: string, brand: CardBrand): boolean {
  return brand === 'amex' || brand === 'unknown' ? /^\d{3,4}$/.test(cvc) : /^\d{3}$/.test(cvc);
}

/** `12/34`, `12 / 2034`, `1234`. */
function readExpiry(text: string): { month: number; year: number } | null {
  const [, month, year] = /^\s*(\d{1,2})\s*[/.-]?\s*(\d{2}|\d{4})\s*$/.exec(text) ?? [];
  if (month === undefined || year === undefined) return null;
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}

/** A card is good to the end of its month, wherever on earth that ends last. */
function expiryProblem(expiry: { month: number; year: number } | null, now: number): CardProblems {
  if (expiry === null || expiry.month < 1 || expiry.month > 12) return { expiry: 'invalid' };
  const endsAt = Date.UTC(expiry.year, expiry.month, 1) + 12 * 3_600_000;
  if (endsAt <= now) return { expiry: 'past' };
  return expiry.year > new Date(now).getUTCFullYear() + 50 ? { expiry: 'invalid' } : {};
}
