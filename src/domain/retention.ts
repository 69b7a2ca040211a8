// How long data that is no longer needed is kept. Payments and refunds are kept forever.

const dayMs = 86_400_000;

/** Null: forever. */
export interface Retention {
  /** Finished deliveries, from when they ended. */
  readonly deliveriesMs: number | null;
  /** Events without deliveries. The last event of a merchant and mode is always kept. */
  readonly eventsMs: number | null;
  readonly auditEntriesMs: number | null;
}

/** 0: forever. */
export function daysToMs(days: number): number | null {
  return days === 0 ? null : days * dayMs;
}
