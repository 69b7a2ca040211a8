// Names of payment methods and card brands as their owners spell them; only the generic ones are translated.

import type { KnownBrand } from '../../../domain/card-brands.ts';
import type { PaymentMethodType } from '../../../domain/payment-methods.ts';
import type { Texts } from './translations/texts.ts';

const properNames = {
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  eps: 'EPS',
  blik: 'BLIK',
  pix: 'Pix',
  promptpay: 'PromptPay',
  swish: 'Swish',
  twint: 'TWINT',
  oxxo: 'OXXO',
} as const;

export function methodName(type: PaymentMethodType, texts: Texts): string {
  if (type === 'card') return texts.card;
  if (type === 'sepa_debit') return texts.sepaDebit;
  return properNames[type];
}

const brands: Readonly<Record<KnownBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
};
const namesOfBrands: ReadonlyMap<string, string> = new Map(Object.entries(brands));

export function brandName(brand: KnownBrand): string {
  return brands[brand];
}

/** "Visa •••• 4242"; an unknown brand is just a card. */
export function cardName(brand: string | undefined, last4: string | undefined, texts: Texts): string {
  const name = namesOfBrands.get(brand ?? '') ?? texts.card;
  return last4 === undefined ? name : `${name} •••• ${last4}`;
}
