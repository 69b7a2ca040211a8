// The test payment methods, with what happens when they are charged.

export interface TestCard {
  readonly last4: string;
  readonly brand: string;
  readonly decline?: { readonly code: string; readonly declineCode?: string };
  readonly challenge?: true;
  readonly dispute?: 'fraudulent' | 'inquiry';
  readonly refund?: 'pending' | 'fails';
}

const visa = (last4: string, more: Omit<TestCard, 'last4' | 'brand'> = {}): TestCard => ({
  last4,
  brand: 'visa',
  ...more,
});

const declined = (last4: string, declineCode: string): TestCard =>
  visa(last4, { decline: { code: 'card_declined', declineCode } });

export const testCards: Readonly<Record<string, TestCard>> = {
  card_visa: visa('4242'),
  card_mastercard: { last4: '4444', brand: 'mastercard' },
  card_visa_chargeDeclined: declined('0002', 'generic_decline'),
  card_chargeDeclined: declined('0002', 'generic_decline'),
  card_chargeDeclinedInsufficientFunds: declined('9995', 'insufficient_funds'),
  card_visa_chargeDeclinedInsufficientFunds: declined('9995', 'insufficient_funds'),
  card_visa_chargeDeclinedLostCard: declined('9987', 'lost_card'),
  card_visa_chargeDeclinedStolenCard: declined('9979', 'stolen_card'),
  card_visa_chargeDeclinedFraudulent: declined('0019', 'fraudulent'),
  card_chargeDeclinedExpiredCard: visa('0069', { decline: { code: 'expired_card' } }),
  card_chargeDeclinedIncorrectCvc: visa('0127', { decline: { code: 'incorrect_cvc' } }),
  card_chargeDeclinedProcessingError: visa('0119', { decline: { code: 'processing_error' } }),
  card_threeDSecure2Required: visa('3220', { challenge: true }),
  card_threeDSecureRequired: visa('3063', { challenge: true }),
  card_threeDSecureRequiredChargeDeclined: visa('3097', {
    challenge: true,
    decline: { code: 'card_declined', declineCode: 'generic_decline' },
  }),
  card_createDispute: visa('0259', { dispute: 'fraudulent' }),
  card_createDisputeInquiry: visa('1976', { dispute: 'inquiry' }),
  card_pendingRefund: visa('7726', { refund: 'pending' }),
  card_refundFail: visa('5126', { refund: 'fails' }),
};

/** A payment method, or what a confirmation token contains: `pm_card_visa`, `ctoken_card_visa`. */
export function cardOf(id: string, prefix: 'pm_' | 'ctoken_'): TestCard | undefined {
  const name = id.startsWith(prefix) ? id.slice(prefix.length) : '';
  return Object.hasOwn(testCards, name) ? testCards[name] : undefined;
}
