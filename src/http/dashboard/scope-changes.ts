// Reads what has changed for a merchant in one mode since the last look, whichever process changed it: events in the order
// of their commits, audit entries, new sessions, and results of deliveries. Four short reads by index.

import type { DeliveryResult } from '../../domain/delivery.ts';
import type { Scope } from '../../domain/merchant.ts';
import type { Store } from '../../storage/store.ts';
import { type EventTail, openEventTail } from '../event-tail.ts';
import { type LiveUpdate, updatesOfEntry, updatesOfEvent } from './live-update.ts';

export interface ScopeChanges {
  /** The first call only finds out where to start. */
  next(): Promise<readonly LiveUpdate[]>;
  /** A session that was already reported. */
  knowSession(id: string): void;
}

/** As many as are compared with the last look: more are hardly made between two looks. */
const recentEntries = 20;
const recentDeliveries = 50;
const deliveriesWithinMs = 3_600_000;

export function scopeChanges(
  store: Pick<Store, 'eventCursor' | 'list' | 'deliveryQueue'>,
  scope: Scope,
  now: () => number,
): ScopeChanges {
  const { merchantId, livemode } = scope;
  const where = { merchantId };
  let tail: EventTail | null = null;
  let entryIds = new Set<string>();
  let newestSession = '';
  let deliveries = new Map<string, string>();

  async function read() {
    const [entries, [session], results] = await Promise.all([
      store.list('auditEntries', { where, limit: recentEntries }),
      store.list('checkoutSessions', { scope: { merchantId, livemode }, limit: 1 }),
      store.deliveryQueue.recent(scope, now() - deliveriesWithinMs, recentDeliveries),
    ]);
    return { entries, session, results: byEndpoint(results) };
  }

  return {
    knowSession(id) {
      if (id > newestSession) newestSession = id;
    },
    async next() {
      const isFirst = tail === null;
      tail ??= await openEventTail(store, scope, null);
      const [{ entries, session, results }, { events }] = await Promise.all([read(), tail.next()]);
      const updates = [
        ...events.flatMap(updatesOfEvent),
        ...entries.filter(({ id }) => !entryIds.has(id)).flatMap(updatesOfEntry),
        ...(session !== undefined && session.id > newestSession
          ? [{ type: 'checkout_session', id: session.id } as const]
          : []),
        ...[...results]
          .filter(([id, state]) => deliveries.get(id) !== state)
          .map(([id]) => ({ type: 'webhook_endpoint', id }) as const),
      ];
      entryIds = new Set(entries.map(({ id }) => id));
      if (session !== undefined && session.id > newestSession) newestSession = session.id;
      deliveries = results;
      return isFirst ? [] : updates;
    },
  };
}

/** What can be compared of an endpoint's deliveries. */
function byEndpoint(results: readonly DeliveryResult[]): Map<string, string> {
  const states = new Map<string, string>();
  for (const { endpointId, status, durationMs } of results)
    states.set(endpointId, `${states.get(endpointId) ?? ''}${status}${durationMs ?? ''},`);
  return states;
}
