// An amount and its currency, side by side.

import { useState } from 'react';
import { useAcceptedCurrencies } from '../api/accepted-currencies.ts';
import { editableText } from './decimal-text.ts';
import { Field, Select } from './field.tsx';

/** The names of the fields in the form. */
export const amountFields = { amount: 'amount', currency: 'currency' } as const;

export function AmountField({
  error,
  currencyError,
  withAmount = true,
}: {
  readonly error?: string | null;
  readonly currencyError?: string | null;
  /** Without: the currency only. */
  readonly withAmount?: boolean;
}) {
  const { currencies, preferred } = useAcceptedCurrencies();
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = chosen ?? preferred;
  return (
    <div className={withAmount ? 'amount-fields' : undefined}>
      {withAmount && (
        <Field
          label="Amount"
          name={amountFields.amount}
          inputMode="decimal"
          autoComplete="off"
          placeholder={editableText(0, currency)}
          required
          error={error}
        />
      )}
      <Select
        label="Currency"
        name={amountFields.currency}
        value={currency}
        onChange={(event) => setChosen(event.currentTarget.value)}
        error={currencyError}
      >
        {currencies.map((code) => (
          <option key={code} value={code}>
            {code}
          </option>
        ))}
      </Select>
    </div>
  );
}
