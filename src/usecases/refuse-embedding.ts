// Whether a session can be embedded: methods that leave the shop's page need a page to come back to.

import { AcquirerSilent } from '../acquirers/acquirer.ts';
import type { Acquirers } from '../acquirers/acquirers.ts';
import type { CheckoutSession } from '../domain/checkout-session.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';
import { serverOf } from '../domain/serving-account.ts';

export type EmbeddingAcquirers = Pick<Acquirers, 'cardFields'>;

type Terms = Pick<
  CheckoutSession,
  'livemode' | 'uiMode' | 'returnUrl' | 'paymentMethodTypes' | 'amount' | 'currency' | 'captureMethod'
>;

/** Null if the session is hosted, or can be embedded. */
export async function refuseEmbedding(
  acquirers: EmbeddingAcquirers,
  merchant: Pick<Merchant, 'id' | 'acquirers'>,
  session: Terms,
): Promise<Refusal | null> {
  if (session.uiMode === 'hosted' || session.returnUrl !== null) return null;
  const redirects: PaymentMethodType[] = [];
  for (const method of session.paymentMethodTypes) {
    if (method !== 'card' || (await isPaidElsewhere(acquirers, merchant, session))) redirects.push(method);
  }
  if (redirects.length === 0) return null;
  const names = redirects.map((method) => `\`${method}\``).join(', ');
  const others = redirects.includes('card') ? '' : ', or offer only methods without a redirect, such as `["card"]`';
  return refuse(
    'parameter_missing',
    `Customers who pay by ${names} are redirected, and must be able to come back: send \`return_url\` with an embedded session${others}.`,
    'return_url',
  );
}

/** Whether a card is entered on the provider's page. An account that cannot be used is asked again when it is paid. */
async function isPaidElsewhere(
  acquirers: EmbeddingAcquirers,
  merchant: Pick<Merchant, 'id' | 'acquirers'>,
  { livemode, amount, currency, captureMethod }: Terms,
): Promise<boolean> {
  const acquirerId = serverOf(merchant.acquirers, livemode, 'card')?.acquirerId ?? null;
  if (acquirerId === null) return false;
  try {
    const place = { acquirerId, merchantId: merchant.id, livemode };
    return (await acquirers.cardFields(place, { amount, currency, captureMethod })) === null;
  } catch (error) {
    if (error instanceof AcquirerSilent) return false;
    throw error;
  }
}
