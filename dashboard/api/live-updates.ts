// Pages update by themselves: the server reports what changed, and what is shown of it is fetched again.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from './client.ts';
import { useScope } from './scope.ts';

/** What to fetch again when an object of that type changed. Home counts payments, so most changes concern it too. */
const pathsOf: Readonly<Record<string, readonly string[]>> = {
  payment_intent: ['/payments', '/home', '/events', '/checkout-sessions'],
  refund: ['/payments', '/home', '/events'],
  dispute: ['/disputes', '/payments', '/home', '/events'],
  checkout_session: ['/checkout-sessions', '/payment-links', '/payments', '/home', '/events'],
  payment_link: ['/payment-links', '/events'],
  delivery: ['/webhook-endpoints', '/events', '/payments', '/home'],
  webhook_endpoint: ['/webhook-endpoints', '/home'],
  api_key: ['/api-keys'],
  settings: ['/settings'],
  acquirer: ['/acquirers'],
  team: ['/team'],
};

/** Changes within this time are fetched together. */
const gatherMs = 150;
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
    let hasFailed = false;

    function refetch(): void {
      timer = undefined;
      const paths = [...changed];
      changed.clear();
      client.invalidateQueries({
        predicate: ({ queryKey: [inMerchant, inMode, path] }) =>
          inMerchant === merchant &&
          inMode === mode &&
          typeof path === 'string' &&
          paths.some((one) => one === '' || path === one || path.startsWith(`${one}/`)),
      });
    }
    function note(paths: readonly string[]): void {
      for (const path of paths) changed.add(path);
      timer ??= setTimeout(refetch, gatherMs);
    }

    function connect(): EventSource {
      const opened = new EventSource(addressOf('/updates'));
      opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const { type } = JSON.parse(data) as { readonly type: string };
        note(pathsOf[type] ?? ['']);
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
      clearTimeout(timer);
      clearTimeout(reconnecting);
      source.close();
    };
  }, [client, merchant, mode]);
}
