// Counts payments at the links that they were started from, in the commit that changes them. A payment without a link
// costs nothing here, not even a microtask.

import type { ChangeSet } from '../domain/change-set.ts';
import { changesLink, countUse } from '../domain/link-use.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import type { PaymentLink } from '../domain/payment-link.ts';
import { turns } from '../domain/turns.ts';
import type { Store } from '../storage/store.ts';

/** A payment whose link has to be counted in the commit of these changes; a commit concerns at most one. */
export function paymentOfLink({ paymentIntents = [] }: ChangeSet): PaymentIntent | null {
  for (const intent of paymentIntents) if (changesLink(intent)) return intent;
  return null;
}

const inTurn = turns();

/**
 * Commits the changes with the new counts of the link. The link is read last, and payments of one link in this process take
 * turns, so that many at a time do not conflict with each other.
 */
export function commitWithLink<Outcome>(
  store: Store,
  changes: ChangeSet,
  intent: PaymentIntent,
  { mayRefuse, commit }: { mayRefuse: boolean; commit: (changes: ChangeSet) => Promise<Outcome> },
): Promise<Outcome | 'used_up'> {
  const linkId = intent.paymentLinkId ?? '';
  return inTurn(linkId, async () => {
    const link = await store.find('paymentLinks', intent, linkId);
    if (link === null) throw new Error(`there is no payment link ${linkId}`);
    const counted = countUse(link, intent, { mayRefuse });
    return counted === 'used_up' ? counted : commit(withCounts(changes, link, counted));
  });
}

function withCounts(
  changes: ChangeSet,
  before: PaymentLink,
  { link, intent }: { readonly link: PaymentLink; readonly intent: PaymentIntent },
): ChangeSet {
  const paymentIntents = changes.paymentIntents?.map((other) => (other.id === intent.id ? intent : other)) ?? [];
  return link === before ? { ...changes, paymentIntents } : { ...changes, paymentIntents, paymentLinks: [link] };
}
