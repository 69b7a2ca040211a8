// Money, formatted by currency and the viewer's locale. Amounts are integers in the currency's smallest unit.

import { classNames } from './class-names.ts';
import { decimalText, digitsOf } from './decimal-text.ts';

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
