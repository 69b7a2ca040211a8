// Whether the merchant or the customer decides on the amount.

import { useId } from 'react';
import type { PriceKind } from './link-terms.ts';

const kinds = [
  { value: 'fixed', label: 'Fixed price' },
  { value: 'open', label: 'Customer chooses what to pay' },
] as const;

export function PriceChoice({
  kind,
  onChange,
}: {
  readonly kind: PriceKind;
  readonly onChange: (kind: PriceKind) => void;
}) {
  const id = useId();
  return (
    <fieldset className="choices">
      <legend>Price</legend>
      {kinds.map(({ value, label }) => (
        <label key={value} htmlFor={`${id}-${value}`} className="choice">
          <input
            id={`${id}-${value}`}
            type="radio"
            name="type"
            value={value}
            checked={kind === value}
            onChange={() => onChange(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
