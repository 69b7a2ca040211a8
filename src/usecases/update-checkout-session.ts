// Updates an open session; the Payment Intent's amount and metadata follow in the same commit.

import type { Acquirers } from '../acquirers/acquirers.ts';
import { type CheckoutSession, extendedExpiry, isOpen, normaliseUrl } from '../domain/checkout-session.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Merchant, Scope } from '../domain/merchant.ts';
import { patchMetadata } from '../domain/metadata.ts';
import type { Moment } from '../domain/moment.ts';
import { agreeOnAmount, type LineItem } from '../domain/money.ts';
import type { Store } from '../storage/store.ts';
import { type Decision, decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { sessionNotFound, sessionNotOpen } from './refusals.ts';
import { refuseEmbedding } from './refuse-embedding.ts';
import { servedMethods } from './served-methods.ts';

/** JSON Merge Patch: undefined keeps a field, null removes it. */
export interface SessionPatch {
  readonly amount?: number | undefined;
  readonly lineItems?: readonly LineItem[] | null | undefined;
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
  readonly returnUrl?: string | null | undefined;
  readonly cancelUrl?: string | null | undefined;
  readonly expiresInSeconds?: number | undefined;
}

export function updateCheckoutSession(
  deps: { store: Store; moment: () => Moment; acquirers: Pick<Acquirers, 'refuseCharge' | 'cardFields'> },
  owner: Scope & { readonly merchant: Pick<Merchant, 'id' | 'acquirers'> },
  sessionId: string,
  patch: SessionPatch,
): Promise<Outcome<CheckoutSession>> {
  return decideAndCommit(deps.store, async () => {
    const payment = await deps.store.find('paymentsBySession', owner, sessionId);
    if (payment === null) return sessionNotFound(sessionId);
    const decision = decide(payment, patch, deps.moment().now);
    if (isRefusal(decision)) return decision;
    const notEmbeddable = await refuseEmbedding(deps.acquirers, owner.merchant, decision.result);
    if (notEmbeddable !== null) return notEmbeddable;
    if (decision.result.amount === payment.session.amount) return decision;
    const { livemode, currency, amount, captureMethod, paymentMethodTypes } = decision.result;
    const served = await servedMethods(
      deps.acquirers,
      owner.merchant.acquirers,
      paymentMethodTypes,
      { livemode, currency, amount, captureMethod },
      { requested: true },
    );
    return isRefusal(served) ? served : decision;
  });
}

function decide({ session, intent }: Payment, patch: SessionPatch, now: number): Decision<CheckoutSession> | Refusal {
  if (!isOpen(session, now)) return sessionNotOpen(session);
  const changesPrice = patch.amount !== undefined || patch.lineItems !== undefined;
  if (changesPrice && intent.status !== 'requires_payment_method') {
    return refuse(
      'payment_in_progress',
      `The amount cannot be changed while the customer is paying (\`${intent.status}\`). Try again if the payment fails.`,
    );
  }
  const lineItems = patch.lineItems === undefined ? session.lineItems : patch.lineItems;
  // Without a new amount, new line items determine it; removing the line items keeps it.
  const amount = changesPrice
    ? agreeOnAmount(patch.amount ?? (lineItems === null ? session.amount : undefined), lineItems)
    : session.amount;
  if (isRefusal(amount)) return amount;
  const metadata = patch.metadata === undefined ? session.metadata : patchMetadata(session.metadata, patch.metadata);
  if (isRefusal(metadata)) return metadata;
  const returnUrl =
    patch.returnUrl == null ? patch.returnUrl : normaliseUrl('return_url', patch.returnUrl, session.livemode);
  if (isRefusal(returnUrl)) return returnUrl;
  const cancelUrl =
    patch.cancelUrl == null ? patch.cancelUrl : normaliseUrl('cancel_url', patch.cancelUrl, session.livemode);
  if (isRefusal(cancelUrl)) return cancelUrl;
  const expiresAt =
    patch.expiresInSeconds === undefined ? session.expiresAt : extendedExpiry(session, patch.expiresInSeconds, now);
  if (isRefusal(expiresAt)) return expiresAt;
  const updated: CheckoutSession = {
    ...session,
    amount,
    lineItems,
    metadata,
    returnUrl: returnUrl === undefined ? session.returnUrl : returnUrl,
    cancelUrl: cancelUrl === undefined ? session.cancelUrl : cancelUrl,
    expiresAt,
  };
  return {
    changes: { checkoutSessions: [updated], paymentIntents: [{ ...intent, amount, metadata }] },
    result: updated,
  };
}
