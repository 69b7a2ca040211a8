// Reading through the cache. Keys start with the scope, so that data of one merchant or mode never appears in another.

import {
  infiniteQueryOptions,
  keepPreviousData,
  type Query,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { get, type QueryValues } from './client.ts';
import { type Scope, useScope } from './scope.ts';
import type { List } from './types.ts';

/** `[merchant, mode, path, query]` */
export type ScopedKey = readonly [merchant: string, mode: string, path: string, query: QueryValues];

function scopedKey(scope: Scope | null, path: string, query: QueryValues): ScopedKey {
  return [scope?.merchant ?? '', scope?.mode ?? '', path, query];
}

/** One object. `placeholder: 'previous'` keeps showing the last answer while the next one for other parameters loads. */
export function useObject<Reply>(
  path: string,
  query: QueryValues = {},
  options: { readonly enabled?: boolean; readonly placeholder?: 'previous' } = {},
) {
  const scope = useScope();
  return useQuery({
    ...queryOptions({
      queryKey: scopedKey(scope, path, query),
      queryFn: ({ signal }) => get<Reply>(path, { query, signal }),
    }),
    enabled: scope !== null && (options.enabled ?? true),
    ...(options.placeholder === 'previous' ? { placeholderData: keepPreviousData } : {}),
  });
}

/** A list whose further pages are loaded on demand. `Page`: if the list says more than its items. */
export function useList<Item, Page extends List<Item> = List<Item>>(
  path: string,
  query: QueryValues = {},
  options: {
    readonly enabled?: boolean;
    /** For what live updates do not report. False: not again. */
    readonly refetchEveryMs?: (pages: readonly Page[]) => number | false;
  } = {},
) {
  const scope = useScope();
  return useInfiniteQuery({
    ...infiniteQueryOptions({
      queryKey: scopedKey(scope, path, query),
      queryFn: ({ pageParam, signal }) =>
        get<Page>(path, { query: { ...query, ...(pageParam === '' ? {} : { cursor: pageParam }) }, signal }),
      initialPageParam: '',
      getNextPageParam: (last) => (last.has_more ? (last.next_cursor ?? undefined) : undefined),
    }),
    enabled: scope !== null && (options.enabled ?? true),
    refetchInterval: ({ state: { data } }) => options.refetchEveryMs?.(data?.pages ?? []) ?? false,
  });
}

/** Refetches what is shown from these paths, for example `/payments` with everything below it. */
export function useRefresh(): (...paths: string[]) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    (...paths) =>
      client.invalidateQueries({
        predicate: ({ queryKey: [, , path] }) =>
          typeof path === 'string' && paths.some((one) => path === one || path.startsWith(`${one}/`)),
      }),
    [client],
  );
}

/** A first answer that is on its way may be older than a change, and until it is here, nothing is fetched again. */
export async function refetchOnceLoaded(client: QueryClient, { promise, queryKey }: Query): Promise<void> {
  // The page tells if it failed.
  await promise?.catch(() => {});
  await client.invalidateQueries({ queryKey, exact: true });
}
