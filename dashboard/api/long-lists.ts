// Updates a list of many pages without fetching all of them again: only what is new at the top, and the rows that changed.
// Newest first means descending ids, and a cursor is an id, so a part of a list can be fetched from any row on.

import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import { get } from './client.ts';
import type { ScopedKey } from './queries.ts';
import type { List } from './types.ts';

interface Row {
  readonly id: string;
}
type Page = List<Row>;
export type Pages = InfiniteData<Page, string>;

/** What the server said about all rows below `before` (all, if null) down to `last` (the end, if null). */
interface Part {
  readonly before: string | null;
  readonly last: string | null;
  readonly rows: readonly Row[];
}

/** Up to this many pages, fetching them all is as cheap. */
const shortList = 2;
/** If more than this many pages came in at the top, the rest is out of date as well. */
const maxNewPages = 3;

/** Whether only a part needs to be fetched. Lists in another order, such as API keys, are short. */
export function isLongList(query: Query): boolean {
  const data = query.state.data as Pages | undefined;
  if (query.state.status !== 'success' || data?.pages === undefined || data.pages.length <= shortList) return false;
  const ids = idsOf(data);
  return ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? ''));
}

/**
 * Fetches what is new, and the rows that have or mention these ids. Returns false if that is not enough, or if the list is
 * not `wanted` any more.
 */
export async function refreshLongList(
  client: QueryClient,
  query: Query,
  ids: ReadonlySet<string>,
  wanted: () => boolean,
): Promise<boolean> {
  const [, , path, filter] = query.queryKey as unknown as ScopedKey;
  const known = query.state.data as Pages;
  const places = placesOf(known);

  async function fetchPart(before: string | null): Promise<Part> {
    const cursor = before === null ? {} : { cursor: before };
    const { data, has_more, next_cursor } = await get<Page>(path, { query: { ...filter, ...cursor } });
    return { before, last: has_more ? next_cursor : null, rows: data };
  }

  const parts: Part[] = [];
  const isCovered = (id: string): boolean => parts.some((part) => covers(part, id));
  const top = places[0] ?? '';
  for (let at: string | null = null; at === null || !isCovered(top); at = parts.at(-1)?.last ?? null) {
    if (parts.length === maxNewPages || !wanted()) return false;
    parts.push(await fetchPart(at));
  }
  for (const id of changedRows(known, ids)) {
    if (isCovered(id)) continue;
    if (!wanted()) return false;
    parts.push(await fetchPart(places.findLast((other) => other > id) ?? null));
  }
  // A page that is on its way would replace what is set now.
  await untilIdle(client, query);
  if (!wanted()) return false;
  client.setQueryData<Pages>(query.queryKey, (data) => data && { ...data, pages: withParts(data.pages, parts) });
  return true;
}

const idsOf = ({ pages }: Pages): string[] => pages.flatMap(({ data }) => data.map(({ id }) => id));

/** Where a part can start, newest first: at a row, or where a page ended, of which no row may have matched. */
function placesOf(known: Pages): string[] {
  const ends = known.pages.flatMap(({ next_cursor: end }) => end ?? []);
  return [...new Set([...idsOf(known), ...ends])].sort().reverse();
}

function covers({ before, last }: Part, id: string): boolean {
  return (before === null || id < before) && (last === null || id >= last);
}

/** Newest first. Includes ids of rows that are not shown, but would be if they now matched the filter. */
function changedRows({ pages }: Pages, ids: ReadonlySet<string>): string[] {
  const rows = pages.flatMap(({ data }) => data);
  const kind = kindOf(rows[0]?.id ?? pages[0]?.next_cursor ?? '');
  const end = pages.at(-1)?.next_cursor ?? '';
  const own = [...ids].filter((id) => kindOf(id) === kind && id >= end);
  const mentioning = rows.filter((row) => Object.values(row).some((value) => ids.has(value)));
  return [...new Set([...own, ...mentioning.map(({ id }) => id)])].sort().reverse();
}

/** The prefix of an id: `pi_`, `cs_` … */
const kindOf = (id: string): string => id.slice(0, id.indexOf('_') + 1);

/** Each page keeps its place and what comes after it; rows at the top are added to the first one. */
function withParts(pages: readonly Page[], parts: readonly Part[]): Page[] {
  const kept = pages.flatMap(({ data }) => data).filter(({ id }) => !parts.some((part) => covers(part, id)));
  const fetched = new Map(parts.flatMap(({ rows }) => rows.map((row) => [row.id, row])));
  const rows = [...kept, ...fetched.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  let at = 0;
  return pages.map((page) => {
    const from = at;
    const last = page.has_more ? (page.next_cursor ?? '') : '';
    for (let row = rows[at]; row !== undefined && row.id >= last; row = rows[at]) at += 1;
    return { ...page, data: rows.slice(from, at) };
  });
}

async function untilIdle(client: QueryClient, query: Query): Promise<void> {
  while (query.state.fetchStatus !== 'idle') {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = client.getQueryCache().subscribe(({ query: changed }) => {
      if (changed === query) resolve();
    });
    await promise;
    stop();
  }
}
