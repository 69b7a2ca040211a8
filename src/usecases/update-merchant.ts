// What a merchant may be paid in and with. Takes effect for sessions created within a second.

import { isCurrency } from '../domain/currencies.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import type { Merchant } from '../domain/merchant.ts';
import { isPaymentMethodType, paymentMethodTypes } from '../domain/payment-methods.ts';
import type { Store } from '../storage/store.ts';
import { type Decision, decideAndCommit, type Outcome } from './decide-and-commit.ts';

export interface MerchantPatch {
  readonly name?: string | undefined;
  readonly currencies?: readonly string[] | undefined;
  readonly methods?: readonly string[] | undefined;
}

export function updateMerchant(store: Store, merchantId: string, patch: MerchantPatch): Promise<Outcome<Merchant>> {
  return decideAndCommit(store, async () => {
    const merchant = await store.merchant(merchantId);
    if (merchant !== null) return decide(merchant, patch);
    return refuse(
      'parameter_invalid',
      `there is no merchant ${merchantId}; paydesk merchant list shows those there are`,
    );
  });
}

function decide(merchant: Merchant, patch: MerchantPatch): Decision<Merchant> | Refusal {
  const currencies = patch.currencies?.map((code) => code.toUpperCase());
  const badCurrency = currencies?.find((code) => !isCurrency(code));
  if (badCurrency !== undefined) {
    return refuse(
      'currency_not_supported',
      `${badCurrency} is not a supported currency; give ISO 4217 codes such as EUR,USD`,
    );
  }
  const badMethod = patch.methods?.find((type) => !isPaymentMethodType(type));
  if (badMethod !== undefined) {
    return refuse(
      'parameter_invalid',
      `${badMethod} is not a payment method; there are ${paymentMethodTypes.join(', ')}`,
    );
  }
  const methods = patch.methods?.filter(isPaymentMethodType);
  const updated: Merchant = {
    ...merchant,
    name: patch.name ?? merchant.name,
    currencies: currencies === undefined ? merchant.currencies : [...new Set(currencies)].sort(),
    paymentMethodTypes: methods === undefined ? merchant.paymentMethodTypes : [...new Set(methods)],
  };
  return { changes: { merchants: [updated] }, result: updated };
}
