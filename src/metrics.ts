// Prometheus metrics for operators.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type AcquirerMetrics, acquirerMetrics } from './acquirer-metrics.ts';
import { type SignInOutcome, signInOutcomes } from './domain/sign-in-outcome.ts';
import { type MailMetrics, mailMetrics } from './mail-metrics.ts';
import { type PaymentMetrics, paymentMetrics } from './payment-metrics.ts';
import { requestDurations } from './request-durations.ts';

export interface Metrics extends PaymentMetrics, AcquirerMetrics, MailMetrics {
  readonly registry: Registry;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  countRateLimited(): void;
  countExpiredSessions(count: number): void;
  countCommit(outcome: string): void;
  countCspReport(): void;
  countProxyProblem(problem: string): void;
  countSignIn(outcome: SignInOutcome): void;
  /** Evaluated on every scrape. */
  watchEventStreams(open: () => number): void;
  /** Evaluated on every scrape. */
  watchUnrecordedRequests(count: () => number): void;
  /** Evaluated on every scrape. */
  watchClock(systemAheadSeconds: () => number): void;
  observeWebhook(attempt: WebhookAttempt): void;
  /** Evaluated on every scrape. */
  watchWebhooks(now: { due: () => Promise<number>; inFlight: () => number }): void;
}

export type { NotificationOutcome } from './acquirer-metrics.ts';

export interface WebhookAttempt {
  /** `retry`: failed, and will be retried. `failed`: failed for good. */
  readonly outcome: 'delivered' | 'retry' | 'failed';
  readonly isRetry: boolean;
  readonly seconds: number;
  readonly secondsSinceCommit: number;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countProcess(registry);
  const requests = requestDurations();
  registry.registerMetric(requests.metric);
  const rateLimited = new Counter({
    name: 'paydesk_rate_limited_requests_total',
    help: 'Requests refused with 429.',
    registers: [registry],
  });
  const expired = new Counter({
    name: 'paydesk_expired_sessions_total',
    help: 'Checkout sessions that expired.',
    registers: [registry],
  });
  const commits = new Counter({
    name: 'paydesk_commits_total',
    help: 'Commits by outcome: committed, or the kind of conflict.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  const cspReports = new Counter({
    name: 'paydesk_csp_reports_total',
    help: 'Content security policy violations reported by browsers.',
    registers: [registry],
  });
  const proxyProblems = new Counter({
    name: 'paydesk_proxy_problems_total',
    help: 'Requests whose forwarding headers do not match the settings.',
    labelNames: ['problem'] as const,
    registers: [registry],
  });
  const signIns = new Counter({
    name: 'paydesk_sign_ins_total',
    help: 'Attempts to sign in to the dashboard, or to confirm a password there, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  for (const outcome of signInOutcomes) signIns.inc({ outcome }, 0);
  const webhooks = webhookMetrics(registry);
  return {
    registry,
    observeRequest: requests.observe,
    countRateLimited: () => rateLimited.inc(),
    countExpiredSessions: (count) => expired.inc(count),
    countCommit: (outcome) => commits.inc({ outcome }),
    countCspReport: () => cspReports.inc(),
    countProxyProblem: (problem) => proxyProblems.inc({ problem }),
    countSignIn: (outcome) => signIns.inc({ outcome }),
    watchEventStreams(open) {
      new Gauge({
        name: 'paydesk_event_streams_open',
        help: 'Open event streams.',
        registers: [registry],
        collect() {
          this.set(open());
        },
      });
    },
    watchUnrecordedRequests(count) {
      new Gauge({
        name: 'paydesk_unrecorded_requests',
        help: 'API requests since the start that are missing in the request log.',
        registers: [registry],
        collect() {
          this.set(count());
        },
      });
    },
    watchClock(systemAheadSeconds) {
      new Gauge({
        name: 'paydesk_clock_difference_seconds',
        help: "How far the system clock is ahead of the service's clock.",
        aggregator: 'average',
        registers: [registry],
        collect() {
          this.set(systemAheadSeconds());
        },
      });
    },
    ...webhooks,
    ...mailMetrics(registry),
    ...paymentMetrics(registry),
    ...acquirerMetrics(registry),
  };
}

/** What the supervisor of several workers reports; a single process reports itself. */
function countProcess(registry: Registry): void {
  new Gauge({ name: 'paydesk_processes', help: 'Processes that serve.', registers: [registry] }).set(1);
  workerDeaths(registry);
}

export function workerDeaths(registry: Registry): Counter {
  return new Counter({
    name: 'paydesk_worker_deaths_total',
    help: 'Workers that ended unexpectedly and were replaced.',
    registers: [registry],
  });
}

function webhookMetrics(registry: Registry): Pick<Metrics, 'observeWebhook' | 'watchWebhooks'> {
  const registers = [registry];
  const attempts = new Counter({
    name: 'paydesk_webhook_attempts_total',
    help: 'Attempts to deliver a webhook: delivered; failed and to be retried; failed for good.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const retries = new Counter({
    name: 'paydesk_webhook_retries_total',
    help: 'Attempts that were not the first of their delivery.',
    registers,
  });
  const durations = new Histogram({
    name: 'paydesk_webhook_attempt_duration_seconds',
    help: 'Duration of a delivery attempt.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const latencies = new Histogram({
    name: 'paydesk_webhook_latency_seconds',
    help: 'Time from the commit of a delivery to the 2xx that ended it.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200],
    registers,
  });
  const outcomes = {
    delivered: attempts.labels('delivered'),
    retry: attempts.labels('retry'),
    failed: attempts.labels('failed'),
  };
  return {
    observeWebhook({ outcome, isRetry, seconds, secondsSinceCommit }) {
      outcomes[outcome].inc();
      if (isRetry) retries.inc();
      durations.observe(seconds);
      if (outcome === 'delivered') latencies.observe(secondsSinceCommit);
    },
    watchWebhooks({ due, inFlight }) {
      new Gauge({
        name: 'paydesk_webhook_deliveries_due',
        help: 'Deliveries that are due and not claimed by any process.',
        // The same in all workers.
        aggregator: 'max',
        registers,
        async collect() {
          // When storage is down, the other metrics are needed all the more.
          this.set(await due().catch(() => Number.NaN));
        },
      });
      new Gauge({
        name: 'paydesk_webhook_deliveries_in_flight',
        help: 'Deliveries that this process is sending.',
        registers,
        collect() {
          this.set(inFlight());
        },
      });
    },
  };
}
