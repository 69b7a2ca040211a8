// Mollie's amounts: decimal strings with exactly the decimals of the currency. Written separately from the connector, so
// that a mistake in one does not hide in the other.

import { MollieError } from './mollie-error.ts';

export interface Amount {
  readonly currency: string;
  readonly value: string;
}

const decimals: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'AED AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS NOK NZD PLN RON SEK SGD USD ZAR'.split(' ').map((code) => [code, 2]),
  ),
  ISK: 0,
  JPY: 0,
};

export function minorUnits(amount: unknown, field = 'amount'): { readonly currency: string; readonly units: number } {
  if (typeof amount !== 'object' || amount === null) {
    throw new MollieError(422, `The '${field}' field is missing`, field);
  }
  const { currency, value, ...others } = amount as Record<string, unknown>;
  if (Object.keys(others).length > 0) throw new MollieError(422, 'The amount contains unknown fields', field);
  if (typeof currency !== 'string' || !Object.hasOwn(decimals, currency)) {
    throw new MollieError(422, 'The amount contains an invalid currency', field);
  }
  const places = decimals[currency] ?? 0;
  const pattern = places === 0 ? /^\d{1,12}$/ : new RegExp(`^\\d{1,12}\\.\\d{${places}}$`);
  if (typeof value !== 'string' || !pattern.test(value)) {
    throw new MollieError(422, 'The amount contains an invalid value', field);
  }
  return { currency, units: Number(value.replace('.', '')) };
}

export function amountOf(units: number, currency: string): Amount {
  const places = decimals[currency] ?? 0;
  const digits = String(units).padStart(places + 1, '0');
  const value = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return { currency, value };
}
