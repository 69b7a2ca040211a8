// Money, formatted by currency and the viewer's locale. Amounts are integers in the currency's smallest unit.

import { classNames } from './class-names.ts';

/** As the service counts them: browsers know other numbers for some currencies. */
const withoutDecimals = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
const withThreeDecimals = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** How many digits the currency has after the decimal separator: 2 for EUR, 0 for JPY. */
export function digitsOf(currency: string): number {
  const code = currency.toUpperCase();
  return withoutDecimals.has(code) ? 0 : withThreeDecimals.has(code) ? 3 : 2;
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const code = currency.toUpperCase();
  const digits = digitsOf(code);
  const known =
    formats.get(code) ??
    new Intl.NumberFormat(navigator.languages, {
      style: 'currency',
      currency: code,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formats.set(code, known);
  return known;
}

export function formatMoney(amount: number, currency: string): string {
  return formatOf(currency).format(decimalText(amount, digitsOf(currency)) as Intl.StringNumericLiteral);
}

/** As a decimal with a point, exact for every safe integer: 1250 with 2 digits is "12.50". */
export function decimalText(amount: number, digits: number): string {
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = digits === 0 ? '' : `.${text.slice(text.length - digits)}`;
  return (amount < 0 ? '-' : '') + whole + fraction;
}

export function Money({
  amount,
  currency,
  strong = false,
  faint = false,
}: {
  readonly amount: number;
  readonly currency: string;
  readonly strong?: boolean;
  readonly faint?: boolean;
}) {
  return (
    <span className={classNames('number', strong && 'money-strong', faint && 'faint')}>
      {formatMoney(amount, currency)}
    </span>
  );
}
