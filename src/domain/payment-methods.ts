// The ways to pay, each with the currencies it allows.

import { type Refusal, refuse } from './errors.ts';

interface PaymentMethodRule {
  /** Null: any currency. */
  readonly currencies: readonly string[] | null;
  /** The customer's part ends before the outcome is known. */
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

/** What the customer may choose from: what was asked for, else all that the account and the currency allow. */
export function offeredMethods(
  asked: readonly PaymentMethodType[] | undefined,
  enabled: readonly PaymentMethodType[],
  currency: string,
): readonly PaymentMethodType[] | Refusal {
  const usable = enabled.filter((type) => methodAllowsCurrency(type, currency));
  if (asked === undefined) {
    if (usable.length > 0) return usable;
    return refuse(
      'payment_method_not_enabled',
      `No payment method enabled for this account supports ${currency}. Enabled: ${enabled.join(', ') || 'none'}.`,
      'currency',
    );
  }
  for (const [index, type] of asked.entries()) {
    const param = `payment_method_types[${index}]`;
    if (!enabled.includes(type)) {
      return refuse(
        'payment_method_not_enabled',
        `\`${type}\` is not enabled for this account. Enable it with \`paydesk merchant update --methods\`, or remove it from the list.`,
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
  return asked;
}
