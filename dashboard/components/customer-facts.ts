// What is known about a customer, as facts: whom to write to, and where to send the order.

import type { PaymentDetail } from '../api/types.ts';
import type { Fact } from './details.tsx';

type Customer = PaymentDetail['customer'];
type Address = NonNullable<Customer['shipping_address']>;

/** Besides the e-mail address, only what the customer was asked for. */
export function customerFacts(customer: Customer | null): readonly (Fact | null)[] {
  if (customer === null) return [];
  const { name, phone, shipping_address: shipping, billing_address: billing } = customer;
  const given = (label: string, value: string | null) => (value === null ? null : { name: label, value });
  const at = (label: string, address: Address | null) => given(label, address === null ? null : lineOf(address));
  return [given('Name', name), given('Phone', phone), at('Shipping address', shipping), at('Billing address', billing)];
}

function lineOf({ line1, line2, postal_code: postalCode, city, state, country }: Address): string {
  const place = [postalCode, city].filter((part) => part !== null).join(' ');
  return [line1, line2, place, state, country].filter((part) => part !== null).join(', ');
}
