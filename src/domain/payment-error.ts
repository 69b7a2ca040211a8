// Why a payment attempt failed, as reported to merchants.

import type { PaymentError } from './payment-intent.ts';

const messages = {
  generic_decline: 'The bank declined the card without giving a reason.',
  insufficient_funds: 'The bank declined the card: insufficient funds.',
  lost_card: 'The bank declined the card: it was reported lost.',
  stolen_card: 'The bank declined the card: it was reported stolen.',
  expired_card: 'The card has expired.',
  incorrect_cvc: "The card's security code is incorrect.",
  processing_error: 'The payment could not be processed. Trying again may work.',
  bank_declined: "The payment was declined at the customer's bank.",
  authentication_failed: 'The customer failed or abandoned the authentication that the card requires.',
  customer_canceled: 'The customer canceled before the payment was confirmed, to choose another payment method.',
} as const;

export type FailureCode = keyof typeof messages;

export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(messages, code);
}

/** Failures with a `code` of their own; all others are declines. */
const ownCodes: readonly FailureCode[] = ['expired_card', 'incorrect_cvc', 'processing_error'];

/** Nothing was declined, so there is no decline code. */
const notDeclined: readonly FailureCode[] = ['authentication_failed', 'customer_canceled'];

/** `providerCode`: the acquirer's own code, which is more specific than `generic_decline`. */
export function paymentErrorFor(failure: FailureCode, providerCode?: string): PaymentError {
  const message = messages[failure];
  if (notDeclined.includes(failure)) return { code: failure, message };
  if (failure === 'bank_declined') return { code: 'payment_declined', decline_code: failure, message };
  const declineCode = failure === 'generic_decline' ? (providerCode ?? failure) : failure;
  return { code: ownCodes.includes(failure) ? failure : 'card_declined', decline_code: declineCode, message };
}
