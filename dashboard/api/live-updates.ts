// Pages update by themselves: the server reports what changed, and what is shown of it is fetched again.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from './client.ts';
import { useScope } from './scope.ts';
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

/** Totals are added up by the server a moment after the payments themselves. */
const laggingPaths = ['/home', '/payments/counts'];
const laggingMs = [2_500, 10_000] as const;

/** Changes within this time are fetched together. */
const gatherMs = 150;
/** Between two rounds of fetching, however long they take: a list may have many pages. */
const maxPauseMs = 5_000;
const reconnectMs = 3_000;

export function useLiveUpdates(): void {
  const client = useQueryClient();
  const scope = useScope();
  const merchant = scope?.merchant;
  const mode = scope?.mode;
  useEffect(() => {
    if (merchant === undefined || mode === undefined) return;
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isRefetching = false;
    let hasEnded = false;
    let lagging: readonly ReturnType<typeof setTimeout>[] = [];
    let hasFailed = false;

    async function refetch(): Promise<void> {
      const paths = [...changed];
      changed.clear();
      isRefetching = true;
      const startedAt = performance.now();
      await client.invalidateQueries({
        predicate: ({ queryKey: [inMerchant, inMode, path] }) =>
          inMerchant === merchant &&
          inMode === mode &&
          typeof path === 'string' &&
          paths.some((one) => one === '' || path === one || path.startsWith(`${one}/`)),
      });
      isRefetching = false;
      if (hasEnded) return;
      // While changes never stop, most of the time is left for other requests.
      const pauseMs = Math.min(maxPauseMs, Math.max(gatherMs, 2 * (performance.now() - startedAt)));
      timer = setTimeout(refetchChanged, pauseMs);
    }
    function refetchChanged(): void {
      timer = undefined;
      if (changed.size > 0) refetch();
    }
    function note(paths: readonly string[]): void {
      for (const path of paths) changed.add(path);
      // Refetching again at once would cancel what is on its way, and a busy shop would never see the result.
      if (!isRefetching) timer ??= setTimeout(refetchChanged, gatherMs);
    }

    function refetchTotals(): void {
      lagging = lagging.slice(1);
      note(laggingPaths);
    }

    function connect(): EventSource {
      const opened = new EventSource(addressOf('/updates'));
      opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const { type } = JSON.parse(data) as LiveUpdate;
        const paths = pathsOf[type];
        note(paths);
        if (paths.includes('/home') && lagging.length === 0)
          lagging = laggingMs.map((waitMs) => setTimeout(refetchTotals, waitMs));
      });
      opened.addEventListener('error', () => {
        hasFailed = true;
        // After an error status, browsers do not connect again by themselves.
        if (opened.readyState === EventSource.CLOSED) reconnecting = setTimeout(reconnect, reconnectMs);
      });
      opened.addEventListener('open', () => {
        // What happened in the meantime was not reported.
        if (hasFailed) note(['']);
        hasFailed = false;
      });
      return opened;
    }
    function reconnect(): void {
      source = connect();
    }

    let reconnecting: ReturnType<typeof setTimeout> | undefined;
    let source = connect();
    return () => {
      hasEnded = true;
      for (const waiting of [timer, ...lagging, reconnecting]) clearTimeout(waiting);
      source.close();
    };
  }, [client, merchant, mode]);
}
