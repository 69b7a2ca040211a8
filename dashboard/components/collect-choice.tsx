// Which details the checkout page asks the customer for, as checkboxes in forms and as words.

import { useId } from 'react';
import type { NewPaymentLink } from '../../src/http/dashboard/api-types.ts';

type Detail = NonNullable<NewPaymentLink['collect']>[number];

const labels: Readonly<Record<Detail, string>> = {
  email: 'Email address',
  phone: 'Phone number',
  shipping_address: 'Shipping address',
  billing_address: 'Billing address',
};
const details = Object.keys(labels) as Detail[];

export function CollectChoice() {
  const id = useId();
  return (
    <fieldset className="choices" aria-describedby={`${id}-hint`}>
      <legend>Ask the customer for</legend>
      <div className="choices-grid">
        {details.map((detail) => (
          <label key={detail} htmlFor={`${id}-${detail}`} className="choice">
            <input id={`${id}-${detail}`} type="checkbox" name="collect" value={detail} />
            {labels[detail]}
          </label>
        ))}
      </div>
      <p id={`${id}-hint`} className="field-hint">
        Optional. Customers must enter what you choose.
      </p>
    </fieldset>
  );
}

/** What was chosen, as a field of the API's request. */
export function chosenDetails(fields: FormData): { collect?: Detail[] } {
  const chosen = new Set(fields.getAll('collect'));
  const collect = details.filter((detail) => chosen.has(detail));
  return collect.length === 0 ? {} : { collect };
}

/** For example "Email address, phone number". */
export function collectText(collect: readonly Detail[]): string {
  const text = details
    .filter((detail) => collect.includes(detail))
    .map((detail) => labels[detail].toLowerCase())
    .join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
