// Errors as the API returns them.

import { errorCodes, type Refusal, refuse } from '../domain/errors.ts';
import { StorageUnavailable } from '../storage/store.ts';
import { type HttpReply, json } from './route.ts';

export function errorReply(
  { refused, message, param, retryAfterSeconds }: Refusal,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const { type, status } = errorCodes[refused];
  const error = { type, code: refused, message, ...(param === undefined ? {} : { param }), request_id: requestId };
  return {
    status,
    headers: {
      'Content-Type': json,
      ...headersOf(status),
      ...headers,
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    },
    body: JSON.stringify({ error }),
  };
}

function headersOf(status: number): Record<string, string> {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' };
  // A default: rate limits know their exact wait and override it.
  if (status === 503 || status === 429) return { 'Retry-After': '1' };
  return {};
}

/** Maps what a handler threw: unavailable storage is expected, anything else is an internal error. */
export function refusalFor(error: unknown): Refusal {
  if (error instanceof StorageUnavailable) {
    return refuse(
      'storage_unavailable',
      'Storage is not available at the moment. Retry the same request shortly, with the same Idempotency-Key.',
    );
  }
  return refuse(
    'internal_error',
    'Something went wrong on our side. Try again; if the error persists, search the logs for the request id.',
  );
}
