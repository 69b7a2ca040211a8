// Requests as they are recorded, newest first, while the live view is on.

import { useEffect, useState } from 'react';
import type { RequestBody } from '../../../src/http/dashboard/api-types.ts';
import { addressOf } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import type { RequestFilter } from './request-filters.tsx';

const maxShown = 200;

export interface RequestTail {
  readonly requests: readonly RequestBody[];
  readonly isConnected: boolean;
}

const nothing: RequestTail = { requests: [], isConnected: false };

export function useRequestTail(live: boolean, { status, path, key }: RequestFilter): RequestTail {
  const scope = useScope();
  const merchant = scope?.merchant;
  const mode = scope?.mode;
  const [tail, setTail] = useState(nothing);
  useEffect(() => {
    setTail(nothing);
    if (!live || merchant === undefined || mode === undefined) return;
    const source = new EventSource(addressOf('/requests/tail', { status, path, key, merchant, mode }));
    const connected = (isConnected: boolean) => setTail(({ requests }) => ({ requests, isConnected }));
    source.addEventListener('open', () => connected(true));
    source.addEventListener('error', () => connected(false));
    source.addEventListener('request', ({ data }: MessageEvent<string>) => {
      const request = JSON.parse(data) as RequestBody;
      setTail(({ requests, isConnected }) => ({
        requests: [request, ...requests.filter(({ id }) => id !== request.id)].slice(0, maxShown),
        isConnected,
      }));
    });
    return () => source.close();
  }, [live, merchant, mode, status, path, key]);
  return tail;
}
