// A merchant: who is paid, and the currencies and payment methods they accept.

import { defaultCurrencies } from './currencies.ts';
import type { Moment } from './moment.ts';
import { type PaymentMethodType, paymentMethodTypes } from './payment-methods.ts';
import type { ServingAccount } from './serving-account.ts';

export interface Merchant {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly currencies: readonly string[];
  readonly paymentMethodTypes: readonly PaymentMethodType[];
  /** The appearance of the merchant's pages. */
  readonly logoUrl: string | null;
  /** `#rrggbb`. */
  readonly accentColor: string | null;
  /** Whether customers get receipts and refund notices by e-mail, if the installation can send them. */
  readonly receipts: boolean;
  /** Where customers' replies to them go; null: nowhere. */
  readonly replyTo: string | null;
  /** The origins whose pages may embed the checkout, such as `https://shop.example`. */
  readonly embedOrigins: readonly string[];
  /** The enabled acquirer accounts, oldest first. */
  readonly acquirers: readonly ServingAccount[];
  /** Whether everybody who works for the merchant needs a second factor to use the dashboard. */
  readonly requiresSecondFactor: boolean;
  readonly createdAt: number;
}

/** In code points, as JSON Schema counts. */
export const maxMerchantNameLength = 200;

export function merchantNameProblem(name: string): string | null {
  if ([...name].length <= maxMerchantNameLength) return null;
  return `the name is too long; the limit is ${maxMerchantNameLength} characters`;
}

/** What customers see of a merchant. */
export type MerchantLook = Pick<Merchant, 'name' | 'logoUrl' | 'accentColor'>;

/** Whose data, and in which mode. Data of different scopes never mixes. */
export interface Scope {
  readonly merchantId: string;
  readonly livemode: boolean;
}

export function newMerchant(name: string, moment: Moment): Merchant {
  return {
    id: moment.newId('acct'),
    version: 0,
    name,
    currencies: defaultCurrencies,
    paymentMethodTypes,
    logoUrl: null,
    accentColor: null,
    receipts: true,
    replyTo: null,
    embedOrigins: [],
    acquirers: [],
    requiresSecondFactor: false,
    createdAt: moment.now,
  };
}
