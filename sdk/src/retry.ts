// Decides whether a failed request is retried, and after how long.
//
// All methods can be retried: a GET has no effect; a POST carries the same idempotency key each time, so that it takes
// effect once; a PATCH is a merge patch and a DELETE is idempotent.

import { ConnectionError, type PaydeskError } from './errors.ts';

/** HTTP statuses after which the same request may succeed later. */
const temporaryStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const firstBackoffMs = 500;
const maxBackoffMs = 8_000;
/** If the service requests a longer wait, the caller gets the error instead of a long pause or an early retry. */
export const maxRetryAfterMs = 60_000;

export function isTemporary(error: PaydeskError): boolean {
  return (
    error instanceof ConnectionError ||
    (error.statusCode !== undefined && temporaryStatuses.has(error.statusCode)) ||
    hasPendingOutcome(error)
  );
}

/**
 * Retrying a 409 usually returns the same 409. The exception is a capture or a cancellation whose outcome is not known
 * yet: the service says when to retry, and the same key continues the same operation.
 */
function hasPendingOutcome({ statusCode, code, retryAfterMs }: PaydeskError): boolean {
  return statusCode === 409 && code === 'payment_in_progress' && retryAfterMs !== undefined;
}

/**
 * Milliseconds until the next attempt; null for none. Full jitter: a random delay up to a limit that doubles, so that
 * clients do not all return at once after an outage. A `Retry-After` is added in full.
 */
export function retryDelayMs(error: PaydeskError, retriesMade: number, random: () => number): number | null {
  if (!isTemporary(error)) return null;
  const requestedMs = error.retryAfterMs ?? 0;
  if (requestedMs > maxRetryAfterMs) return null;
  return requestedMs + random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** retriesMade);
}
