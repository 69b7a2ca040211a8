// Reads what a customer entered about themselves. Nothing is corrected by guessing: what is not clear is asked again.

import { latinDigits } from './card.ts';
import { isCountry, needsPostalCode, needsState } from './countries.ts';
import type { Address, CollectableDetail, CustomerDetails } from './customer-details.ts';
import { mailAddress } from './mail-address.ts';
import { maskCardNumbers } from './scrub-numbers.ts';

export const addressKinds = ['shipping', 'billing'] as const;
export type AddressKind = (typeof addressKinds)[number];
export const addressParts = ['line1', 'line2', 'city', 'postal_code', 'state', 'country'] as const;
export type AddressPart = (typeof addressParts)[number];

/** The fields of the form. */
export type DetailField = 'email' | 'phone' | 'full_name' | `${AddressKind}_${AddressPart}`;
export type DetailProblem = 'missing' | 'invalid';
export type DetailProblems = Partial<Record<DetailField, DetailProblem>>;

export const maxDetailLengths: Readonly<Record<'email' | 'phone' | 'full_name' | AddressPart, number>> = {
  email: 254,
  phone: 30,
  full_name: 150,
  line1: 150,
  line2: 150,
  city: 100,
  postal_code: 20,
  state: 100,
  country: 2,
};

/** A name is asked for with an address: parcels and invoices need one. */
export function detailFields(asked: readonly CollectableDetail[]): readonly DetailField[] {
  const kinds = addressKinds.filter((kind) => asked.includes(`${kind}_address`));
  return [
    ...(asked.includes('email') ? (['email'] as const) : []),
    ...(asked.includes('phone') ? (['phone'] as const) : []),
    ...(kinds.length > 0 ? (['full_name'] as const) : []),
    ...kinds.flatMap((kind) => addressParts.map((part): DetailField => `${kind}_${part}`)),
  ];
}

export interface TypedDetails {
  /** What was entered in a field; empty: nothing. */
  readonly field: (name: DetailField) => string;
  /** Both addresses are asked for, and the second is the same as the first. */
  readonly sameAddress: boolean;
}

export function readCustomerDetails(
  asked: readonly CollectableDetail[],
  { field, sameAddress }: TypedDetails,
): CustomerDetails | { readonly problems: DetailProblems } {
  const problems: DetailProblems = {};
  function read(name: DetailField, valid: (text: string) => string | null, isNeeded = true): string | null {
    const text = cleaned(withoutInvisible(name, field(name)));
    if (text === '') {
      if (isNeeded) problems[name] = 'missing';
      return null;
    }
    const limit = maxDetailLengths[name.replace(/^(?:shipping|billing)_/, '') as keyof typeof maxDetailLengths];
    const value = text.length > limit ? null : valid(text);
    if (value === null) problems[name] = 'invalid';
    return value;
  }
  function address(kind: AddressKind): Address | null {
    const country = read(`${kind}_country`, readCountry);
    const known = country ?? '';
    const line1 = read(`${kind}_line1`, readText);
    const line2 = read(`${kind}_line2`, readText, false);
    const city = read(`${kind}_city`, readText);
    const postalCode = read(`${kind}_postal_code`, readText, known !== '' && needsPostalCode(known));
    const state = read(`${kind}_state`, readText, needsState(known));
    if (country === null || line1 === null || city === null) return null;
    return { line1, line2, city, postal_code: postalCode, state, country };
  }
  const email = asked.includes('email') ? read('email', readEmail) : null;
  const phone = asked.includes('phone') ? read('phone', readPhone) : null;
  const asksAddress = asked.includes('shipping_address') || asked.includes('billing_address');
  const name = asksAddress ? read('full_name', readText) : null;
  const shipping = asked.includes('shipping_address') ? address('shipping') : null;
  const isSame = sameAddress && asked.includes('shipping_address');
  const billing = !asked.includes('billing_address') ? null : isSame ? shipping : address('billing');
  if (Object.keys(problems).length > 0) return { problems };
  return { email, phone, name, billing_address: billing, shipping_address: shipping };
}

/**
 * Marks of the writing direction and the like, which are copied with an address or a number. An e-mail address keeps joiners,
 * and is refused: without them it would be another address in some scripts.
 */
function withoutInvisible(name: DetailField, text: string): string {
  if (name === 'phone') return text.replace(/\p{Cf}/gu, '');
  return name === 'email' ? text.replace(/(?![\u200c\u200d])\p{Cf}/gu, '') : text;
}

/** One line, without control characters. */
function cleaned(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** A card number that was entered in the wrong field must not be stored. */
function readText(text: string): string | null {
  return /[\p{L}\p{N}]/u.test(text) && maskCardNumbers(text) === text ? text : null;
}

/** A domain without a dot is a typing error more often than an address. */
function readEmail(text: string): string | null {
  return mailAddress(text)?.includes('.', text.lastIndexOf('@')) === true ? text : null;
}

/** `+49 (0)30 …`: the zero is dialled only within the country. In Italy and San Marino it is part of the number. */
const domesticZero = /^(\(?(?:\+|00)\s*(?!(?:39|378)\D)[1-9]\d{0,2}\)?[\s.\-/\u2010-\u2015]*)\(\s*0\s*\)/;

/**
 * Without separators. An international number has up to 15 digits; a national one is shorter than the number of a card,
 * which must not be stored.
 */
function readPhone(text: string): string | null {
  const digits = latinDigits(text)
    .replace(domesticZero, '$1')
    .replace(/[\s().\-/\u2010-\u2015]/g, '');
  return /^(?:(?:\+|00)[1-9]\d{5,14}|\d{5,11})$/.test(digits) ? digits : null;
}

function readCountry(text: string): string | null {
  return isCountry(text) ? text : null;
}
