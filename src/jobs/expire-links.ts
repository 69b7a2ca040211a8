// Expires payment links whose time is up. Their pages and responses follow the clock by themselves; this is for lists that
// are filtered by status.

import type { PaymentLinkDeps } from '../usecases/create-payment-link.ts';
import { expirePaymentLink } from '../usecases/update-payment-link.ts';

/** Often enough for a list to follow well within a second. */
export const expireLinksEveryMs = 500;

const batch = 100;
const leaseMs = 10_000;

export interface ExpireLinksDeps extends Pick<PaymentLinkDeps, 'store' | 'moment'> {
  readonly onFailed: (linkId: string, error: unknown) => void;
}

/** Processes one batch; returns whether there may be more. */
export async function expireLinks(deps: ExpireLinksDeps): Promise<boolean> {
  const due = await deps.store.claim('paymentLinks', 'expired', { now: deps.moment().now, leaseMs, limit: batch });
  await Promise.all(
    due.map((link) => expirePaymentLink(deps, link, link.id).catch((error: unknown) => deps.onFailed(link.id, error))),
  );
  return due.length === batch;
}
