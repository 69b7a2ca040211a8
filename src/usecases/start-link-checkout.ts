// A customer continues from a payment link: creates an ordinary checkout session with the link's terms. The id of the
// session comes from the form, so that a form that is submitted twice, or again after going back, creates one.

import type { CheckoutSession } from '../domain/checkout-session.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { PaymentLink } from '../domain/payment-link.ts';
import { decideSession } from './create-checkout-session.ts';
import type { PaymentLinkDeps } from './create-payment-link.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';

export interface LinkCheckout {
  readonly sessionId: string;
  /** What the customer entered on an open link. */
  readonly amount: number;
  /** Where customers can start again if they cancel, or if their session expires. */
  readonly linkUrl: string;
}

export function startLinkCheckout(
  deps: PaymentLinkDeps,
  { link, merchant }: { readonly link: PaymentLink; readonly merchant: Merchant },
  { sessionId, amount, linkUrl }: LinkCheckout,
): Promise<Outcome<CheckoutSession>> {
  const owner = { merchant, livemode: link.livemode };
  // In live mode only https is accepted, and a service on a private network may have none.
  const cancelUrl = link.livemode && !linkUrl.startsWith('https:') ? null : linkUrl;
  const request = {
    amount,
    currency: link.currency,
    returnUrl: link.redirectUrl,
    cancelUrl,
    metadata: link.metadata,
    captureMethod: link.captureMethod,
    paymentMethodTypes: link.paymentMethodTypes ?? undefined,
    description: link.description,
    customerEmail: null,
    collect: link.collect,
    locale: 'auto',
    lineItems: link.lineItems,
  };
  return decideAndCommit(deps.store, async (round) => {
    const existing = round === 0 ? null : await deps.store.find('checkoutSessions', link, sessionId);
    if (existing !== null) return { changes: {}, result: existing };
    return decideSession(deps, owner, request, { paymentLinkId: link.id, sessionId });
  });
}
