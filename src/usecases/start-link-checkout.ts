// A customer continues from a payment link: creates an ordinary checkout session with the link's terms. The visit is its
// idempotency key, so that a form that is submitted twice, or again after going back, creates one. Merchants' keys are
// UUIDs, and never equal to the id of a visit.

import type { CheckoutSession } from '../domain/checkout-session.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import { type IdempotencyRecord, openResponse, sealResponse } from '../domain/idempotency.ts';
import { isId } from '../domain/ids.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Merchant, Scope } from '../domain/merchant.ts';
import type { PaymentLink } from '../domain/payment-link.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { decideSession } from './create-checkout-session.ts';
import type { PaymentLinkDeps } from './create-payment-link.ts';
import { decideAndCommit } from './decide-and-commit.ts';

export interface LinkCheckoutDeps extends PaymentLinkDeps {
  readonly secretBox: SecretBox;
}

export interface LinkCheckout {
  readonly visitId: string;
  /** What the customer entered on an open link. */
  readonly amount: number;
  /** Where customers can start again if they cancel, or if their session expires. */
  readonly linkUrl: string;
}

export async function startLinkCheckout(
  deps: LinkCheckoutDeps,
  { link, merchant }: { readonly link: PaymentLink; readonly merchant: Merchant },
  { visitId, amount, linkUrl }: LinkCheckout,
): Promise<{ readonly done: CheckoutSession } | Refusal> {
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
  const outcome = await decideAndCommit(
    deps.store,
    () => decideSession(deps, owner, request, link.id),
    (session) => visitRecord(deps, link, visitId, session),
  );
  if (!('answeredBefore' in outcome)) return outcome;
  const first = await findLinkCheckout(deps, link, visitId);
  return first === null ? refuse('storage_unavailable', 'Try again in a moment.') : { done: first.session };
}

/**
 * What the visitor has started; null if they have not continued yet. A visit that began on the version before is named after
 * the session that it creates there; the next version need not look for it.
 */
export async function findLinkCheckout(
  { store, secretBox }: Pick<LinkCheckoutDeps, 'store' | 'secretBox'>,
  scope: Scope,
  visitId: string,
): Promise<Payment | null> {
  const startedBefore = isId('cs', visitId) ? await store.find('paymentsBySession', scope, visitId) : null;
  if (startedBefore !== null) return startedBefore;
  const record = await store.find('idempotencyRecords', scope, visitId);
  if (record === null) return null;
  return store.find('paymentsBySession', scope, String(JSON.parse(openResponse(secretBox, record))));
}

function visitRecord(
  { secretBox, moment }: LinkCheckoutDeps,
  { id, merchantId, livemode }: PaymentLink,
  visitId: string,
  session: CheckoutSession,
): IdempotencyRecord {
  const key = { merchantId, livemode, key: visitId };
  const sealedBody = sealResponse(secretBox, key, JSON.stringify(session.id));
  return { ...key, version: 0, fingerprint: id, status: 303, sealedBody, createdAt: moment().now };
}
