// The payment methods that customers are offered.

import type { MerchantSettings } from '../../api/settings.ts';
import { Checkbox } from '../../components/field.tsx';
import { methodName } from '../payments/payment-words.ts';
import { GroupError, type PartProps, SettingsPart } from './settings-part.tsx';

export function PaymentMethods({
  values: { payment_method_types: accepted },
  change,
  errors,
  available,
}: PartProps & { readonly available: MerchantSettings['available']['payment_methods'] }) {
  function toggle(type: string, isAccepted: boolean): void {
    // In the order in which customers see them.
    const order = available.map((method) => method.type);
    const next = isAccepted ? [...accepted, type] : accepted.filter((one) => one !== type);
    change({ payment_method_types: next.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)) });
  }
  return (
    <SettingsPart
      title="Payment methods"
      text="Customers are offered those that support the currency of their payment, unless a session names others."
    >
      <fieldset className="options">
        <legend className="visually-hidden">Accepted payment methods</legend>
        {available.map(({ type, currencies }) => (
          <Checkbox
            key={type}
            label={methodName(type)}
            hint={currencies === null ? 'All currencies' : currencies.join(', ')}
            checked={accepted.includes(type)}
            onChange={({ currentTarget: { checked } }) => toggle(type, checked)}
          />
        ))}
      </fieldset>
      <GroupError message={errors.at('payment_method_types')} />
    </SettingsPart>
  );
}
