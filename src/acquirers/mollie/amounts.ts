// Amounts as Mollie writes them: decimal strings with exactly the decimals of the currency. The conversion works on
// digits, so nothing is ever rounded.

import { currencyExponent, isCurrency } from '../../domain/currencies.ts';
import type { PaymentMethodType } from '../../domain/payment-methods.ts';
import type { Charge, ChargeRefusal } from '../provider.ts';

export interface MollieAmount {
  readonly currency: string;
  readonly value: string;
}

/** Currencies of card payments: https://docs.mollie.com/docs/multicurrency. All have the decimals of ISO 4217. */
export const cardCurrencies: readonly string[] =
  'AED AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY NOK NZD PLN RON SEK SGD USD ZAR'.split(' ');

interface MethodRule {
  readonly id: string;
  readonly currencies: readonly string[];
  /** Limits that hold for every account, in the smallest unit. Most maximums depend on the account instead. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Mollie can hold the money until it is captured. */
  readonly canBeHeld?: true;
}

/**
 * Our methods, with Mollie's names. `sepa_debit` is missing: Mollie collects direct debits only on a mandate that a first
 * payment by another method has given, so a customer cannot pay a checkout with it.
 */
export const methodRules = {
  card: { id: 'creditcard', currencies: cardCurrencies, canBeHeld: true },
  ideal: { id: 'ideal', currencies: ['EUR'], maximum: 5_000_000 },
  bancontact: { id: 'bancontact', currencies: ['EUR'], minimum: 2 },
  eps: { id: 'eps', currencies: ['EUR'], minimum: 100, maximum: 1_000_000 },
  blik: { id: 'blik', currencies: ['PLN'] },
  swish: { id: 'swish', currencies: ['SEK'] },
  twint: { id: 'twint', currencies: ['CHF'] },
} as const satisfies Partial<Record<PaymentMethodType, MethodRule>>;

export type MollieMethod = keyof typeof methodRules;

export const mollieMethods = Object.keys(methodRules) as readonly MollieMethod[];

export function isMollieMethod(method: PaymentMethodType): method is MollieMethod {
  return Object.hasOwn(methodRules, method);
}

export function mollieAmount(amount: number, currency: string): MollieAmount {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`${amount} is not an amount`);
  const decimals = currencyExponent(currency);
  const digits = String(amount).padStart(decimals + 1, '0');
  const value = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return { currency, value };
}

/** Null if it is not an amount in this currency, with exactly its decimals. */
export function unitsOf(amount: unknown, currency: string): number | null {
  if (typeof amount !== 'object' || amount === null || !('currency' in amount) || !('value' in amount)) return null;
  const { value } = amount;
  if (amount.currency !== currency || typeof value !== 'string' || !isCurrency(currency)) return null;
  const decimals = currencyExponent(currency);
  const pattern = decimals === 0 ? /^\d{1,15}$/ : new RegExp(`^\\d{1,13}\\.\\d{${decimals}}$`);
  if (!pattern.test(value)) return null;
  const units = Number(value.replace('.', ''));
  return Number.isSafeInteger(units) ? units : null;
}

export function refuseCharge({ method, currency, amount, captureMethod }: Charge): ChargeRefusal | null {
  const invalid = (param: ChargeRefusal['param'], message: string): ChargeRefusal => ({
    ...{ code: 'parameter_invalid', param, message },
  });
  if (!isMollieMethod(method)) {
    return invalid('payment_method_types', `Mollie cannot charge a one-off payment by \`${method}\`.`);
  }
  const rule: MethodRule = methodRules[method];
  if (!rule.currencies.includes(currency)) {
    const message = `Mollie does not support ${currency} for \`${method}\`.`;
    return { code: 'currency_not_supported', param: 'currency', message };
  }
  if (captureMethod === 'manual' && rule.canBeHeld !== true) {
    return invalid('capture_method', `Mollie charges \`${method}\` at once: it cannot be captured later.`);
  }
  const { minimum = 1, maximum } = rule;
  const written = (units: number): string => `${mollieAmount(units, currency).value} ${currency}`;
  if (amount < minimum) return invalid('amount', `Mollie's minimum for \`${method}\` is ${written(minimum)}.`);
  if (maximum !== undefined && amount > maximum) {
    return invalid('amount', `Mollie's maximum for \`${method}\` is ${written(maximum)}.`);
  }
  return null;
}
