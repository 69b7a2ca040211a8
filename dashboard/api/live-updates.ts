// Pages update by themselves: the server reports what changed, and what is shown of it is fetched again.

import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from './client.ts';
import { openEventStream } from './event-stream.ts';
import { isLongList, refreshLongList } from './long-lists.ts';
import { refetchOnceLoaded } from './queries.ts';
import { useScope } from './scope.ts';
import { checkSession } from './session.ts';
import type { LiveUpdate, LiveUpdateType } from './types.ts';

/** What to fetch again when something of that type changed. Home counts payments, so most changes concern it too. */
const pathsOf: Readonly<Record<LiveUpdateType, readonly string[]>> = {
  payment_intent: ['/payments', '/home', '/checkout-sessions'],
  refund: ['/payments', '/home'],
  dispute: ['/disputes', '/payments', '/home'],
  checkout_session: ['/checkout-sessions', '/payment-links', '/payments', '/home'],
  payment_link: ['/payment-links'],
  event: ['/events', '/webhook-endpoints'],
  webhook_endpoint: ['/webhook-endpoints', '/home'],
  api_key: ['/api-keys'],
  settings: ['/settings'],
  acquirer_account: ['/acquirers'],
  team: ['/team'],
  audit_entry: ['/audit-log'],
  everything: [''],
};

/** Lists whose rows change with it but do not have its id, so that all of them are fetched again. */
const wholly: Readonly<Partial<Record<LiveUpdateType, string>>> = { checkout_session: '/payment-links' };
const anyId = '';

/** Totals are added up by the server a moment after the payments themselves. */
const laggingPaths = ['/home', '/payments/counts'];
const laggingMs = [2_500, 10_000] as const;

/** Changes within this time are fetched together. */
const gatherMs = 150;
/** Between two rounds of fetching, however long they take: a list may have many pages. */
const maxPauseMs = 5_000;

export function useLiveUpdates(): void {
  const client = useQueryClient();
  const scope = useScope();
  const merchant = scope?.merchant;
  const mode = scope?.mode;
  useEffect(() => {
    if (merchant === undefined || mode === undefined) return;
    /** The ids by path. */
    const changed = new Map<string, Set<string>>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isRefetching = false;
    let hasOpened = false;
    let hasEnded = false;
    let lagging: readonly ReturnType<typeof setTimeout>[] = [];

    /** The ids that a query may show, or null if none of its path has changed. */
    function idsFor(
      { queryKey: [inMerchant, inMode, path] }: Query,
      paths: ReadonlyMap<string, ReadonlySet<string>>,
    ): ReadonlySet<string> | null {
      if (inMerchant !== merchant || inMode !== mode || typeof path !== 'string') return null;
      const found = [...paths].filter(([one]) => one === '' || path === one || path.startsWith(`${one}/`));
      return found.length === 0 ? null : new Set(found.flatMap(([, ids]) => [...ids]));
    }

    async function refetch(): Promise<void> {
      const paths = new Map(changed);
      changed.clear();
      isRefetching = true;
      const startedAt = performance.now();
      const long = new Map<Query, ReadonlySet<string>>();
      const loading: Query[] = [];
      for (const query of client.getQueryCache().findAll({ type: 'active' })) {
        const ids = idsFor(query, paths);
        if (ids !== null && !ids.has(anyId) && isLongList(query)) long.set(query, ids);
        else if (ids !== null && query.state.data === undefined) loading.push(query);
      }
      await Promise.all([
        client.invalidateQueries({ predicate: (query) => !long.has(query) && idsFor(query, paths) !== null }),
        ...[...long].map(([query, ids]) => refreshOrRefetch(query, ids)),
        ...loading.map((query) => refetchOnceLoaded(client, query)),
      ]);
      isRefetching = false;
      if (hasEnded) return;
      // While changes never stop, most of the time is left for other requests.
      const pauseMs = Math.min(maxPauseMs, Math.max(gatherMs, 2 * (performance.now() - startedAt)));
      timer = setTimeout(refetchChanged, pauseMs);
    }
    async function refreshOrRefetch(query: Query, ids: ReadonlySet<string>): Promise<void> {
      // What failed is tried again as a whole, and the page tells if that fails too.
      const isFresh = await refreshLongList(client, query, ids, () => !hasEnded).catch(() => false);
      if (!isFresh) await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
    function refetchChanged(): void {
      timer = undefined;
      if (changed.size > 0) refetch();
    }
    function note(paths: readonly string[], idAt: (path: string) => string = () => anyId): void {
      for (const path of paths) changed.set(path, (changed.get(path) ?? new Set()).add(idAt(path)));
      // Refetching again at once would cancel what is on its way, and a busy shop would never see the result.
      if (!isRefetching) timer ??= setTimeout(refetchChanged, gatherMs);
    }

    function refetchTotals(): void {
      lagging = lagging.slice(1);
      note(laggingPaths);
    }

    const close = openEventStream(addressOf('/updates'), (source) => {
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const { type, id } = JSON.parse(data) as LiveUpdate;
        const paths = pathsOf[type];
        note(paths, (path) => (wholly[type] === path ? anyId : id));
        if (paths.includes('/home') && lagging.length === 0)
          lagging = laggingMs.map((waitMs) => setTimeout(refetchTotals, waitMs));
      });
      source.addEventListener('open', () => {
        // What happened before was not reported.
        note(['']);
        // The server ends a stream with its session, and when the role changes.
        if (hasOpened) checkSession();
        hasOpened = true;
      });
      source.addEventListener('error', () => {
        if (source.readyState === EventSource.CLOSED) checkSession();
      });
    });
    return () => {
      hasEnded = true;
      for (const waiting of [timer, ...lagging]) clearTimeout(waiting);
      close();
    };
  }, [client, merchant, mode]);
}
