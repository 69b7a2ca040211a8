// What is known about a customer: what the merchant passed with the session, and what the customer entered on the page.
// The fields are named as in the API, and stored like this.

import type { CheckoutSession } from './checkout-session.ts';

/** What the page can ask for. */
export const collectableDetails = ['email', 'phone', 'billing_address', 'shipping_address'] as const;
export type CollectableDetail = (typeof collectableDetails)[number];

export interface Address {
  readonly line1: string;
  readonly line2: string | null;
  readonly city: string;
  readonly postal_code: string | null;
  readonly state: string | null;
  /** An ISO 3166-1 code, such as `DE`. */
  readonly country: string;
}

export interface CustomerDetails {
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
  readonly billing_address: Address | null;
  readonly shipping_address: Address | null;
}

type OfSession = Pick<CheckoutSession, 'customerEmail' | 'customerDetails'>;

/** What the page asks for: all that the merchant wants to know and has not passed with the session. */
export function detailsToAsk({
  collect,
  customerEmail,
}: Pick<CheckoutSession, 'collect' | 'customerEmail'>): readonly CollectableDetail[] {
  return customerEmail === null ? collect : collect.filter((detail) => detail !== 'email');
}

/** The address for messages about the payment: what the customer entered, or else what the merchant passed. */
export function emailOf({ customerEmail, customerDetails }: OfSession): string | null {
  return customerDetails?.email ?? customerEmail;
}

/** Null if nothing is known. */
export function detailsOf(session: OfSession): CustomerDetails | null {
  const { customerDetails } = session;
  const email = emailOf(session);
  if (customerDetails !== null) return { ...customerDetails, email };
  return email === null ? null : { email, phone: null, name: null, billing_address: null, shipping_address: null };
}

/** An address on one line. */
export function addressLine({ line1, line2, postal_code: postalCode, city, state, country }: Address): string {
  const place = [postalCode, city].filter((part) => part !== null).join(' ');
  return [line1, line2, place, state, country].filter((part) => part !== null).join(', ');
}
