// What the address bar says about payments, as the API wants it: dates are days of the viewer, and the last day is included.

import type { QueryValues } from '../../api/client.ts';
import { typedReadings } from '../../components/amount-words.ts';
import { digitsOf, editableText } from '../../components/decimal-text.ts';
import { formatMoney } from '../../components/money.tsx';
import { readTypedAmount } from '../../components/typed-amount.ts';
import type { PaymentSearch } from './payment-search.ts';
import { methodName } from './payment-words.ts';

/** Amounts in the address are in the smallest unit, as in the API. Without a currency they have two decimals. */
const defaultCurrency = 'EUR';

export function filterQuery(search: PaymentSearch): QueryValues {
  return {
    ...search,
    from: startOfDay(search.from, 0),
    to: startOfDay(search.to, 1),
  };
}

function startOfDay(day: string | undefined, later: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  // A moment: somebody made this address for an exact time.
  if (year === undefined) return day;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).toISOString();
}

export interface Chip {
  readonly name: keyof PaymentSearch;
  readonly text: string;
}

/** Without one filter. Amounts go with a currency whose smallest unit is another part of it: ¥1,500 is not 15.00. */
export function withoutFilter(name: keyof PaymentSearch, { currency }: PaymentSearch) {
  const sameUnit = digitsOf(currency ?? defaultCurrency) === digitsOf(defaultCurrency);
  const amounts = name === 'currency' && !sameUnit ? { min: undefined, max: undefined } : {};
  return { [name]: undefined, ...amounts };
}

/** The filters besides tab and search, in words. */
export function chipsOf(search: PaymentSearch): readonly Chip[] {
  const { from, to, min, max, currency, method, payment_link: link } = search;
  const amount = (value: string): string =>
    currency === undefined ? editableText(Number(value), defaultCurrency) : formatMoney(Number(value), currency);
  const chips: readonly (Chip | null)[] = [
    from === undefined ? null : { name: 'from', text: `From ${from}` },
    to === undefined ? null : { name: 'to', text: `Until ${to}` },
    min === undefined ? null : { name: 'min', text: `At least ${amount(min)}` },
    max === undefined ? null : { name: 'max', text: `At most ${amount(max)}` },
    currency === undefined ? null : { name: 'currency', text: currency.toUpperCase() },
    method === undefined ? null : { name: 'method', text: methodName(method) },
    link === undefined ? null : { name: 'payment_link', text: `Payment link ${link}` },
  ];
  return chips.filter((chip) => chip !== null);
}

/** An amount of the address bar as it is typed. */
export function typedText(amount: string | undefined, currency: string | undefined): string {
  return amount === undefined || !/^\d+$/.test(amount) ? '' : editableText(Number(amount), currency ?? defaultCurrency);
}

/** Undefined if nothing was typed. */
export function amountFrom(
  typed: string,
  currency = defaultCurrency,
): { readonly value: string | undefined } | { readonly problem: string } {
  if (typed.trim() === '') return { value: undefined };
  const read = readTypedAmount(typed, currency);
  if (read === null) return { problem: 'Not an amount' };
  return 'either' in read ? { problem: typedReadings(read.either, currency) } : { value: String(read.amount) };
}
