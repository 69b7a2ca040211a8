// Stripe's decline codes in our words. What we do not know is a generic decline, with Stripe's code kept.
// Source: https://docs.stripe.com/declines/codes

import type { Decline, DeclineCode } from '../acquirer.ts';

const known: Readonly<Record<string, DeclineCode>> = {
  insufficient_funds: 'insufficient_funds',
  lost_card: 'lost_card',
  stolen_card: 'stolen_card',
  expired_card: 'expired_card',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  processing_error: 'processing_error',
  issuer_not_available: 'processing_error',
  reenter_transaction: 'processing_error',
  try_again_later: 'processing_error',
};

/** A card that was declined. The decline code is the more precise of the two. */
export function declineOf(code: string | null, declineCode: string | null): Decline {
  const providerCode = declineCode ?? code;
  const mapped = [declineCode, code].find((one) => one !== null && Object.hasOwn(known, one));
  const ours = mapped === undefined || mapped === null ? undefined : known[mapped];
  return { code: ours ?? 'generic_decline', ...(providerCode === null ? {} : { providerCode }) };
}

/** A request that Stripe refused because it makes no sense to it: never a success, and nothing the customer can fix. */
export function refusedRequest(error: { readonly code: string | null; readonly type: string }): Decline {
  return { code: 'processing_error', providerCode: error.code ?? error.type };
}
