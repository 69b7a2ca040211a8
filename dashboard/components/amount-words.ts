// An amount in a form: read as it was typed, or what is wrong with it in words.

import { editableText } from './decimal-text.ts';
import { formatMoney } from './money.tsx';
import { readTypedAmount } from './typed-amount.ts';

/** More than zero, or the problem in words. `orElse`: what can be done instead of entering one. */
export function amountOrProblem(text: string, currency: string, orElse = ''): number | string {
  const read = readTypedAmount(text, currency);
  if (read !== null && 'either' in read) {
    const [one, other] = read.either.map((amount) => formatMoney(amount, currency));
    return `This could be ${one} or ${other}. ${typedReadings(read.either, currency)}`;
  }
  if (read === null || read.amount === 0)
    return `Enter an amount in ${currency}, such as ${editableText(example, currency)}${orElse}.`;
  return read.amount;
}

/** 12.50 in euros. */
const example = 1_250;

/** How to type one or the other. */
export function typedReadings(either: readonly [number, number], currency: string): string {
  return `Enter ${either.map((amount) => editableText(amount, currency)).join(' or ')}.`;
}
