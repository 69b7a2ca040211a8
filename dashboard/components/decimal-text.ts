// Amounts as decimals: how many digits a currency has, and an amount as text.

/** As the service counts them: browsers know other numbers for some currencies. */
const withoutDecimals = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
const withThreeDecimals = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** How many digits the currency has after the decimal separator: 2 for EUR, 0 for JPY. */
export function digitsOf(currency: string): number {
  const code = currency.toUpperCase();
  return withoutDecimals.has(code) ? 0 : withThreeDecimals.has(code) ? 3 : 2;
}

/** As a decimal with a point, exact for every safe integer: 1250 with 2 digits is "12.50". */
export function decimalText(amount: number, digits: number): string {
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = digits === 0 ? '' : `.${text.slice(text.length - digits)}`;
  return (amount < 0 ? '-' : '') + whole + fraction;
}

/** As the viewer would type it: with their decimal separator, and without others. */
export function editableText(
  amount: number,
  currency: string,
  locales: readonly string[] = navigator.languages,
): string {
  const digits = digitsOf(currency);
  const format = new Intl.NumberFormat(locales, {
    numberingSystem: 'latn',
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(decimalText(amount, digits) as Intl.StringNumericLiteral);
}
