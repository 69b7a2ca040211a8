// One set of metrics for all workers. Counters and histograms are summed, including those of workers that have ended:
// otherwise the sum would drop with each restart, and Prometheus would treat that as a reset and count the rest twice.

import { AggregatorRegistry, Registry } from 'prom-client';
import type { MetricsReport } from './messages.ts';

export interface GatheredMetrics {
  /** Stores the latest report of a worker. */
  report(worker: number, report: MetricsReport): void;
  /** The worker has ended; its counts are kept. */
  ended(worker: number): void;
  /** `answered`: the workers that have just reported. For the others, only their latest counts are included. */
  text(answered: ReadonlySet<number>): Promise<string>;
  readonly contentType: string;
}

/** `own`: the supervisor's own metrics. */
export function gatheredMetrics(own: Registry): GatheredMetrics {
  const latest = new Map<number, MetricsReport>();
  let endedCounts: MetricsReport = [];

  return {
    report: (worker, report) => void latest.set(worker, report.map(withAggregator)),
    ended(worker) {
      const last = latest.get(worker);
      latest.delete(worker);
      if (last !== undefined) endedCounts = sumOf([endedCounts, last.filter(isCounted)]);
    },
    async text(answered) {
      const reports = [...latest].map(([worker, report]) => (answered.has(worker) ? report : report.filter(isCounted)));
      return registryOf([await own.getMetricsAsJSON(), endedCounts, ...reports]).metrics();
    },
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
  };
}

type Metric = MetricsReport[number];

/** `type` is a string at run time, although the library's types say otherwise. */
const typeOf = ({ type }: Metric): string => String(type);

function isCounted(metric: Metric): boolean {
  return typeOf(metric) === 'counter' || typeOf(metric) === 'histogram';
}

/** The library averages event-loop delays, which would hide one overloaded worker among many. */
function withAggregator(metric: Metric): Metric {
  const isDelay = metric.name.startsWith('nodejs_eventloop_lag_') && !metric.name.includes('_min_');
  return isDelay ? { ...metric, aggregator: 'max' } : metric;
}

const registryOf = (reports: readonly MetricsReport[]): Registry =>
  AggregatorRegistry.aggregate(reports.map((report) => [...report]));

const sumOf = (reports: readonly MetricsReport[]): MetricsReport =>
  registryOf(reports).getMetricsAsArray() as unknown as MetricsReport;
