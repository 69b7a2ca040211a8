// Requests: the API requests of the last days, filtered in the address bar, with a live view.

import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKeyBody, RequestBody, RequestList } from '../../../src/http/dashboard/api-types.ts';
import { useList } from '../../api/queries.ts';
import type { List } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import type { Column } from '../../components/data-table.tsx';
import { ListView } from '../../components/list-view.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { keyName } from '../api-keys/key-words.ts';
import { type RequestFilter, RequestFilters } from './request-filters.tsx';
import { RequestPage } from './request-page.tsx';
import { statusTone } from './status-tone.ts';
import { useRequestTail } from './use-request-tail.ts';

type RequestPageBody = List<RequestBody> & Pick<RequestList, 'kept_days'>;

const route = getRouteApi('/signed-in/developers/requests');

export function Requests() {
  const { id, status, path, key } = route.useSearch();
  return id === undefined ? <Log filter={{ status, path, key }} /> : <RequestPage id={id} />;
}

function Log({ filter }: { readonly filter: RequestFilter }) {
  const [live, setLive] = useState(false);
  const list = useList<RequestBody, RequestPageBody>('/requests', { ...filter });
  const tail = useRequestTail(live, filter);
  const [first, ...others] = list.data?.pages ?? [];
  const rows = rowsOf(list.data?.pages ?? [], tail.requests);
  // As many pages as were loaded, with all rows in the first.
  const pages = first && [{ ...first, data: rows }, ...others.map((page) => ({ ...page, data: [] }))];
  const shown = { ...list, data: pages && { pages } };
  return (
    <>
      <PageHead title="Requests" />
      <RequestFilters filter={filter} live={live} onLive={setLive} />
      {live && (
        <p role="status" className="faint">
          {tail.isConnected ? 'New requests appear by themselves.' : 'Connecting…'}
        </p>
      )}
      <ListView
        label="Requests"
        list={shown}
        columns={columnsWith(useKeyNames())}
        empty={<NoRequests keptDays={first?.kept_days} filter={filter} />}
        stacked
      />
    </>
  );
}

/** Newest first. Requests of the tail that are older than the loaded pages are left to the next page, which has all of them. */
function rowsOf(pages: readonly RequestPageBody[], tail: readonly RequestBody[]): RequestBody[] {
  const end = pages.at(-1)?.next_cursor ?? '';
  const all = [...pages.flatMap(({ data }) => data), ...tail.filter(({ id }) => id >= end)];
  const byId = new Map(all.map((request) => [request.id, request]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}

function NoRequests({ keptDays, filter }: { readonly keptDays: number | undefined; readonly filter: RequestFilter }) {
  if (Object.values(filter).some((value) => value !== undefined)) {
    return (
      <EmptyState icon="developers" title="No requests match">
        <Link to="/developers/requests">Show all requests</Link>
      </EmptyState>
    );
  }
  if (keptDays === 0) {
    return (
      <EmptyState icon="developers" title="Requests are not recorded">
        Whoever runs Paydesk has switched the request log off (PAYDESK_REQUEST_LOG_DAYS=0).
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="developers" title="No requests yet">
      Requests that your server makes with an <Link to="/developers/api-keys">API key</Link> appear here and are kept
      for {keptDays === 1 ? '1 day' : `${keptDays ?? 7} days`}.
    </EmptyState>
  );
}

/** Of the keys on the first page; others are shown by their id. */
function useKeyNames(): ReadonlyMap<string, string> {
  const keys = useList<ApiKeyBody>('/api-keys');
  const known = keys.data?.pages.flatMap(({ data }) => data) ?? [];
  return new Map(known.map((key) => [key.id, keyName(key)]));
}

const columnsWith = (keyNames: ReadonlyMap<string, string>): readonly Column<RequestBody>[] => [
  {
    key: 'status',
    label: 'Status',
    expect: 4,
    cell: ({ status, unrecorded }) => (unrecorded === null ? <Badge tone={statusTone(status)}>{status}</Badge> : null),
  },
  {
    key: 'path',
    label: 'Request',
    flexible: true,
    expect: 32,
    cell: ({ id, method, path, unrecorded }) =>
      unrecorded === null ? (
        <Link to="/developers/requests" search={{ id }} data-row-link="">
          <code>
            {method} {path}
          </code>
        </Link>
      ) : (
        <span className="faint">
          {unrecorded.toLocaleString()} requests were not recorded, because storage was busy with payments.
        </span>
      ),
  },
  {
    key: 'key',
    label: 'Key',
    hideBelow: 'tablet',
    expect: 10,
    cell: ({ key, unrecorded }) =>
      unrecorded === null && <span className="cut">{keyNames.get(key) ?? `…${key.slice(-6)}`}</span>,
  },
  {
    key: 'duration',
    label: 'Duration',
    align: 'right',
    expect: 6,
    cell: ({ duration_ms: ms, unrecorded }) =>
      unrecorded === null && (
        <span className="number">{ms.toLocaleString(undefined, { maximumFractionDigits: 1 })} ms</span>
      ),
  },
  {
    key: 'id',
    label: 'Request ID',
    hideBelow: 'desktop',
    expect: 30,
    cell: ({ id, unrecorded }) => unrecorded === null && <CopyId id={id} />,
  },
  {
    key: 'at',
    label: 'Time',
    align: 'right',
    expect: 18,
    cell: ({ created_at: at }) => <Time at={at} precision="seconds" />,
  },
];
