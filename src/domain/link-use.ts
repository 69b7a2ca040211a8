// How payments use up a link. A payment reserves a use when it starts, so that customers who come too late are told before
// they are charged. It gives the use back if it ends unpaid.

import type { PaymentIntent, PaymentIntentStatus } from './payment-intent.ts';
import { type PaymentLink, statusOf } from './payment-link.ts';

export const linkUses = ['reserved', 'completed'] as const;
export type LinkUse = (typeof linkUses)[number];

const useOfStatus: Readonly<Record<PaymentIntentStatus, LinkUse | null>> = {
  requires_payment_method: null,
  requires_action: 'reserved',
  processing: 'reserved',
  requires_capture: 'completed',
  succeeded: 'completed',
  canceled: null,
  expired: null,
};

/** Whether committing this payment changes the counts of its link. */
export function changesLink({ paymentLinkId, linkUse, status, version }: PaymentIntent): boolean {
  return paymentLinkId !== null && (version === 0 || linkUse !== useOfStatus[status]);
}

export interface CountedUse {
  readonly link: PaymentLink;
  readonly intent: PaymentIntent;
}

/**
 * The payment with its new use, and the link with its new counts; the link is the same object if they stay. `used_up`: the
 * payment cannot start. An unlimited link counts no reservations, so that concurrent payments do not wait for its row.
 */
export function countUse(
  link: PaymentLink,
  intent: PaymentIntent,
  { mayRefuse }: { mayRefuse: boolean },
): CountedUse | 'used_up' {
  if (intent.version === 0) return { link: { ...link, timesUsed: link.timesUsed + 1 }, intent };
  const before = intent.linkUse;
  const after = useOfStatus[intent.status];
  if (after === 'reserved' && before === null) {
    if (link.maxUses === null) return { link, intent };
    // A payment that was started before the limit was set goes on.
    if (mayRefuse && usesLeft(link) <= 0) return 'used_up';
  }
  const count = (use: LinkUse): number => Number(after === use) - Number(before === use);
  const counted = {
    ...link,
    timesReserved: link.timesReserved + count('reserved'),
    timesCompleted: link.timesCompleted + count('completed'),
  };
  return {
    link: { ...counted, status: statusOf(counted, link.status === 'expired') },
    intent: { ...intent, linkUse: after },
  };
}

/** How many more payments can start. */
export function usesLeft({ maxUses, timesCompleted, timesReserved }: PaymentLink): number {
  return maxUses === null ? Number.POSITIVE_INFINITY : maxUses - timesCompleted - timesReserved;
}
