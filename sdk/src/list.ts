// Lists: a page to wait for, and everything on all pages to go through, one page in memory at a time.
//
//   const page = await paydesk.checkoutSessions.list({ limit: 100 });
//   for await (const session of paydesk.checkoutSessions.list({ status: 'open' })) …

import type { Page } from './api/resources.ts';
import { ApiError } from './errors.ts';

/** A promise of the page that was asked for, and a way through all that follow. */
export interface List<Item> extends Promise<Page<Item>>, AsyncIterable<Item> {
  /** Page by page, with the cursors, to stop and go on another time. */
  pages(): AsyncGenerator<Page<Item>, void>;
}

/** Reads the page at this cursor; undefined: the one that was asked for. */
type ReadPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

export function listOf<Item>(read: ReadPage<Item>): List<Item> {
  const first = read(undefined);

  async function* pages(): AsyncGenerator<Page<Item>, void> {
    let page = await first;
    for (;;) {
      yield page;
      const { has_more, next_cursor } = page;
      if (!has_more || next_cursor === null) return;
      page = await read(next_cursor);
      if (page.next_cursor === next_cursor) throw goesRound();
    }
  }

  async function* items(): AsyncGenerator<Item, void> {
    for await (const { data } of pages()) yield* data;
  }

  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}

function goesRound(): ApiError {
  return new ApiError({
    type: 'api_error',
    code: 'answer_not_understood',
    message: 'The list leads back to the page that it came from, and would never end. Is a cache before the service?',
  });
}
