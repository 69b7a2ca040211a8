// The endpoints of a merchant and mode with the events that they subscribe to, as commits with events need them.

import type { Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { maxEndpoints, type Subscription } from '../domain/webhook-endpoint.ts';
import type { Store } from '../storage/store.ts';

export function subscriptionsOf(store: Store, scope: Scope): Promise<readonly Subscription[]> {
  return store.list('subscriptions', { scope, limit: maxEndpoints });
}

/** Read before it is known what will be committed: while the acquirer is asked, or with the records to be changed. */
export interface EarlySubscriptions {
  readonly readAt: number;
  /** Undefined if they could not be read: the commit reads them again, and fails if that does. */
  readonly subscriptions: Promise<readonly Subscription[] | undefined>;
}

/** Longer calls are to remote acquirers, where another read costs little, and an endpoint may be created meanwhile. */
const freshMs = 100;

export function readEarly(
  { store, moment }: { readonly store: Store; readonly moment: () => Moment },
  scope: Scope,
): EarlySubscriptions {
  const readAt = moment().now;
  return { readAt, subscriptions: Promise.try(subscriptionsOf, store, scope).catch(() => undefined) };
}

/** Undefined if they must be read again. */
export function ifFresh(
  early: EarlySubscriptions | undefined,
  now: number,
): EarlySubscriptions['subscriptions'] | undefined {
  if (early === undefined) return undefined;
  const age = now - early.readAt;
  return age >= 0 && age < freshMs ? early.subscriptions : undefined;
}
