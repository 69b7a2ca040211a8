// What staff type to find a payment, and the words that a payment is found by. A search matches a whole word: an e-mail
// address, the last four digits of a card, an amount, a metadata value or the provider's reference. Case does not matter.

import type { CheckoutSession } from './checkout-session.ts';
import { currencies, currencyExponent } from './currencies.ts';
import { type IdPrefix, isId } from './ids.ts';
import { maxAmount } from './money.ts';
import type { PaymentIntent } from './payment-intent.ts';

export const maxSearchLength = 500;

export type Search =
  /** The id of a payment, or of something that belongs to one. */
  | { readonly id: string; readonly prefix: (typeof searchableIds)[number] }
  | { readonly words: readonly string[]; readonly amounts: readonly SearchedAmount[] };

export interface SearchedAmount {
  /** In the smallest unit of currencies with this many decimals. */
  readonly amount: number;
  readonly exponent: number;
  /** Null: any currency. */
  readonly currency: string | null;
}

const searchableIds = ['pi', 'cs', 're', 'dp', 'op'] as const satisfies readonly IdPrefix[];

/** Null if there is nothing to search for. */
export function readSearch(text: string): Search | null {
  const trimmed = text.trim().slice(0, maxSearchLength);
  if (trimmed === '') return null;
  const prefix = searchableIds.find((candidate) => isId(candidate, trimmed));
  if (prefix !== undefined) return { id: trimmed, prefix };
  return { words: [wordOf(trimmed)], amounts: amountsIn(trimmed) };
}

/** The parts of a payment that it is found by. */
export interface WordSource {
  readonly intent: Pick<
    PaymentIntent,
    'amount' | 'currency' | 'metadata' | 'paymentMethod' | 'acquirer' | 'customerDetails'
  >;
  readonly session: Pick<CheckoutSession, 'customerEmail'>;
}

/** The words that a payment is found by, each once. */
export function wordsOf({ intent, session }: WordSource): string[] {
  const words = [
    decimalOf(intent.amount, currencyExponent(intent.currency)),
    ...Object.values(intent.metadata),
    session.customerEmail,
    intent.customerDetails?.email,
    intent.paymentMethod?.card?.last4,
    intent.acquirer?.reference,
  ];
  return [...new Set(words.map((word) => wordOf(word ?? '')))].filter((word) => word !== '');
}

/** Whether a search by words finds this payment. */
export function isFoundBy(search: Extract<Search, { words: unknown }>, payment: WordSource): boolean {
  const { amount, currency } = payment.intent;
  if (search.amounts.some((one) => isAmountOf(one, amount, currency))) return true;
  const words = wordsOf(payment);
  return search.words.some((word) => words.includes(word));
}

function isAmountOf(searched: SearchedAmount, amount: number, currency: string): boolean {
  if (searched.amount !== amount || searched.exponent !== currencyExponent(currency)) return false;
  return searched.currency === null || searched.currency === currency;
}

/** The words to look up, including those for amounts. */
export function searchedWords(search: Extract<Search, { words: unknown }>): string[] {
  const amounts = search.amounts.map(({ amount, exponent }) => decimalOf(amount, exponent));
  return [...new Set([...search.words, ...amounts])];
}

function wordOf(text: string): string {
  return text.trim().toLowerCase();
}

export function decimalOf(amount: number, exponent: number): string {
  if (exponent === 0) return String(amount);
  const digits = String(amount).padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

const exponents = [0, 2, 3] as const;
const name = String.raw`[a-z]{3}|[a-z]{0,3}\p{Sc}(?:\s?[a-z]{2,3})?|zł|kč|ft|kr\.?|fcfa|f\scfa|cfpf`;
const amountPattern = new RegExp(
  String.raw`^(?<before>${name})?\s*(?<digits>\d[\d.,'’\s]*?)\s*(?<after>${name})?$`,
  'iu',
);
/** Null: of several currencies. */
const signs: Readonly<Record<string, string | null>> = {
  ...{ '€': 'EUR', '£': 'GBP', '₹': 'INR', '₺': 'TRY', '฿': 'THB', ZŁ: 'PLN', KČ: 'CZK', FT: 'HUF' },
  ...{ KR: null, 'KR.': null, DKR: 'DKK', IKR: 'ISK', NKR: 'NOK', FCFA: 'XAF', 'F CFA': 'XOF', CFPF: 'XPF' },
};

/**
 * An amount such as 12.50, 12,50 EUR, € 1.234,50, US$12.50 or 1000, and whatever lists show in any language. Signs that
 * several currencies share match any of them.
 */
function amountsIn(text: string): SearchedAmount[] {
  const visible = text.replace(/\p{Cf}/gu, '');
  const { before, digits = '', after } = amountPattern.exec(visible)?.groups ?? {};
  if (digits === '') return [];
  const currency = currencyOf((before ?? after ?? '').toUpperCase().replace(/\s/, ' '));
  if (currency === undefined) return [];
  return exponents
    .filter((exponent) => currency === null || currencyExponent(currency) === exponent)
    .flatMap((exponent) =>
      readingsOf(digits, exponent).flatMap(({ whole, fraction }) => {
        if (/[^0]/.test(fraction.slice(exponent))) return [];
        const amount = Number(whole + fraction.slice(0, exponent).padEnd(exponent, '0'));
        return amount >= 1 && amount <= maxAmount ? [{ amount, exponent, currency }] : [];
      }),
    );
}

/** Null: any currency. Undefined: none has this name. */
function currencyOf(written: string): string | null | undefined {
  if (written === '') return null;
  if (written in signs) return signs[written];
  if (/^[A-Z]{3}$/.test(written)) return currencies.includes(written) ? written : undefined;
  // US$, or $US as in French.
  const country = written.replace(/\P{L}/gu, '');
  const [first, ...others] = country.length === 2 ? currencies.filter((code) => code.startsWith(country)) : [];
  return first !== undefined && others.length === 0 ? first : null;
}

interface Reading {
  readonly whole: string;
  readonly fraction: string;
}

/**
 * The last separator is a decimal one, unless there are several of its kind. If three digits follow the only separator,
 * it separates thousands, and in currencies with three decimals it may be either.
 */
function readingsOf(digits: string, exponent: number): Reading[] {
  const [, whole = digits, separator, fraction = ''] = /^(.*)([.,])(\d{1,3})$/.exec(digits) ?? [];
  const plain = (part: string): string => part.replace(/\D/g, '');
  const decimal = { whole: plain(whole), fraction };
  const integer = { whole: plain(digits), fraction: '' };
  if (separator === undefined || whole.includes(separator)) return [integer];
  if (fraction.length < 3 || /\D/.test(whole)) return [decimal];
  return exponent === 3 ? [integer, decimal] : [integer];
}
