// Requests as they are recorded, while the live view is on. Those that were recorded while it was not connected are in the
// list, which is fetched again after each connection.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RequestBody } from '../../../src/http/dashboard/api-types.ts';
import { addressOf } from '../../api/client.ts';
import { openEventStream } from '../../api/event-stream.ts';
import { refetchOnceLoaded } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import type { RequestFilter } from './request-filters.tsx';

const maxShown = 200;

export interface RequestTail {
  readonly requests: readonly RequestBody[];
  readonly isConnected: boolean;
}

const nothing: RequestTail = { requests: [], isConnected: false };

export function useRequestTail(live: boolean, { status, path, key }: RequestFilter): RequestTail {
  const client = useQueryClient();
  const scope = useScope();
  const merchant = scope?.merchant;
  const mode = scope?.mode;
  const [tail, setTail] = useState(nothing);
  useEffect(() => {
    setTail(nothing);
    if (!live || merchant === undefined || mode === undefined) return;
    function connected(isConnected: boolean): void {
      setTail(({ requests }) => ({ requests, isConnected }));
    }
    function refetchList(): void {
      const queryKey = [merchant, mode, '/requests'];
      client.invalidateQueries({ queryKey });
      for (const query of client.getQueryCache().findAll({ queryKey, type: 'active' }))
        if (query.state.data === undefined) refetchOnceLoaded(client, query);
    }
    return openEventStream(addressOf('/requests/tail', { status, path, key, merchant, mode }), (source) => {
      source.addEventListener('open', () => {
        connected(true);
        refetchList();
      });
      source.addEventListener('error', () => connected(false));
      source.addEventListener('request', ({ data }: MessageEvent<string>) => {
        const request = JSON.parse(data) as RequestBody;
        setTail(({ requests, isConnected }) => ({
          requests: [request, ...requests.filter(({ id }) => id !== request.id)].slice(0, maxShown),
          isConnected,
        }));
      });
    });
  }, [client, live, merchant, mode, status, path, key]);
  return tail;
}
