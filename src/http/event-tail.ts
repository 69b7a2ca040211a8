// Reads a merchant's events in the order in which they were committed: each once, and none is missed, whatever clocks say
// and however long a commit took.

import type { Event } from '../domain/event.ts';
import { idBefore } from '../domain/ids.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Store } from '../storage/store.ts';

export interface EventTail {
  /** The id to begin after, so as to go on from where this one began. */
  readonly start: string;
  /** What is new. `more`: there is more to read at once. */
  next(): Promise<{ readonly events: readonly Event[]; readonly more: boolean }>;
}

const pageSize = 200;
/** Below every id: who comes back with it gets all there is. */
const beforeAll = idBefore('evt', 0);

/** `after`: the id of an event, or one like it; null: only what is committed from now on. */
export async function openEventTail(
  store: Pick<Store, 'eventCursor' | 'list'>,
  scope: Scope,
  after: string | null,
): Promise<EventTail> {
  const start = await store.eventCursor(scope, after);
  let { position } = start;
  return {
    start: start.eventId ?? beforeAll,
    async next() {
      const events = await store.list('positionedEvents', { scope: scope, after: position, limit: pageSize });
      position = events.at(-1)?.position ?? position;
      return { events, more: events.length === pageSize };
    },
  };
}
