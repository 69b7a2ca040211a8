// What is left of a payment when its customer is erased: amounts, statuses and times stay, because books need them.

import type { CheckoutSession } from './checkout-session.ts';
import { emailOf } from './customer-details.ts';
import type { Payment } from './life-cycle.ts';
import { mailAddress } from './mail-address.ts';

/** In place of an address within a longer text. */
export const erasedText = '[erased]';

export function withoutDetails({ session, intent }: Payment): Payment {
  return {
    session: { ...session, customerEmail: null, customerDetails: null },
    intent: { ...intent, customerDetails: null },
  };
}

/** A customer, known by their address, in any upper and lower case. */
export interface ErasedCustomer {
  /** The same for all spellings of the address. */
  readonly address: string;
  /** Whether a text of this value, such as metadata of a merchant, contains the address. */
  isIn(value: unknown): boolean;
  /** The value without the address. */
  removedFrom<T>(value: T): T;
}

export function erasedCustomer(email: string): ErasedCustomer {
  const address = canonical(email);
  // Part of a longer address is another one.
  const mention = new RegExp(
    `(?<![\\p{L}\\p{N}.!#$%&'*+/=?^_\`{|}~-])(?:${[email.trim(), address].map(RegExp.escape).join('|')})(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`,
    'giu',
  );
  const isText = (text: string): boolean => text.search(mention) >= 0;
  function isIn(value: unknown): boolean {
    if (typeof value === 'string') return isText(value);
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(([key, inner]) => isText(key) || isIn(inner));
  }
  function removed(value: unknown): unknown {
    if (typeof value === 'string') return value.replace(mention, erasedText);
    if (Array.isArray(value)) return value.map(removed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key.replace(mention, erasedText), removed(inner)]),
    );
  }
  return { address, isIn, removedFrom: (value) => (isIn(value) ? (removed(value) as typeof value) : value) };
}

function canonical(email: string): string {
  const text = email.trim();
  return (mailAddress(text) ?? text).toLowerCase();
}

const textsOf = ({ metadata, description, lineItems }: CheckoutSession): unknown => [metadata, description, lineItems];

export function isSessionOf(customer: ErasedCustomer, session: CheckoutSession): boolean {
  const emails = [emailOf(session), session.customerEmail];
  return (
    emails.some((email) => email !== null && canonical(email) === customer.address) || customer.isIn(textsOf(session))
  );
}

export function withoutCustomer(customer: ErasedCustomer, payment: Payment): Payment {
  const { session, intent } = withoutDetails(payment);
  const { removedFrom } = customer;
  return {
    session: {
      ...session,
      metadata: removedFrom(session.metadata),
      description: removedFrom(session.description),
      lineItems: removedFrom(session.lineItems),
    },
    intent: {
      ...intent,
      metadata: removedFrom(intent.metadata),
      cancellationReason: removedFrom(intent.cancellationReason),
    },
  };
}

/** A response that is kept for requests that are repeated. What is known about a customer is erased with the address. */
export function responseWithoutCustomer(customer: ErasedCustomer, body: string): string | null {
  const value: unknown = JSON.parse(body);
  if (!customer.isIn(value)) return null;
  const fields = customer.removedFrom(value as Readonly<Record<string, unknown>>);
  const personal = ['customer_email', 'customer_details'].filter((field) => field in fields);
  return JSON.stringify({ ...fields, ...Object.fromEntries(personal.map((field) => [field, null])) });
}
