// How long data that is no longer needed is kept.

const dayMs = 86_400_000;

/** Null: forever. */
export interface Retention {
  /** Finished deliveries, from when they ended. */
  readonly deliveriesMs: number | null;
  /** Events without deliveries. The last event of a merchant and mode is always kept. */
  readonly eventsMs: number | null;
  readonly auditEntriesMs: number | null;
  /** Messages to customers, from when they were queued; those that are still to be sent are kept longer. */
  readonly mailMs: number | null;
  /** What is known about the customers of payments that have ended, from the creation of the payment. */
  readonly customersMs: number | null;
  /** Payments whose session ended and for which nothing was paid, not even too late, from their creation. */
  readonly abandonedMs: number | null;
  /** All other payments that have ended, with their refunds and disputes, from their creation. */
  readonly paymentsMs: number | null;
}

/** 0: forever. */
export function daysToMs(days: number): number | null {
  return days === 0 ? null : days * dayMs;
}
