// How well a webhook endpoint works, from the results of its latest deliveries.

import type { DeliveryResult } from './delivery.ts';

export interface EndpointHealth {
  readonly delivered: number;
  readonly failed: number;
  /** For their first attempt or a retry. */
  readonly waiting: number;
  /** Of the last attempts, whatever came of them; null without any. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

export const noDeliveries: EndpointHealth = { delivered: 0, failed: 0, waiting: 0, medianMs: null, p95Ms: null };

/** By endpoint; one without deliveries is missing. */
export function endpointHealth(results: readonly DeliveryResult[]): ReadonlyMap<string, EndpointHealth> {
  const byEndpoint = Map.groupBy(results, ({ endpointId }) => endpointId);
  return new Map([...byEndpoint].map(([endpointId, own]) => [endpointId, healthOf(own)]));
}

function healthOf(results: readonly DeliveryResult[]): EndpointHealth {
  const count = (status: DeliveryResult['status']): number => results.filter((one) => one.status === status).length;
  const durations = results.flatMap(({ durationMs }) => durationMs ?? []).toSorted((a, b) => a - b);
  return {
    delivered: count('delivered'),
    failed: count('failed'),
    waiting: count('pending'),
    medianMs: percentile(durations, 0.5),
    p95Ms: percentile(durations, 0.95),
  };
}

/** The nearest rank, so that it is a duration that occurred. */
function percentile(ascending: readonly number[], share: number): number | null {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? null;
}
