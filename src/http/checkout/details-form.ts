// What a customer enters about themselves, between the form, the cookie that keeps it and the page that shows it again.

import type { CheckoutSession } from '../../domain/checkout-session.ts';
import { type CustomerDetails, detailsToAsk } from '../../domain/customer-details.ts';
import {
  type DetailField,
  type DetailProblems,
  detailFields,
  readCustomerDetails,
} from '../../domain/read-customer-details.ts';
import type { DetailsForm } from './views.ts';

export type TypedDetails = Pick<DetailsForm, 'values' | 'sameAddress'>;

/** Longer ones are refused anyway. */
const maxValueLength = 300;

/** Null: the page asks for nothing. Until the customer says otherwise, one address is enough. */
export function detailsForm(session: CheckoutSession, kept: TypedDetails | null): DetailsForm | null {
  const asked = detailsToAsk(session);
  return asked.length === 0 ? null : { asked, ...(kept ?? { values: {}, sameAddress: true }) };
}

/** Null: the page asks for nothing, or there is no form. */
export function typedDetails(session: CheckoutSession, form: URLSearchParams | null): TypedDetails | null {
  const asked = detailsToAsk(session);
  if (form === null || asked.length === 0) return null;
  const values: Partial<Record<DetailField, string>> = {};
  for (const field of detailFields(asked)) values[field] = (form.get(field) ?? '').slice(0, maxValueLength);
  return { values, sameAddress: form.has('same_address') };
}

/** Undefined: the page asks for nothing. */
export function readDetails(
  session: CheckoutSession,
  typed: TypedDetails | null,
): CustomerDetails | { readonly problems: DetailProblems } | undefined {
  const asked = detailsToAsk(session);
  if (asked.length === 0) return undefined;
  const { values, sameAddress } = typed ?? { values: {}, sameAddress: true };
  return readCustomerDetails(asked, { field: (name) => values[name] ?? '', sameAddress });
}
