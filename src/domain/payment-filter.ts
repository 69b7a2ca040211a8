// What a list of payments can be narrowed to: by status, time, amount, currency, method and link.

import { timeOfId } from './ids.ts';
import type { PaymentIntent, PaymentIntentStatus } from './payment-intent.ts';
import type { PaymentMethodType } from './payment-methods.ts';

/** The statuses that a list can be filtered by: those of a payment, and two that any captured payment can have. */
export type ListedStatus = PaymentIntentStatus | 'refunded' | 'disputed';

export interface PaymentFilter {
  /** `refunded`: at least in part. `disputed`: at any time. */
  readonly status?: ListedStatus | undefined;
  /** Created at this time or later, in milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Created before this time. */
  readonly to?: number | undefined;
  /** In the smallest currency unit. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly currency?: string | undefined;
  readonly method?: PaymentMethodType | undefined;
  readonly paymentLinkId?: string | undefined;
}

/** Whether a payment passes all but `disputed`, which it does not know of itself. */
export function passes(filter: PaymentFilter, intent: PaymentIntent): boolean {
  const { status, from, to, min, max, currency, method, paymentLinkId } = filter;
  const createdAt = timeOfId(intent.id);
  return (
    (status === undefined || status === 'disputed' || hasStatus(status, intent)) &&
    (from === undefined || createdAt >= from) &&
    (to === undefined || createdAt < to) &&
    (min === undefined || intent.amount >= min) &&
    (max === undefined || intent.amount <= max) &&
    (currency === undefined || intent.currency === currency) &&
    (method === undefined || intent.paymentMethod?.type === method) &&
    (paymentLinkId === undefined || intent.paymentLinkId === paymentLinkId)
  );
}

function hasStatus(status: Exclude<ListedStatus, 'disputed'>, intent: PaymentIntent): boolean {
  return status === 'refunded' ? intent.amountRefunded > 0 : intent.status === status;
}
