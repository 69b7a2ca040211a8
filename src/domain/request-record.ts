// What is kept of an API request, for developers who look for a mistake. Bodies are masked before they are stored.

import type { Scope } from './merchant.ts';

export interface RequestSummary extends Scope {
  /** `req_…`, as in the Request-Id header of the response. */
  readonly id: string;
  readonly method: string;
  /** With the query, masked. */
  readonly path: string;
  readonly status: number;
  /** In microseconds. */
  readonly duration: number;
  /** The API key. */
  readonly keyId: string;
  /** Instead of a request: how many were not recorded since the previous record of this kind; null for a request. */
  readonly unrecorded: number | null;
  readonly createdAt: number;
}

export interface RequestRecord extends RequestSummary {
  /** JSON; null: there was none, or it cannot be shown. */
  readonly requestBody: string | null;
  readonly responseBody: string | null;
  /** The sizes of the bodies as they were sent, in bytes. */
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** How long records are kept; null: requests are not recorded. */
export function requestRetentionMs(days: number): number | null {
  return days === 0 ? null : days * 86_400_000;
}
