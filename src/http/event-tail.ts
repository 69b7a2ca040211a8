// Reads a merchant's events as they are committed: each once, and none is missed.
//
// Ids sort by the time of the decision that made them, not by the time of their commit. A commit that takes long, or
// another process whose clock is behind, adds an event below those that were read already. So the last seconds before
// the newest one are read again every second, and what was given out before is left out, by its id. What comes later
// than that window is missed: it is wider than commits may take and clocks may differ (`paydesk doctor` warns at 2 s).

import type { Event } from '../domain/event.ts';
import { idBefore, timeOfId } from '../domain/ids.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Store } from '../storage/store.ts';

export interface EventTail {
  /** The id to begin after, so as to go on from where this one began. */
  readonly start: string;
  /** What is new, oldest first as far as it is known by now. `more`: there is more to read at once. */
  next(): Promise<{ readonly events: readonly Event[]; readonly more: boolean }>;
}

export interface TailOptions {
  readonly store: Pick<Store, 'eventsAfter'>;
  readonly scope: Scope;
  /** Only those with ids above this one; null: only those that are committed from now on. */
  readonly after: string | null;
  readonly now: number;
  readonly lookBackEveryMs?: number;
}

const overlapMs = 5_000;
const pageSize = 200;

export async function openEventTail(options: TailOptions): Promise<EventTail> {
  const { store, scope, after, now, lookBackEveryMs = 1_000 } = options;
  const windowBefore = (id: string): string => idBefore('evt', timeOfId(id) - overlapMs);
  /** Those in the window before the newest that were given out, or were there before. */
  const seen = new Set<string>();
  let newest = after ?? idBefore('evt', now);
  /** Nothing up to here is ever given out. */
  const floor = after ?? windowBefore(newest);
  /** Where a reading that did not fit into one page goes on. */
  let goOnAfter: string | null = null;
  let lookedBackAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<Event[]> {
    let from = goOnAfter ?? newest;
    if (goOnAfter === null && performance.now() - lookedBackAt >= lookBackEveryMs) {
      lookedBackAt = performance.now();
      from = [floor, windowBefore(newest)].sort()[1] ?? floor;
    }
    const page = await store.eventsAfter(scope, from, pageSize);
    goOnAfter = page.length === pageSize ? (page.at(-1)?.id ?? null) : null;
    const events = page.filter(({ id }) => !seen.has(id));
    for (const { id } of events) {
      seen.add(id);
      if (id > newest) newest = id;
    }
    const forgetUpTo = windowBefore(newest);
    for (const id of seen) {
      if (id > forgetUpTo) break;
      seen.delete(id);
    }
    return events;
  }

  if (after === null) {
    // What is there already is not new, though it may be newer than our clock.
    do await read();
    while (goOnAfter !== null);
  }
  return {
    start: newest,
    async next() {
      const events = await read();
      return { events, more: goOnAfter !== null };
    },
  };
}
