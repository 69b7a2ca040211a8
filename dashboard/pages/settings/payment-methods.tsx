// The payment methods that customers are offered.

import { Checkbox } from '../../components/field.tsx';
import { methodName } from '../payments/payment-words.ts';
import { GroupError, type PartProps, SettingsPart } from './settings-part.tsx';
import type { EditableSettings } from './use-settings-draft.ts';

type PaymentMethodType = EditableSettings['payment_method_types'][number];

export function PaymentMethods({
  values: { payment_method_types: accepted },
  change,
  errors,
  available,
}: PartProps & { readonly available: readonly PaymentMethodType[] }) {
  function toggle(type: PaymentMethodType, isAccepted: boolean): void {
    // In the order in which customers see them.
    const next = isAccepted ? [...accepted, type] : accepted.filter((one) => one !== type);
    change({ payment_method_types: next.toSorted((a, b) => available.indexOf(a) - available.indexOf(b)) });
  }
  return (
    <SettingsPart
      title="Payment methods"
      text="Customers are offered those that support the currency of their payment, unless a session names others."
    >
      <fieldset className="options">
        <legend className="visually-hidden">Accepted payment methods</legend>
        {available.map((type) => (
          <Checkbox
            key={type}
            label={methodName(type)}
            checked={accepted.includes(type)}
            onChange={({ currentTarget: { checked } }) => toggle(type, checked)}
          />
        ))}
      </fieldset>
      <GroupError message={errors.at('payment_method_types')} />
    </SettingsPart>
  );
}
