// Lists the recorded API requests of a merchant, newest first. Filters are checked one by one, on a bounded number of them.

import type { Scope } from '../domain/merchant.ts';
import type { RequestSummary } from '../domain/request-record.ts';
import type { Store } from '../storage/store.ts';

export interface RequestFilter {
  /** `error`: all from 400 on. A number is a status, or with `xx` a class of them. */
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  /** A part of the path. */
  readonly path?: string | undefined;
  readonly keyId?: string | undefined;
}

export interface RequestPage {
  readonly requests: readonly RequestSummary[];
  /** Where the next page starts; null at the end. The page may be shorter than requested before the end. */
  readonly next: string | null;
}

const readAtOnce = 500;
const maxRead = 5_000;

export async function listRequests(
  { store }: { readonly store: Store },
  scope: Scope,
  filter: RequestFilter,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<RequestPage> {
  const requests: RequestSummary[] = [];
  const atOnce = isFiltered(filter) ? readAtOnce : limit + 1;
  let after = before;
  for (let read = 0; read < maxRead; ) {
    const rows = await store.list('requestSummaries', { scope, limit: atOnce, after });
    for (const row of rows) {
      if (!matches(filter, row)) continue;
      if (requests.length === limit) return { requests, next: requests.at(-1)?.id ?? null };
      requests.push(row);
    }
    if (rows.length < atOnce) return { requests, next: null };
    read += rows.length;
    after = rows.at(-1)?.id;
  }
  return { requests, next: after ?? null };
}

function isFiltered({ status, method, path, keyId }: RequestFilter): boolean {
  return status !== undefined || method !== undefined || path !== undefined || keyId !== undefined;
}

/** A gap is part of every list. */
export function matches({ status, method, path, keyId }: RequestFilter, request: RequestSummary): boolean {
  if (request.unrecorded !== null) return true;
  return (
    (status === undefined || hasStatus(status, request.status)) &&
    (method === undefined || request.method === method) &&
    (path === undefined || request.path.includes(path)) &&
    (keyId === undefined || request.keyId === keyId)
  );
}

function hasStatus(wanted: string, status: number): boolean {
  if (wanted === 'error') return status >= 400;
  return /^\dxx$/.test(wanted) ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted);
}
