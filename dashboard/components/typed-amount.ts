// Reads an amount as people type it, "12.50" or "12,5", into the currency's smallest unit.

import { digitsOf } from './money.tsx';

/** Null if it is not an amount of that currency. */
export function typedAmount(text: string, currency: string): number | null {
  const digits = digitsOf(currency);
  const found = /^\s*(\d{1,12})(?:[.,](\d{1,3}))?\s*$/.exec(text);
  const [, whole = '', fraction = ''] = found ?? [];
  if (found === null || fraction.length > digits) return null;
  const amount = Number(whole + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
}
