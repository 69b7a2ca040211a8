// A bound on what merchants ask to have sent again. Events go out with the payment that causes them and are never
// refused; but nothing is sent again while too many of the merchant's deliveries wait.

import { type Refusal, refuseUntilLater } from '../domain/errors.ts';
import type { Merchant, Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';

export interface ResendDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  /** Deliveries of a merchant in one mode that may wait when more are asked for, these included. */
  readonly maxWaiting: number;
}

/** As long as a good part of a full queue takes. */
const retryAfterSeconds = 30;

export interface Room {
  /** Goes into the commit of what is resent: of two at once, one finds that it has changed and counts again. */
  readonly merchant: Merchant;
  readonly deliveries: number;
}

/** Room for that many at least. */
export async function roomForResends(
  { store, maxWaiting }: ResendDeps,
  scope: Scope,
  wanted: number,
): Promise<Room | Refusal> {
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
