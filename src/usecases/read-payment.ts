// Reads a payment with everything that belongs to it, for people to look at. Bounded: the newest of each.

import type { Delivery } from '../domain/delivery.ts';
import type { Scope } from '../domain/merchant.ts';
import { type PaymentHistory, type TimelineEntry, timelineOf } from '../domain/timeline.ts';
import type { Store } from '../storage/store.ts';

export interface PaymentDetails extends PaymentHistory {
  /** Newest first. */
  readonly timeline: readonly TimelineEntry[];
  /** Older entries were left out. */
  readonly hasMore: boolean;
}

export const maxTimelineEntries = 200;
/** More than this many refunds, disputes or attempts are not shown with a payment. */
const maxOfAKind = 200;
/** Most events go to one or two endpoints. */
const maxDeliveriesOfEvent = 20;

/** Null if there is no such payment. */
export async function readPayment(store: Store, scope: Scope, id: string): Promise<PaymentDetails | null> {
  const payment = await store.find('paymentsByIntent', scope, id);
  if (payment === null) return null;
  const where = { paymentIntentId: id };
  const page = { scope, where, limit: maxOfAKind };
  const { merchantId } = scope;
  const [operations, refunds, disputes, events, mails] = await Promise.all([
    store.list('operations', page),
    store.list('refunds', page),
    store.list('disputes', page),
    store.list('events', page),
    store.list('mailMessages', { where: { merchantId, ...where }, limit: maxOfAKind }),
  ]);
  const deliveries: readonly Delivery[] = (
    await Promise.all(
      events.map((event) =>
        store.list('deliveries', { scope, where: { eventId: event.id }, limit: maxDeliveriesOfEvent }),
      ),
    )
  ).flat();
  const history: PaymentHistory = { ...payment, operations, refunds, disputes, events, deliveries, mails };
  const timeline = timelineOf(history);
  const isCut = [operations, refunds, disputes, events, mails].some(({ length }) => length === maxOfAKind);
  return {
    ...history,
    timeline: timeline.slice(0, maxTimelineEntries),
    hasMore: isCut || timeline.length > maxTimelineEntries,
  };
}
