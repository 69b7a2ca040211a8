// Reads a merchant's events in commit order, each exactly once, regardless of clocks and of how long a commit took.

import type { Event } from '../domain/event.ts';
import { idBefore } from '../domain/ids.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Store } from '../storage/store.ts';

export interface EventTail {
  /** The id to pass as `after` to start again from the same position. */
  readonly start: string;
  /** Returns new events. `more`: the next page can be read at once. */
  next(): Promise<{ readonly events: readonly Event[]; readonly more: boolean }>;
}

const pageSize = 200;
/** Sorts before every event id: a client that resumes with it gets all events. */
const beforeAll = idBefore('evt', 0);

/** `after`: an event id, which need not exist; null: only events committed from now on. */
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
