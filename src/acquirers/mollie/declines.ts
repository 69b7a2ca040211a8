// Mollie's reasons for a failed payment, in our codes.

import type { Decline, DeclineCode } from '../acquirer.ts';

const codes: Readonly<Record<string, DeclineCode>> = {
  insufficient_funds: 'insufficient_funds',
  card_expired: 'expired_card',
  invalid_cvv: 'incorrect_cvc',
};

/** Only cards have a reason. */
export function declineOf(method: string | null, failureReason: string | null): Decline {
  const unspecific: DeclineCode = method === 'creditcard' ? 'generic_decline' : 'bank_declined';
  const code = (failureReason === null ? undefined : codes[failureReason]) ?? unspecific;
  return failureReason === null ? { code } : { code, providerCode: failureReason };
}
