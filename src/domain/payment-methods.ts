// The payment methods, each with the currencies it supports.

import { type Refusal, refuse } from './errors.ts';

interface PaymentMethodRule {
  /** Null: any currency. */
  readonly currencies: readonly string[] | null;
  /** The customer is done before the outcome is known. */
  readonly settlesLater: boolean;
}

const rules = {
  card: { currencies: null, settlesLater: false },
  ideal: { currencies: ['EUR'], settlesLater: false },
  bancontact: { currencies: ['EUR'], settlesLater: false },
  eps: { currencies: ['EUR'], settlesLater: false },
  blik: { currencies: ['PLN'], settlesLater: false },
  pix: { currencies: ['BRL'], settlesLater: false },
  promptpay: { currencies: ['THB'], settlesLater: false },
  swish: { currencies: ['SEK'], settlesLater: false },
  twint: { currencies: ['CHF'], settlesLater: false },
  sepa_debit: { currencies: ['EUR'], settlesLater: true },
  oxxo: { currencies: ['MXN'], settlesLater: true },
} as const satisfies Record<string, PaymentMethodRule>;

export type PaymentMethodType = keyof typeof rules;

export const paymentMethodTypes = Object.keys(rules) as readonly PaymentMethodType[];

export function isPaymentMethodType(text: string): text is PaymentMethodType {
  return Object.hasOwn(rules, text);
}

export function methodSettlesLater(type: PaymentMethodType): boolean {
  return rules[type].settlesLater;
}

export function methodAllowsCurrency(type: PaymentMethodType, currency: string): boolean {
  const rule: PaymentMethodRule = rules[type];
  return rule.currencies?.includes(currency) ?? true;
}

/** The methods offered to the customer: the requested ones, or all that the account and the currency allow. */
export function offeredMethods(
  requested: readonly PaymentMethodType[] | undefined,
  enabled: readonly PaymentMethodType[],
  currency: string,
): readonly PaymentMethodType[] | Refusal {
  const usable = enabled.filter((type) => methodAllowsCurrency(type, currency));
  if (requested === undefined) {
    if (usable.length > 0) return usable;
    return refuse(
      'payment_method_not_enabled',
      `No payment method enabled for this account supports ${currency}. Enabled: ${enabled.join(', ') || 'none'}.`,
      'currency',
    );
  }
  for (const [index, type] of requested.entries()) {
    const param = `payment_method_types[${index}]`;
    if (!enabled.includes(type)) {
      return refuse(
        'payment_method_not_enabled',
        `\`${type}\` is not enabled for this account. Enable it in the settings of the dashboard or with \`paydesk merchant update --methods\`, or remove it from the list.`,
        param,
      );
    }
    if (!methodAllowsCurrency(type, currency)) {
      return refuse(
        'payment_method_not_enabled',
        `\`${type}\` does not support ${currency}. Remove it from the list.`,
        param,
      );
    }
  }
  return requested;
}
