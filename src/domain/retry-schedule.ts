// When a delivery that failed is tried again.

export interface RetrySchedule {
  /** After the first failure, the second, … After the last there is no retry. */
  readonly delaysMs: readonly number[];
}

/** Retries of many deliveries that failed together are spread by up to this part of their delay. */
const jitter = 0.1;
/** An endpoint may ask for a longer wait, but not for more than this. */
export const maxRetryAfterMs = 3_600_000;

/** The longest that a retry is put off. */
export function longestRetryMs({ delaysMs }: RetrySchedule): number {
  return Math.max(...delaysMs.map((delay) => delay * (1 + jitter)), maxRetryAfterMs);
}

/** `attempts`: how many were made, at least one. Null: none is left. */
export function retryAt(
  { delaysMs }: RetrySchedule,
  attempts: number,
  { endedAt, retryAfterMs, chance }: { endedAt: number; retryAfterMs: number | null; chance: number },
): number | null {
  const delay = delaysMs[attempts - 1];
  if (delay === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, maxRetryAfterMs);
  return Math.round(endedAt + Math.max(delay * (1 + jitter * chance), asked));
}
