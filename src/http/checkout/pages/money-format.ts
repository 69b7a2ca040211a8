// Formats amounts for the customer. Decimals follow ISO, as charged; ICU's own table differs for some currencies.

import { currencyExponent } from '../../../domain/currencies.ts';

const maxFormatters = 400;
const formatters = new Map<string, Intl.NumberFormat>();

function formatterFor(locale: string, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const digits = currencyExponent(currency);
  const formatter = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  if (formatters.size >= maxFormatters) {
    const oldest = formatters.keys().next();
    if (!oldest.done) formatters.delete(oldest.value);
  }
  formatters.set(key, formatter);
  return formatter;
}

/** How many formatters are cached; used to test the limit. */
export function heldFormatters(): number {
  return formatters.size;
}

/** 1250 with two decimals is `12.50`. Works on digits rather than dividing, so it is exact at any size. */
export function decimalText(amountMinor: number | bigint, decimals: number): Intl.StringNumericLiteral {
  const digits = String(amountMinor).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return text as Intl.StringNumericLiteral;
}

export function formatMoney(amountMinor: number | bigint, currency: string, locale: string): string {
  return formatterFor(locale, currency).format(decimalText(amountMinor, currencyExponent(currency)));
}

/**
 * For a field that the customer can change: with the decimal separator of their language and Latin digits, without
 * separators between thousands. `readTypedAmount` reads it as the same amount.
 */
export function editableAmount(amountMinor: number, currency: string, locale: string): string {
  const digits = currencyExponent(currency);
  const format = new Intl.NumberFormat(locale, {
    numberingSystem: 'latn',
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(decimalText(amountMinor, digits));
}
