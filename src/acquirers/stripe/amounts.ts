// Amounts in Stripe's units, which are not always ours. Conversion is exact; what Stripe cannot express is refused.
// Source: https://docs.stripe.com/currencies

import { currencyExponent, isCurrency } from '../../domain/currencies.ts';
import type { ChargeRefusal } from '../provider.ts';

/** Whole units at Stripe. */
const zeroDecimal = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
/** Written with two decimals at Stripe, which must be zero. */
const twoZeroDecimals = ['ISK', 'UGX'];
/** Three decimals, of which the last must be zero. */
const threeDecimals = ['BHD', 'JOD', 'KWD', 'OMR', 'TND'];
const unsupported = 'BTN CUC CUP ERN IQD IRR KPW LYD MRU SDG SSP STN SYP TMT VED VES ZWG ZWL'.split(' ');

/** Digits of the largest amount, in Stripe's units; eight for all other currencies. */
const maxDigits: Readonly<Record<string, number>> = { COP: 10, HUF: 10, IDR: 12, INR: 9, JPY: 10, LBP: 12 };

// Minimums are not checked here: they apply to the amount after conversion to the account's settlement currency, at the
// rate of the moment. Stripe refuses such a payment with `amount_too_small`, before any money moves.

/** In Stripe's units, or why Stripe cannot charge it. */
export function toStripe(currency: string, amount: number): number | ChargeRefusal {
  if (!isCurrency(currency) || unsupported.includes(currency))
    return { code: 'currency_not_supported', param: 'currency', message: `Stripe does not support ${currency}.` };
  const units = inStripeUnits(currency, amount);
  if (typeof units !== 'number') return units;
  const digits = maxDigits[currency] ?? 8;
  if (units >= 10 ** digits)
    return invalid(`Stripe cannot charge ${amount} in ${currency}: amounts have at most ${digits} digits.`);
  return units;
}

function inStripeUnits(currency: string, amount: number): number | ChargeRefusal {
  if (twoZeroDecimals.includes(currency)) return amount * 100;
  if (threeDecimals.includes(currency) && amount % 10 !== 0)
    return invalid(
      `Stripe charges ${currency} with two decimals only: \`amount\` must end in 0, and ${amount} does not.`,
    );
  // The Malagasy ariary has fifths in ISO 4217, but not at Stripe.
  if (zeroDecimal.includes(currency) && currencyExponent(currency) === 2) {
    if (amount % 100 !== 0)
      return invalid(`Stripe charges ${currency} without decimals: \`amount\` must end in 00, and ${amount} does not.`);
    return amount / 100;
  }
  return amount;
}

function invalid(message: string): ChargeRefusal {
  return { code: 'parameter_invalid', param: 'amount', message };
}

/** From Stripe's units to ours; null if there is no such amount here. Stripe writes currencies in lower case. */
export function fromStripe(stripeCurrency: string, units: number): { currency: string; amount: number } | null {
  const currency = stripeCurrency.toUpperCase();
  if (!isCurrency(currency) || units < 0) return null;
  if (twoZeroDecimals.includes(currency)) return units % 100 === 0 ? { currency, amount: units / 100 } : null;
  if (zeroDecimal.includes(currency) && currencyExponent(currency) === 2) return { currency, amount: units * 100 };
  return { currency, amount: units };
}

/** For operations, whose amount was accepted when the session was created. */
export function stripeUnits({ currency, amount }: { currency: string; amount: number }): number {
  const units = toStripe(currency, amount);
  if (typeof units !== 'number') throw new RangeError(units.message);
  return units;
}
