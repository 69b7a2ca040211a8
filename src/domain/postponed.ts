// When to try again what was not sent, because the provider is down or busy, or has asked us to wait.

const leastMs = 1_000;
/** Not longer than the claims of the jobs. */
const mostMs = 30_000;

/**
 * As soon as the provider may be called, and the longer that the work has waited, the less often: whoever waits for a
 * payment need not wait much longer than the outage, and a long one costs few attempts. `since`: when it began to wait, or
 * its customer began to pay.
 */
export function postponedUntil(since: number, retryAfterMs: number | null, now: number): number {
  const waitMs = Math.max(retryAfterMs ?? 0, (now - since) / 4, leastMs);
  return Math.ceil(now + Math.min(waitMs, mostMs));
}
