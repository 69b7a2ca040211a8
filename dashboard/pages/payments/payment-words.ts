// Statuses, methods and reasons in words.

import type { ListedPayment, PaymentCountsBody } from '../../api/types.ts';
import type { Tone } from '../../components/badge.tsx';

interface StatusWords {
  readonly label: string;
  readonly tone: Tone;
}

export type ListedStatus = Exclude<keyof PaymentCountsBody, 'all' | 'capped' | 'capped_counts'>;

/** In the order of the tabs. */
const statuses = {
  succeeded: { label: 'Succeeded', tone: 'good' },
  processing: { label: 'Processing', tone: 'busy' },
  requires_action: { label: 'Requires action', tone: 'warn' },
  requires_capture: { label: 'Uncaptured', tone: 'warn' },
  requires_payment_method: { label: 'Incomplete', tone: 'neutral' },
  canceled: { label: 'Canceled', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
  refunded: { label: 'Refunded', tone: 'neutral' },
  disputed: { label: 'Disputed', tone: 'bad' },
} as const satisfies Readonly<Record<ListedStatus, StatusWords>>;

export const statusNames = Object.keys(statuses) as readonly ListedStatus[];

export function statusWords(status: string): StatusWords {
  const known: Readonly<Record<string, StatusWords>> = statuses;
  return known[status] ?? { label: spaced(status), tone: 'neutral' };
}

type Money = Pick<ListedPayment, 'status' | 'amount_captured' | 'amount_refunded' | 'last_payment_error'>;

/** What a payment is called, which says more than its status: refunded, or failed. */
export function paymentState({ status, amount_captured, amount_refunded, last_payment_error }: Money): StatusWords {
  if (status === 'succeeded' && amount_refunded > 0)
    return amount_refunded >= amount_captured
      ? { label: 'Refunded', tone: 'neutral' }
      : { label: 'Partly refunded', tone: 'neutral' };
  if (status === 'requires_payment_method' && last_payment_error !== null) return { label: 'Failed', tone: 'bad' };
  return statusWords(status);
}

const methods: Readonly<Record<string, string>> = {
  card: 'Card',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  eps: 'eps',
  blik: 'BLIK',
  pix: 'Pix',
  promptpay: 'PromptPay',
  swish: 'Swish',
  twint: 'TWINT',
  sepa_debit: 'SEPA Direct Debit',
  oxxo: 'OXXO',
};

export const methodTypes: readonly string[] = Object.keys(methods);

export function methodName(type: string): string {
  return methods[type] ?? spaced(type);
}

export function methodNames(types: readonly string[]): string {
  return types.map(methodName).join(', ');
}

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
};

export function methodText(method: ListedPayment['payment_method']): string | null {
  if (method === null) return null;
  const { card } = method;
  return card === undefined
    ? methodName(method.type)
    : `${brands[card.brand] ?? spaced(card.brand)} •••• ${card.last4}`;
}

const declines: Readonly<Record<string, string>> = {
  generic_decline: 'Declined without a reason',
  insufficient_funds: 'Insufficient funds',
  lost_card: 'Card reported lost',
  stolen_card: 'Card reported stolen',
  expired_card: 'Card expired',
  incorrect_cvc: 'Wrong security code',
  processing_error: 'Processing error',
  bank_declined: "Declined at the customer's bank",
  authentication_failed: 'Authentication failed',
  customer_canceled: 'Canceled by the customer',
  card_declined: 'Card declined',
  payment_declined: 'Payment declined',
};

export function declineText(code: string): string {
  return declines[code] ?? spaced(code);
}

/** "do_not_honor" as "Do not honor". */
export function spaced(code: string): string {
  const text = code.replaceAll(/[_.]/g, ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
