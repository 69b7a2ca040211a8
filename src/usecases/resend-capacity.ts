// A limit on resends. Events are sent with the payment that causes them and are never refused, but nothing is resent
// while too many of the merchant's deliveries are waiting.

import { type Refusal, refuseUntilLater } from '../domain/errors.ts';
import type { Merchant, Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';

export interface ResendDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  /** How many deliveries of a merchant may be waiting in one mode, including the requested ones. */
  readonly maxWaiting: number;
}

/** Roughly the time in which a large part of a full queue is sent. */
const retryAfterSeconds = 30;

export interface ResendCapacity {
  /** Must be part of the commit: of two concurrent resends, one gets a version conflict and counts again. */
  readonly merchant: Merchant;
  readonly deliveries: number;
}

/** Refuses if fewer than `wanted` deliveries may be added. */
export async function resendCapacity(
  { store, maxWaiting }: ResendDeps,
  scope: Scope,
  wanted: number,
): Promise<ResendCapacity | Refusal> {
  const merchant = await store.findBy('merchants', 'id', scope.merchantId);
  if (merchant === null) throw new Error('the merchant of an API key is not there');
  const waiting = await store.deliveryQueue.countWaiting(scope, maxWaiting);
  if (waiting + wanted <= maxWaiting) return { merchant, deliveries: maxWaiting - waiting };
  const many = waiting === maxWaiting ? `${waiting} or more` : `${waiting}`;
  return refuseUntilLater(
    retryAfterSeconds,
    `This account has ${many} deliveries waiting to be sent, and this request would add ${wanted}; the limit is ${maxWaiting}. Try again later, or resend to one \`endpoint\` at a time.`,
  );
}
