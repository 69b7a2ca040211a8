// Whether a failed request is sent again, and after how long.
//
// All methods are: a GET has no effect; a POST carries an idempotency key, the same one each time, so that the service
// has the effect once; a PATCH is a merge patch and a DELETE names what is to be gone, so that twice is as good as once.

import { ConnectionError, type PaydeskError } from './errors.ts';

/** Those that say that the same request may do better later. */
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const firstBackoffMs = 500;
const maxBackoffMs = 8_000;
/** Who is told to wait longer is told so by an error, rather than held up or sent against the service's word. */
export const maxRetryAfterMs = 60_000;

export function mayPass(error: PaydeskError): boolean {
  return (
    error instanceof ConnectionError ||
    (error.statusCode !== undefined && passing.has(error.statusCode)) ||
    outcomeIsComing(error)
  );
}

/**
 * A 409 is about the state of things, and the same request gets the same again. One does not: the outcome of a capture
 * or a cancellation is not known yet. The service says when to ask again, and the same key goes on with the same one.
 */
function outcomeIsComing({ statusCode, code, retryAfterMs }: PaydeskError): boolean {
  return statusCode === 409 && code === 'payment_in_progress' && retryAfterMs !== undefined;
}

/**
 * Milliseconds until the next attempt; null for none. Full jitter: anything up to a limit that doubles, so that the
 * clients of a service that comes back do not all come at once. A `Retry-After` is waited for in full, and then that.
 */
export function retryDelayMs(error: PaydeskError, retriesMade: number, random: () => number): number | null {
  if (!mayPass(error)) return null;
  const askedForMs = error.retryAfterMs ?? 0;
  if (askedForMs > maxRetryAfterMs) return null;
  return askedForMs + random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** retriesMade);
}
