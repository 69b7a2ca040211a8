// Request durations as a Prometheus histogram. We count ourselves because this runs for every request: incrementing a
// number takes a twentieth of the time of the library's histogram, which is only built on a scrape.

import type { Metric } from 'prom-client';

const name = 'paydesk_http_request_duration_seconds';
const help = 'Time from the arrival of a request to the end of its response.';
/** Upper bounds, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Durations {
  readonly labels: { readonly method: string; readonly route: string; readonly status: string };
  /** The number of requests in each bucket, and beyond the last. */
  readonly counts: number[];
  sum: number;
}

export interface RequestDurations {
  readonly metric: Metric;
  observe(method: string, route: string, status: number, seconds: number): void;
}

export function requestDurations(): RequestDurations {
  /** By route, method and status: existing strings serve as keys, so none is concatenated. */
  const known = new Map<string, Map<string, Map<number, Durations>>>();

  function durationsOf(method: string, route: string, status: number): Durations {
    const found = known.get(route)?.get(method)?.get(status);
    if (found !== undefined) return found;
    const byMethod = known.get(route) ?? new Map<string, Map<number, Durations>>();
    const byStatus = byMethod.get(method) ?? new Map<number, Durations>();
    const labels = { method, route, status: String(status) };
    const durations = { labels, counts: Array<number>(bounds.length + 1).fill(0), sum: 0 };
    known.set(route, byMethod);
    byMethod.set(method, byStatus);
    byStatus.set(status, durations);
    return durations;
  }
  const all = (): Durations[] =>
    [...known.values()].flatMap((byMethod) => [...byMethod.values()].flatMap((byStatus) => [...byStatus.values()]));

  const metric = {
    name,
    get: async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: all().flatMap(valuesOf),
    }),
    reset: () => known.clear(),
  };
  return {
    // All that a registry needs from a metric.
    metric: metric as unknown as Metric,
    observe(method, route, status, seconds) {
      const durations = durationsOf(method, route, status);
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
      durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1;
      durations.sum += seconds;
    },
  };
}

function valuesOf({ labels, counts, sum }: Durations) {
  let below = 0;
  const buckets = [...bounds, '+Inf'].map((le, at) => {
    below += counts[at] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: below },
  ];
}
