// One set of metrics for all workers. Counters and histograms are summed, including those of workers that have ended:
// otherwise the sum would fall with each restart, which Prometheus takes for a reset and counts the rest twice.

import { AggregatorRegistry, Registry } from 'prom-client';
import type { MetricsReport } from './messages.ts';

export interface GatheredMetrics {
  /** The newest report of a worker. */
  report(worker: number, report: MetricsReport): void;
  /** The worker has ended: what it counted stays. */
  ended(worker: number): void;
  /** `answered`: the workers that have just reported. Of the others, only what they had counted is known. */
  text(answered: ReadonlySet<number>): Promise<string>;
  readonly contentType: string;
}

/** `own`: the supervisor's own metrics. */
export function gatheredMetrics(own: Registry): GatheredMetrics {
  const newest = new Map<number, MetricsReport>();
  let ofEnded: MetricsReport = [];

  return {
    report: (worker, report) => void newest.set(worker, report.map(withAggregator)),
    ended(worker) {
      const last = newest.get(worker);
      newest.delete(worker);
      if (last !== undefined) ofEnded = sumOf([ofEnded, last.filter(isCounted)]);
    },
    async text(answered) {
      const reports = [...newest].map(([worker, report]) => (answered.has(worker) ? report : report.filter(isCounted)));
      return registryOf([await own.getMetricsAsJSON(), ofEnded, ...reports]).metrics();
    },
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
  };
}

type Metric = MetricsReport[number];

/** `type` is a word here, although the library's types say otherwise. */
const typeOf = ({ type }: Metric): string => String(type);

function isCounted(metric: Metric): boolean {
  return typeOf(metric) === 'counter' || typeOf(metric) === 'histogram';
}

/** The library averages delays of the event loop, which would hide one overloaded worker among many. */
function withAggregator(metric: Metric): Metric {
  const isDelay = metric.name.startsWith('nodejs_eventloop_lag_') && !metric.name.includes('_min_');
  return isDelay ? { ...metric, aggregator: 'max' } : metric;
}

const registryOf = (reports: readonly MetricsReport[]): Registry =>
  AggregatorRegistry.aggregate(reports.map((report) => [...report]));

const sumOf = (reports: readonly MetricsReport[]): MetricsReport =>
  registryOf(reports).getMetricsAsArray() as unknown as MetricsReport;
