// When a failed delivery is retried.

export interface RetrySchedule {
  /** After the first failure, the second, … After the last there is no retry. */
  readonly delaysMs: readonly number[];
}

/** Each delay is extended by up to this fraction, so that deliveries that failed together are not retried together. */
const jitter = 0.1;
/** The longest wait that an endpoint can ask for. */
export const maxRetryAfterMs = 3_600_000;

/** The longest possible delay of a retry. */
export function longestRetryMs({ delaysMs }: RetrySchedule): number {
  return Math.max(...delaysMs.map((delay) => delay * (1 + jitter)), maxRetryAfterMs);
}

/** `attempts` is the number made so far, at least one. Null: no retries are left. */
export function retryAt(
  { delaysMs }: RetrySchedule,
  attempts: number,
  { endedAt, retryAfterMs, chance }: { endedAt: number; retryAfterMs: number | null; chance: number },
): number | null {
  const delay = delaysMs[attempts - 1];
  if (delay === undefined) return null;
  const requestedMs = Math.min(retryAfterMs ?? 0, maxRetryAfterMs);
  return Math.round(endedAt + Math.max(delay * (1 + jitter * chance), requestedMs));
}
