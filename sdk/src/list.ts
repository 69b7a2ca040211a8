// Lists: await one page, or iterate over all pages with one in memory at a time.
//
//   const page = await paydesk.checkoutSessions.list({ limit: 100 });
//   for await (const session of paydesk.checkoutSessions.list({ status: 'open' })) …

import type { Page } from './api/resources.ts';
import { ApiError } from './errors.ts';

/** A promise of the requested page, and an iterator over it and all following ones. */
export interface List<Item> extends Promise<Page<Item>>, AsyncIterable<Item> {
  /** Page by page, with cursors, so that you can stop and resume later. */
  pages(): AsyncGenerator<Page<Item>, void>;
}

/** Reads the page at this cursor; undefined: the requested page. */
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
      if (page.next_cursor === next_cursor) throw endlessList();
    }
  }

  async function* items(): AsyncGenerator<Item, void> {
    for await (const { data } of pages()) yield* data;
  }

  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}

function endlessList(): ApiError {
  return new ApiError({
    type: 'api_error',
    code: 'answer_not_understood',
    message:
      'The next page of the list is the same page again, so the list would never end. Is there a cache in front of the service?',
  });
}
